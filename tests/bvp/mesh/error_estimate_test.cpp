// What residuals become as errors, learnt from the difference of two solutions whose errors are
// known.

#include "bvp/mesh/error_estimate.hpp"

#include <cmath>

#include "tests/bvp/made_up_solution.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

constexpr int of_mesh = 8;
constexpr double asked_for = 1e-6;

/// Sizes of one, so that errors are what they are.
SolutionSizes ones() {
  const ComponentSizes one(VecX::Ones(1), VecX::Zero(1));
  return {one, one};
}

IntervalErrors residuals(double x, double carried, int count = of_mesh) {
  return {VecX::Constant(count, x), VecX::Constant(count, carried)};
}

/// x = 1 + t and 1 are exact: off by x at the end, and by as much as `carried`.
Solution off_by(double x, double carried, int count = of_mesh) {
  return testing::made_up(testing::straight(uniform_mesh(0, 1, count), 1 + x / 2, 1 + carried));
}

DifferenceEstimate estimate(bool controls_carried = true) {
  return {asked_for, ones(), controls_carried};
}

}  // namespace

TEST_CASE("where errors fall with the residuals they are told within a factor of three",
          "[mesh][estimate]") {
  for (const double amplified : {1.0, 30.0, 1e4}) {
    for (const double fall : {4.0, 20.0, 1e3}) {
      const double x = 1e-7, before = fall * x;
      const Solution coarse = off_by(before, 3 * before);
      Solution fine = off_by(x, 3 * x);
      DifferenceEstimate told = estimate();
      REQUIRE(told.compare(coarse, residuals(before / amplified, before / amplified), fine,
                           residuals(x / amplified, x / amplified), false));
      CAPTURE(amplified, fall, fine.report.error.x, fine.report.error.By);
      CHECK(told.told());
      CHECK(told.fell());
      CHECK(fine.report.error.available);
      CHECK(fine.report.error.tolerance == asked_for);
      CHECK(fine.report.error.x >= x);
      CHECK(fine.report.error.x <= 3 * x);
      CHECK(fine.report.error.By >= 3 * x);
      CHECK(fine.report.error.By <= 9 * x);
      CHECK(told.controlled(fine.report.error) == fine.report.error.By);
      // What is seen later counts in the same way, and estimates are never lowered by it.
      ErrorEstimate more = fine.report.error;
      told.raise(more, residuals(10 * x / amplified, 0));
      CHECK(more.x == Approx(10 * fine.report.error.x));
      CHECK(more.By == fine.report.error.By);
      told.raise(more, residuals(0, 0));
      CHECK(more.x == Approx(10 * fine.report.error.x));
      // The same of single intervals.
      IntervalErrors of_one = residuals(0, 0);
      of_one.x[3] = x / amplified;
      of_one.carried[5] = x / amplified;
      const IntervalErrors weighed = told.weighed(of_one);
      CHECK(weighed.x[3] == Approx(fine.report.error.x));
      CHECK(weighed.carried[5] == Approx(fine.report.error.By));
      CHECK(weighed.x.sum() == weighed.x[3]);
    }
  }
}

TEST_CASE("an error that is told otherwise is one of residuals from there on", "[mesh][estimate]") {
  DifferenceEstimate told = estimate();
  Solution fine = off_by(1e-8, 0);
  REQUIRE(told.compare(off_by(1e-6, 0), residuals(1e-6, 1e-6), fine, residuals(1e-8, 1e-8), false));
  ErrorEstimate error = fine.report.error;
  told.raise(error, residuals(1e-8, 1e-8), 0.5 * error.x);
  CHECK(error.x == fine.report.error.x);
  told.raise(error, residuals(1e-8, 1e-8), 7e-8);
  CHECK(error.x == 7e-8);
  CHECK(told.weighed(residuals(1e-8, 0)).x[0] == Approx(7e-8));
}

