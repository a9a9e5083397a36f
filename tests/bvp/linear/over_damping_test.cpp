// A scheme that damps takes a growing mode with h lambda >> 1 for a decaying one.  [AL1] Remark 4.1

#include <algorithm>
#include <cmath>

#include "bvp/solve.hpp"
#include "tests/bvp/exact_errors.hpp"
#include "tests/bvp/growing_mode.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

const testing::ManufacturedDae problem = testing::growing_mode(50, 10);

bool warned_of_damping(const Solution& solution) {
  return std::any_of(solution.report.warnings.begin(), solution.report.warnings.end(),
                     [](const std::string& warning) {
                       return warning.find("may take a growing mode") != std::string::npos;
                     });
}

}  // namespace

TEST_CASE("radau on steps too long for a growing mode is warned of, with the steps it needs",
          "[radau][AL1-4.1]") {
  const Solution coarse = solve(problem, {.scheme = Scheme::radau, .stages = 2, .intervals = 20});
  CHECK(warned_of_damping(coarse));
  CHECK_THAT(coarse.report.full(), contains_text("growth rate 50") && contains_text("use gauss") &&
                                       contains_text("at least 334 intervals"));
  const Solution fine = solve(problem, {.scheme = Scheme::radau, .stages = 2, .intervals = 600});
  CHECK_FALSE(warned_of_damping(fine));
}

TEST_CASE("on as many intervals as are asked for a growing mode grows, by any number of stages",
          "[radau][AL1-4.1]") {
  for (int stages = 1; stages <= 8; ++stages) {
    const auto solved = [&](int intervals) {
      return solve(problem, {.scheme = Scheme::radau, .stages = stages, .intervals = intervals});
    };
    const double growing = collocation(Scheme::radau, stages).growing_up_to();
    const int least = 1 + static_cast<int>(std::ceil(500 / std::max(1.0, growing / 4)));
    CAPTURE(stages, least);
    CHECK(solved(least).report.conditioning.growing == 1);
    CHECK_FALSE(warned_of_damping(solved(least)));
    CHECK(warned_of_damping(solved(least - 2)));
    // Where modes are taken for others indeed.
    CHECK(solved(static_cast<int>(500 / (1.05 * growing))).report.conditioning.growing == 0);
  }
}

TEST_CASE("gauss takes growing and decaying modes alike and is not warned of", "[gauss]") {
  const Solution solution = solve(problem, {.scheme = Scheme::gauss, .stages = 2, .intervals = 20});
  CHECK_FALSE(warned_of_damping(solution));
}

TEST_CASE("left open, the scheme never over-damps in silence", "[defaults]") {
  for (const double rate : {1.0, 50.0, 1000.0}) {
    const auto fast = testing::growing_mode(rate, 10);
    const Solution solution = solve(fast, {.tolerance = 1e-6});
    CAPTURE(rate);
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    CHECK_FALSE(warned_of_damping(solution));
    CHECK(testing::errors_of(solution, fast).relative_x() < 1e-6);
    CHECK(testing::errors_of(solution, fast).relative_By() < 1e-6);
    const Solution on_given_steps = solve(fast, {.intervals = 10});
    CHECK((on_given_steps.scheme().scheme == Scheme::gauss || 10 / 10.0 * rate <= 1 ||
           warned_of_damping(on_given_steps)));
  }
}

}  // namespace daewave::bvp
