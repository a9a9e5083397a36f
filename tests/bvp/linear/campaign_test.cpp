// Random problems with known solutions: what is claimed to be solved is solved, between nodes and
// stages too. Some of them here; a thousand by `daewave_test_bvp "[campaign]"`, which lists what it
// has found.

#include <fmt/format.h>

#include <algorithm>

#include "bvp/solve.hpp"
#include "tests/bvp/linear/random_problem.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

using testing::RandomCase;
using testing::RandomFunction;

/// Largest error of x or B y anywhere, relative to 1 + the largest value of each component, in
/// units of the tolerance.
double excess(const RandomCase& drawn, const Solution& solution) {
  const auto& problem = drawn.problem;
  const double end = problem.length;
  std::vector<double> times;
  for (int i = 0; i <= 1000; ++i) times.push_back(end * i / 1000);
  for (const auto* functions : {&problem.z, &problem.y}) {
    for (const RandomFunction& one : *functions) {
      const bool at_begin = one.feature == RandomFunction::Feature::layer;
      for (int i = -15; i <= 15 && one.feature != RandomFunction::Feature::none; ++i) {
        times.push_back((at_begin ? 0 : one.at) + one.width * i / 4);
      }
    }
  }
  VecX x_size = VecX::Ones(problem.n), By_size = x_size, x = VecX::Zero(problem.n), By = x;
  for (const double time : times) {
    const double t = std::clamp(time, 0.0, end);
    const VecX x_exact = problem.x_exact(t), By_exact = problem.By_exact(t);
    x_size = x_size.cwiseMax((x_exact.cwiseAbs().array() + 1).matrix());
    By_size = By_size.cwiseMax((By_exact.cwiseAbs().array() + 1).matrix());
    x = x.cwiseMax((solution.x(t) - x_exact).cwiseAbs());
    By = By.cwiseMax((solution.By(t) - By_exact).cwiseAbs());
  }
  return std::max(x.cwiseQuotient(x_size).maxCoeff(), By.cwiseQuotient(By_size).maxCoeff()) /
         drawn.tolerance;
}

struct Count {
  int all = 0, claimed = 0, beyond = 0, far_beyond = 0;
};

Count campaign(unsigned from, unsigned to) {
  Count count;
  for (unsigned seed = from; seed < to; ++seed) {
    const RandomCase drawn = testing::random_case(seed);
    const testing::RandomProblem& without = drawn.problem;
    const Options options{.tolerance = drawn.tolerance};
    const Solution solution =
        drawn.with_derivatives ? solve(drawn.problem, options) : solve(without, options);
    ++count.all;
    CAPTURE(seed, drawn.tolerance, solution.report.brief());
    if (!solution.report.usable()) {
      CHECK_FALSE(solution.report.advice.empty());
      continue;
    }
    ++count.claimed;
    const double error = excess(drawn, solution);
    CHECK(error <= 10);
    if (!(error <= 1)) ++count.beyond;
    if (!(error <= 10)) ++count.far_beyond;
  }
  return count;
}

}  // namespace

TEST_CASE("what is claimed of random problems holds", "[bvp]") {
  const Count count = campaign(0, 40);
  CHECK(count.claimed >= 38);
  CHECK(count.beyond <= 2);
}

TEST_CASE("what is claimed of a thousand random problems holds", "[.][campaign]") {
  const Count count = campaign(1000, 2000);
  WARN("of " << count.all << " problems " << count.claimed << " claimed; " << count.beyond
             << " beyond the tolerance, " << count.far_beyond << " ten times beyond it");
  CHECK(count.claimed >= 950);
  CHECK(20 * count.beyond <= count.claimed);
}

}  // namespace daewave::bvp