TEST_CASE("before two solutions were compared residuals count once, and carried ones ten times",
          "[mesh][estimate]") {
  const IntervalErrors weighed = estimate().weighed(residuals(1e-5, 1e-5));
  CHECK(weighed.x[2] == Approx(1e-5));
  CHECK(weighed.carried[2] == Approx(1e-4));
  CHECK_FALSE(estimate().told());
  Look look;
  look.tolerance = 1e-4;
  look.seen.integral = VecX::Constant(2, 3);
  look.seen.value = VecX::Constant(2, 5);
  CHECK(estimate().residuals(look).x[1] == Approx(3 * limit_of_integral * 1e-4));
  CHECK(estimate().residuals(look).carried[1] == Approx(5 * limit_of_value * 1e-4));
  CHECK(estimate(false).residuals(look).carried.isZero());
}

TEST_CASE("differences that do not fall with the residuals are errors still", "[mesh][estimate]") {
  DifferenceEstimate told = estimate();
  // Rounding of 1e-5, amplified: one solution is off by it one way, the next another way.
  Solution second = off_by(-1e-5, 1e-5);
  REQUIRE(told.compare(off_by(1e-5, -1e-5), residuals(1e-4, 1e-4), second, residuals(1e-6, 1e-6),
                       false));
  Solution third = off_by(1e-5, -1e-5);
  REQUIRE(told.compare(second, residuals(1e-6, 1e-6), third, residuals(1e-9, 1e-9), false));
  CHECK(third.report.error.x >= 2e-5);
  CHECK(third.report.error.x <= 1e-4);
  CHECK(third.report.error.By >= 1e-5);
}

TEST_CASE("a difference counts as a whole where no residual tells", "[mesh][estimate]") {
  DifferenceEstimate told = estimate();
  Solution fine = off_by(1e-5, 2e-5);
  REQUIRE(told.compare(off_by(0, 0), residuals(0, 0), fine, residuals(0, 0), false));
  CHECK(told.told());
  CHECK(fine.report.error.x == Approx(1e-5));
  CHECK(fine.report.error.By == Approx(2e-5));
}

TEST_CASE("what is not looked at beside a time is told by the difference, less what residuals fell",
          "[mesh][estimate]") {
  for (const double fall : {2.0, 6.0, 100.0}) {
    DifferenceEstimate near = estimate(), off = estimate();
    Solution kept_away = off_by(0, 0), looked = off_by(0, 0);
    const IntervalErrors before = residuals(1e-9, 1e-9), now = residuals(1e-9 / fall, 1e-9 / fall);
    REQUIRE(near.compare(off_by(4e-6, 0), before, kept_away, now, true));
    REQUIRE(off.compare(off_by(4e-6, 0), before, looked, now, false));
    CAPTURE(fall);
    const double part = fall == 2 ? 1 : fall == 6 ? 1.0 / 3 : 0.25;
    CHECK(kept_away.report.error.x >= 0.999 * part * 4e-6);
    CHECK(near.weighed(residuals(0, 0)).x[of_mesh - 1] == Approx(part * 4e-6));
    CHECK(off.weighed(residuals(0, 0)).x.isZero());
    near.forget_mesh();
    CHECK(near.weighed(residuals(0, 0)).x.isZero());
  }
}

TEST_CASE("what was hardly resolved before tells little: the difference counts by a root",
          "[mesh][estimate]") {
  DifferenceEstimate told = estimate();
  Solution fine = off_by(0, 0);
  REQUIRE(
      told.compare(off_by(0.5, 0.1), residuals(1e-2, 1e-2), fine, residuals(1e-10, 1e-10), false));
  CHECK(fine.report.error.x >= 0.9 * 0.5 / std::sqrt(1e8));
  CHECK(fine.report.error.By >= 0.9 * 0.1 / std::sqrt(1e8));
}

