// Random problems with known solutions: what is claimed to be solved is solved, between nodes and
// stages too. Some of them here; a thousand by `daewave_test_bvp "[campaign]"`, which lists what it
// has found.

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "bvp/solve.hpp"
#include "tests/bvp/campaign_seeds.hpp"
#include "tests/bvp/effort.hpp"
#include "tests/bvp/linear/efforts.hpp"
#include "tests/bvp/linear/random_problem.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

using testing::Effort;
using testing::effort_of;
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

Effort effort_of(const RandomCase& drawn, const Solution& solution) {
  return effort_of(solution.report, solution.report.usable() ? excess(drawn, solution) : 0);
}

using Change = std::function<void(Options&)>;

Solution solved(const RandomCase& drawn, const Change& change = {}) {
  const testing::RandomProblem& without = drawn.problem;
  Options options{.tolerance = drawn.tolerance};
  if (change) change(options);
  return drawn.with_derivatives ? solve(drawn.problem, options) : solve(without, options);
}

/// What is asked in place of a tolerance, or beside it, and of which problem.
struct Changed {
  unsigned seed;
  Change change;
};

const std::vector<Changed>& changes() {
  static const std::vector<Changed> changes = {
      {220, [](Options& options) { options = {.intervals = 100}; }},
      {201, [](Options& options) { options = {.scheme = Scheme::midpoint, .intervals = 400}; }},
      {222,
       [](Options& options) { options = {.scheme = Scheme::gauss, .stages = 3, .intervals = 80}; }},
      {223,
       [](Options& options) {
         options = {.scheme = Scheme::radau, .intervals = 80, .iterates = 2};
       }},
      {224, [](Options& options) { options.scheme = Scheme::radau; }},
      {225, [](Options& options) { options.scheme = Scheme::gauss; }},
      {226, [](Options& options) { options.stages = 3; }},
      {227, [](Options& options) { options.weight = Weight::inverse; }},
      {228, [](Options& options) { options.weight = Weight::identity; }},
      {229, [](Options& options) { options.weight = Weight::shifted; }},
      {230, [](Options& options) { options.epsilon = 1e-3; }},
      {231, [](Options& options) { options.alpha2 = 3; }},
      {232,
       [](Options& options) {
         options.alpha1 = 0;
         options.shooting_back = true;
       }},
      {15, [](Options& options) { options.alpha1 = 0; }},
      {234, [](Options& options) { options.shooting_back = false; }},
      {235, [](Options& options) { options.samples = 3000; }},
      {236, [](Options& options) { options.singular = SingularHandling::move_node; }},
      {237, [](Options& options) { options.intervals = 3; }},
      {15, [](Options& options) { options.partitions = 3; }},
      {239, [](Options& options) { options.max_intervals = 40; }}};
  return changes;
}

Effort effort_of(const Changed& changed) {
  const RandomCase drawn = testing::random_case(changed.seed);
  return effort_of(drawn, solved(drawn, changed.change));
}

/// Meshes, iterates and estimates of these are others where the compiler, or the processor, is.
constexpr unsigned rounding_decides[] = {3, 5, 11, 16, 19, 25, 26, 28};

bool is_recorded(unsigned seed) {
  return std::find(std::begin(rounding_decides), std::end(rounding_decides), seed) ==
         std::end(rounding_decides);
}

struct Count {
  int all = 0, claimed = 0, beyond = 0, far_beyond = 0;
};

Count campaign(const std::vector<unsigned>& seeds) {
  Count count;
  for (const unsigned seed : seeds) {
    const RandomCase drawn = testing::random_case(seed);
    const Solution solution = solved(drawn);
    ++count.all;
    CAPTURE(seed, drawn.tolerance, solution.report.brief());
    const double error = solution.report.usable() ? excess(drawn, solution) : 0;
    if (seed < std::size(testing::efforts_of_random)) {
      const Effort& recorded = testing::efforts_of_random[seed];
      const Effort now = effort_of(solution.report, error);
      CAPTURE(text_of(recorded), text_of(now));
      CHECK(are_alike(recorded, now, drawn.tolerance));
    }
    if (!solution.report.usable()) {
      CHECK_FALSE(solution.report.advice.empty());
      continue;
    }
    ++count.claimed;
    CHECK(error <= 10);
    if (!(error <= 1)) ++count.beyond;
    if (!(error <= 10)) ++count.far_beyond;
  }
  return count;
}

}  // namespace

TEST_CASE("what is claimed of random problems holds, and takes what it did", "[bvp]") {
  std::vector<unsigned> first(40);
  std::iota(first.begin(), first.end(), 0U);
  const Count count = campaign(first);
  CHECK(count.claimed >= 38);
  CHECK(count.beyond <= 2);
}

TEST_CASE("each option of random problems costs and changes what it did", "[bvp]") {
  REQUIRE(std::size(testing::efforts_of_changes) == changes().size());
  for (std::size_t change = 0; change < changes().size(); ++change) {
    const Effort& recorded = testing::efforts_of_changes[change];
    const Effort now = effort_of(changes()[change]);
    CAPTURE(change, text_of(recorded), text_of(now));
    CHECK(are_alike(recorded, now, 1e-6));
  }
}

TEST_CASE("what random problems take and tell, for the table of it", "[.][record]") {
  std::string text = "inline constexpr Effort efforts_of_random[] = {\n";
  for (unsigned seed = 0; seed < 40; ++seed) {
    const RandomCase drawn = testing::random_case(seed);
    const Solution solution = solved(drawn);
    const Effort effort = is_recorded(seed) ? effort_of(drawn, solution) : Effort{};
    text += "    " + text_of(effort) + "\n";
  }
  text += "};\n\ninline constexpr Effort efforts_of_changes[] = {\n";
  for (std::size_t change = 0; change < changes().size(); ++change) {
    text += "    " + text_of(effort_of(changes()[change])) + "\n";
  }
  fmt::print("{}}};\n", text);
}

TEST_CASE("what is claimed of a thousand random problems holds", "[.][campaign]") {
  const Count count = campaign(testing::campaign_seeds());
  WARN("of " << count.all << " problems " << count.claimed << " claimed; " << count.beyond
             << " beyond the tolerance, " << count.far_beyond << " ten times beyond it");
  CHECK(20 * count.claimed >= 19 * count.all);
  CHECK(20 * count.beyond <= count.claimed);
}

}  // namespace daewave::bvp
