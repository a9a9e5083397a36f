#include "bvp/linear/conditioning.hpp"

#include <cmath>

#include "bvp/solve.hpp"
#include "problems/lin.hpp"
#include "tests/bvp/growing_mode.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

template <class P>
ConditioningReport conditioning_of(const P& problem, int intervals) {
  const Solution solution =
      solve(problem, {.scheme = Scheme::gauss, .stages = 3, .intervals = intervals});
  REQUIRE(solution.report.usable());
  REQUIRE(solution.report.conditioning.available);
  return solution.report.conditioning;
}

}  // namespace

TEST_CASE("growing and decaying modes of long horizons are counted", "[conditioning]") {
  // One mode grows like e^t at least once around; two decay, and so does the constraint.
  const ConditioningReport report = conditioning_of(problems::Lin{100}, 1000);
  CHECK(report.growing == 1);
  CHECK(report.decaying == 3);
  CHECK(report.neutral == 0);
  CHECK(report.fastest_growth == Approx(1).margin(0.2));
  const ConditioningReport blocks = conditioning_of(problems::LinBlocks{40, 2}, 400);
  CHECK(blocks.growing == 2);
  CHECK(blocks.decaying == 6);
  // Well conditioned, although the initial value problem amplifies by e^100.
  CHECK(report.boundary < 100);
  CHECK(report.forcing < 100);
}

TEST_CASE("a mode of known rate has its growth exponent and its condition numbers",
          "[conditioning]") {
  for (const double rate : {2.0, 5.0}) {
    const ConditioningReport report = conditioning_of(testing::growing_mode(rate, 4), 200);
    CAPTURE(rate);
    CHECK(report.growing == 1);
    // Gauss with alpha1 = 0 and epsilon << h turns the sign of the constraint mode in every step.
    CHECK(report.neutral == 1);
    // The start in general position costs a constant of about one over the interval of length 4.
    CHECK(report.fastest_growth == Approx(rate).margin(0.25));
    // x1(end) moved by one moves nothing more than that; x2(0) moved by one decays like exp(-t),
    // of which x1 sees at most 1 / (rate + 1).
    CHECK(report.boundary == Approx(1).epsilon(0.05));
    // At most the integral of exp(-rate t), and of exp(-t) within the constraint mode.
    CHECK(report.forcing < 1.5);
    CHECK(report.forcing > 0);
  }
}

TEST_CASE("a growing mode held at the wrong end shows in the condition number", "[conditioning]") {
  auto held_left = testing::growing_mode(2, 4);
  held_left.B0.swap(held_left.B1);
  const ConditioningReport report = conditioning_of(held_left, 200);
  CHECK(report.boundary == Approx(std::exp(8.0)).epsilon(0.05));
}

TEST_CASE("mode growth of a product of diagonal blocks is that of its entries", "[conditioning]") {
  const int n = 3, intervals = 30;
  BabdMatrix matrix(n, intervals);
  const double rates[] = {0.5, -0.2, -3};
  for (int i = 0; i < intervals; ++i) {
    for (int r = 0; r < n; ++r) {
      matrix.S(i)[r * n + r] = 2 * std::exp(rates[r]);
      matrix.R(i)[r * n + r] = -2;
    }
  }
  const ModeGrowth growth = mode_growth(matrix);
  REQUIRE(growth.logarithms.size() == n);
  // The start in general position costs a constant.
  for (int r = 0; r < n; ++r) CHECK(growth.logarithms[r] == Approx(30 * rates[r]).margin(3));
  CHECK(growth.largest == Approx(15).margin(3));
  // Nothing grows at the end, but something did on the way.
  for (int i = 15; i < intervals; ++i) matrix.S(i)[0] = 2 * std::exp(-0.7);
  CHECK(mode_growth(matrix).logarithms[0] < 2);
  CHECK(mode_growth(matrix).largest == Approx(7.5).margin(2));
}

TEST_CASE("conditioning may be left out", "[conditioning]") {
  const Solution solution = solve(problems::Lin{10}, {.intervals = 50, .conditioning = false});
  CHECK_FALSE(solution.report.conditioning.available);
  CHECK(solution.report.full().find("conditioning:") == std::string::npos);
}

}  // namespace daewave::bvp
