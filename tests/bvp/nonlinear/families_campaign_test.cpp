// Random families: what is claimed of x and of parameters is so, and of parameters that only act
// together none is claimed. Forty here; a thousand by `daewave_test_nonlinear "[campaign]"`.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "bvp/solve.hpp"
#include "tests/bvp/campaign_seeds.hpp"
#include "tests/bvp/nonlinear/random_family.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

using testing::RandomFamily;

constexpr int looks = 1000;

/// The largest error of x and of p, in tolerances, relative to 1 + the largest value.
double error_of(const Solution& solution, const RandomFamily& drawn) {
  VecX error = VecX::Zero(drawn.n), largest = error;
  for (int i = 0; i <= looks; ++i) {
    const double t = std::min(drawn.length, drawn.length * i / looks);
    const VecX exact = drawn.x(t);
    error = error.cwiseMax((solution.x(t) - exact).cwiseAbs());
    largest = largest.cwiseMax(exact.cwiseAbs());
  }
  double most = (error.array() / (1 + largest.array())).maxCoeff();
  for (int j = 0; j < drawn.truth.size(); ++j) {
    const double off = std::abs(solution.parameters[j] - drawn.truth[j]);
    most = std::max(most, off / (1 + std::abs(drawn.truth[j])));
  }
  return most / drawn.tolerance;
}

/// A nonlinear problem may have others: one that a hundredth of the tolerance does not move.
bool is_another(const Solution& solution, const RandomFamily& drawn) {
  ProblemFamily family = drawn.family();
  family.p = solution.parameters.size() > 0 ? solution.parameters : family.p;
  const Solution finer =
      solve(family, {.tolerance = std::max(1e-10, 0.01 * drawn.tolerance), .from = solution});
  if (!finer.report.usable()) return false;
  double moved = 0;
  for (int i = 0; i <= looks; ++i) {
    const double t = std::min(drawn.length, drawn.length * i / looks);
    const VecX at = solution.x(t);
    moved = std::max(moved, ((finer.x(t) - at).array() / (1 + at.array().abs())).abs().maxCoeff());
  }
  for (int j = 0; j < drawn.truth.size(); ++j) {
    const double p = solution.parameters[j];
    moved = std::max(moved, std::abs(finer.parameters[j] - p) / (1 + std::abs(p)));
  }
  return moved <= 2 * drawn.tolerance;
}

struct Count {
  int all = 0, alike = 0, claimed = 0, beyond = 0, others = 0;
  std::string failures;
};

void add(unsigned seed, Count& count) {
  const RandomFamily drawn = testing::random_family(seed);
  const Solution solution = solve(drawn.family(), {.tolerance = drawn.tolerance});
  const bool usable = solution.report.usable();
  const std::string about =
      fmt::format("seed {}, {} parameters{}{}, {}: {}\n", seed, drawn.truth.size(),
                  drawn.alike ? " that act alike" : "", drawn.singular ? ", singular" : "",
                  drawn.tolerance, solution.report.brief());
  ++count.all;
  if (!usable && solution.report.advice.empty()) count.failures += "no advice: " + about;
  if (drawn.alike) {
    ++count.alike;
    if (usable) count.failures += "not determined: " + about;
    return;
  }
  if (!usable) return;
  ++count.claimed;
  const double error = error_of(solution, drawn);
  if (error <= 1) return;
  if (is_another(solution, drawn)) {
    ++count.others;
    return;
  }
  ++count.beyond;
  if (!(error <= 10)) count.failures += fmt::format("{:.2g} tolerances: {}", error, about);
}

Count count_of(const std::vector<unsigned>& seeds) {
  Count count;
  for (const unsigned seed : seeds) add(seed, count);
  return count;
}

}  // namespace

TEST_CASE("random families are solved to their tolerance, parameters too, or refused",
          "[nonlinear]") {
  std::vector<unsigned> seeds(40);
  std::iota(seeds.begin(), seeds.end(), 0u);
  const Count count = count_of(seeds);
  INFO(count.failures);
  CHECK(count.failures.empty());
  CHECK(20 * count.beyond <= count.claimed);
  CHECK(count.alike >= 2);
  CHECK(10 * count.claimed >= 9 * (count.all - count.alike));
}

TEST_CASE("a thousand random families", "[.][campaign]") {
  const Count count = count_of(testing::campaign_seeds());
  fmt::print(
      "{} families, {} of parameters alike, {} claimed, {} of them another solution, {} "
      "beyond the tolerance\n{}",
      count.all, count.alike, count.claimed, count.others, count.beyond, count.failures);
  CHECK(count.failures.empty());
  CHECK(20 * count.beyond <= count.claimed);
}

}  // namespace daewave::bvp