TEST_CASE("doubt in what was hardly resolved before goes where the error is told otherwise",
          "[mesh][estimate]") {
  DifferenceEstimate told = estimate(false);
  // The residual is below the tolerance, and a hundredth of the difference is not.
  Solution fine = off_by(0, 0);
  REQUIRE(told.compare(off_by(1e-3, 0), residuals(2e-3, 0), fine, residuals(2e-7, 0), false));
  ErrorEstimate error = fine.report.error;
  CHECK(error.x == Approx(1e-5));
  CHECK(told.is_doubt_alone(error));
  told.settle_doubt(error, 1e-8);
  CHECK(error.x == Approx(2e-7));
  told.settle_doubt(error, 3e-7);
  CHECK(error.x == 3e-7);
  // What residuals tell is no doubt,
  Solution coarse = off_by(0, 0);
  REQUIRE(told.compare(off_by(1e-3, 0), residuals(2e-3, 0), coarse, residuals(2e-6, 0), false));
  CHECK_FALSE(told.is_doubt_alone(coarse.report.error));
  // nor what iterates may still change,
  Solution unsettled = off_by(0, 0);
  unsettled.report.error.iterates = 2e-6;
  REQUIRE(told.compare(off_by(1e-3, 0), residuals(2e-3, 0), unsettled, residuals(2e-7, 0), false));
  CHECK_FALSE(told.is_doubt_alone(unsettled.report.error));
  // nor is there any in what is below the tolerance with it.
  Solution good = off_by(0, 0);
  REQUIRE(told.compare(off_by(1e-3, 0), residuals(2e-3, 0), good, residuals(1e-9, 0), false));
  CHECK(good.report.error.x < asked_for);
  CHECK_FALSE(told.is_doubt_alone(good.report.error));
}

TEST_CASE("estimates are no less than iterates and rounding make them", "[mesh][estimate]") {
  DifferenceEstimate told = estimate();
  Solution fine = off_by(0, 0);
  fine.report.error.iterates = 3e-4;
  REQUIRE(told.compare(off_by(1e-7, 0), residuals(1e-7, 0), fine, residuals(1e-9, 0), false));
  CHECK(fine.report.error.x == 3e-4);
  Solution rounded = off_by(0, 0);
  rounded.report.conditioning.available = true;
  rounded.report.conditioning.rounding = 2e-5;
  CHECK(rounding_of(rounded) == 2e-5);
  CHECK(rounding_of(fine) == 0);
  REQUIRE(told.compare(off_by(1e-7, 0), residuals(1e-7, 0), rounded, residuals(1e-9, 0), false));
  CHECK(rounded.report.error.x == 2e-5);
}

TEST_CASE("what is carried counts where it is controlled", "[mesh][estimate]") {
  DifferenceEstimate of_x = estimate(false);
  Solution fine = off_by(1e-8, 1e-2);
  REQUIRE(of_x.compare(off_by(1e-6, 2e-2), residuals(1e-6, 0), fine, residuals(1e-8, 0), false));
  CHECK(of_x.controlled(fine.report.error) == fine.report.error.x);
  CHECK(fine.report.error.x < 1e-7);
  // Where no residual of it is known, by the difference.
  DifferenceEstimate of_both = estimate();
  Solution again = off_by(1e-8, 1e-4);
  REQUIRE(
      of_both.compare(off_by(1e-6, 5e-4), residuals(1e-6, 0), again, residuals(1e-8, 0), false));
  CHECK(again.report.error.By == Approx(1e-4));
  CHECK(of_both.weighed(residuals(0, 0)).carried[2] == Approx(1e-4));
  CHECK(largest(residuals(3, 2)) == 3);
  CHECK(largest(residuals(3, 4)) == 4);
}

TEST_CASE("on another mesh an interval has the largest of those it meets", "[mesh][estimate]") {
  DifferenceEstimate told = estimate();
  // Off in the last quarter alone.
  const Mesh quarters = uniform_mesh(0, 1, 4);
  CollocationCurve curve = testing::straight(quarters, 1, 1);
  CollocationValues values = curve.values();
  values.carried(0, 3) = 1.1;
  const Solution coarse = testing::made_up({quarters, curve.scheme(), values});
  Solution fine = off_by(0, 0, 3);
  REQUIRE(told.compare(coarse, residuals(1e-6, 0, 4), fine, residuals(1e-8, 0, 3), false));
  const VecX carried = told.weighed(residuals(0, 0, 3)).carried;
  REQUIRE(carried.size() == 3);
  CHECK(carried[0] < 1e-12);
  CHECK(carried[2] >= 0.25 * 0.1);
}

TEST_CASE("a difference that is no number is told", "[mesh][estimate]") {
  DifferenceEstimate told = estimate();
  Solution fine = off_by(NAN, 0);
  CHECK_FALSE(told.compare(off_by(0, 0), residuals(1, 1), fine, residuals(1, 1), false));
}

}  // namespace daewave::bvp
