#include "ivp/one_step/newton_convergence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/time/collocation_scheme.hpp"
#include "ivp/one_step/collocation_accuracy.hpp"
#include "ivp/one_step/kept_numbers.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {

namespace {

NewtonGoal to_tolerance(double error) {
  return {.rounding = false, .error = error, .coupled = true, .filters = true};
}

}  // namespace

TEST_CASE("changes of all stages are measured by their mean square in units of the weight",
          "[collocation-step]") {
  NewtonConvergence newton(to_tolerance(1e-2), 2);
  newton.start(2);
  StageRow<VecX> dZ;
  dZ[0] = VecX{{3e-3, 0.0}};
  dZ[1] = VecX{{0.0, 8e-2}};
  const VecX weight{{1e-3, 2e-2}};
  CHECK(newton.size_of(dZ, weight) == Approx(std::sqrt((9.0 + 16.0) / 4)).epsilon(1e-14));
}

TEST_CASE("to rounding, changes are relative to the largest values seen, or to a thousandth of all",
          "[collocation-step]") {
  NewtonConvergence newton(NewtonGoal{}, 1);
  newton.start(3);
  newton.begin_step(VecX{{-2.0, 1e-9, 0.5}});
  newton.begin_stages();
  newton.see_stage(VecX{{1.0, 0.0, -4.0}});
  StageRow<VecX> dZ;
  const VecX weight = VecX::Constant(3, NAN);
  dZ[0] = VecX{{1e-3, 0.0, 0.0}};
  CHECK(newton.size_of(dZ, weight) == Approx(1e-3 / 2).epsilon(1e-14));
  dZ[0] = VecX{{0.0, 0.0, -1e-3}};
  CHECK(newton.size_of(dZ, weight) == Approx(1e-3 / 4).epsilon(1e-14));
  dZ[0] = VecX{{0.0, 1e-6, 0.0}};
  CHECK(newton.size_of(dZ, weight) == Approx(1e-6 / 4e-3).epsilon(1e-14));
  dZ[0] = VecX{{0.0, NAN, 0.0}};
  CHECK(std::isnan(newton.size_of(dZ, weight)));
  // What stages have shown is of this step alone; the step's own start stays.
  newton.begin_step(VecX{{0.0, 0.0, 0.0}});
  newton.begin_stages();
  dZ[0] = VecX{{0.0, 0.0, 1e-3}};
  CHECK(newton.size_of(dZ, weight) == Approx(1e-3 / 0.5).epsilon(1e-14));
  CHECK(newton.largest()[0] == 2);
}

TEST_CASE("rates are those of two changes, and means with the one before", "[collocation-step]") {
  NewtonConvergence newton(to_tolerance(1e-2), 3);
  newton.start(1);
  newton.begin_iteration();
  CHECK_FALSE(newton.measure(1, 1));
  CHECK(newton.contraction() == 1);
  REQUIRE(newton.measure(0.1, 2));
  CHECK(newton.rate() == Approx(0.1).epsilon(1e-14));
  CHECK(newton.last_change() == 0.1);
  CHECK(newton.contraction() == Approx(0.1 / 0.9).epsilon(1e-14));
  REQUIRE(newton.measure(0.04, 3));
  CHECK(newton.rate() == Approx(std::sqrt(0.1 * 0.4)).epsilon(1e-13));
  CHECK(newton.contraction() == Approx(0.2 / 0.8).epsilon(1e-13));
  REQUIRE(newton.measure(0.04 * 0.9, 4));
  CHECK(newton.rate() == Approx(std::sqrt(0.4 * 0.9)).epsilon(1e-13));
  CHECK_FALSE(newton.stays());
  newton.begin_iteration();
  CHECK(newton.rate() == 0);
  CHECK_FALSE(newton.measure(1, 1));
}

TEST_CASE("an iteration that does not contract keeps what was known, and says so",
          "[collocation-step]") {
  NewtonConvergence newton(to_tolerance(1e-2), 3);
  newton.start(1);
  newton.contraction() = 0.3;
  newton.begin_iteration();
  (void)newton.measure(1, 1);
  (void)newton.measure(0.995, 2);
  CHECK(newton.stays());
  CHECK(newton.contraction() == 0.3);
}

TEST_CASE("what is left is small enough at the error that is accepted, rounding at its level",
          "[collocation-step]") {
  NewtonConvergence newton(to_tolerance(1e-2), 3);
  newton.start(1);
  newton.contraction() = 0.5;
  CHECK(newton.good(1.9e-2));
  CHECK_FALSE(newton.good(2.1e-2));
  CHECK_FALSE(newton.at_rounding(1e-12));
  NewtonConvergence exact(NewtonGoal{}, 3);
  exact.start(1);
  CHECK(exact.at_rounding(0.9e-10));
  CHECK_FALSE(exact.at_rounding(1.1e-10));
  // Early rates are not believed.
  exact.begin_iteration();
  (void)exact.measure(1, 1);
  (void)exact.measure(1e-6, 2);
  CHECK(exact.contraction() == 0.02);
}

TEST_CASE("an iteration is too slow where those that are left would not do", "[collocation-step]") {
  NewtonConvergence newton(to_tolerance(1e-2), 3);
  CHECK(newton.most_iterations() == 7);
  CHECK(NewtonConvergence(to_tolerance(1), 5).most_iterations() == 11);
  CHECK(NewtonConvergence(NewtonGoal{}, 3).most_iterations() == 30);
  newton.start(1);
  newton.begin_iteration();
  (void)newton.measure(1, 1);
  (void)newton.measure(0.5, 2);
  // 0.5/(1 - 0.5) * change * 0.5^(7 - 1 - 2) against 1e-2.
  CHECK(newton.too_slow(0.17, 2));
  CHECK_FALSE(newton.too_slow(0.15, 2));
  NewtonConvergence exact(NewtonGoal{}, 3);
  exact.start(1);
  exact.begin_iteration();
  (void)exact.measure(1, 1);
  (void)exact.measure(0.9, 2);
  CHECK_FALSE(exact.too_slow(0.9, 2));
}

TEST_CASE("speeds of long ago count for less", "[collocation-step]") {
  NewtonConvergence newton(to_tolerance(1), 1);
  newton.start(1);
  newton.contraction() = 1e-5;
  newton.forget();
  CHECK(newton.contraction() == Approx(1e-4).epsilon(1e-13));
  newton.contraction() = 0;
  newton.forget();
  CHECK(newton.contraction() == Approx(std::pow(1e-16, 0.8)).epsilon(1e-13));
}

TEST_CASE("only odd numbers of stages estimate errors, in proportion to rtol of the step",
          "[collocation-step]") {
  Options options;
  options.rtol = 1e-6;
  const Tolerance tolerance(options, 2);
  for (int stages : {1, 3, 5}) {
    CAPTURE(stages);
    const Collocation scheme = collocation(Scheme::radau, stages);
    CHECK_FALSE(accuracy_of(scheme, tolerance, false).estimates);
    const CollocationAccuracy accuracy = accuracy_of(scheme, tolerance, true);
    CHECK(accuracy.estimates);
    // 0.1 rtol^q, q = (k + 1) / (order + 1), in units of rtol.
    const double own = 0.1 * std::pow(1e-6, (stages + 1.0) / (2 * stages));
    CHECK(accuracy.unit == Approx(own / 1e-6).epsilon(1e-12));
    CHECK_FALSE(accuracy.goal.rounding);
    CHECK(accuracy.goal.error == Approx(std::min(0.03, std::sqrt(own))).epsilon(1e-12));
    CHECK(accuracy.goal.coupled);
    CHECK(accuracy.goal.filters);
    // The control then takes half of h: safety / error^{1/(k + 1)} = 1/2.
    CHECK(0.9 / std::pow(accuracy.not_converged, 1.0 / (stages + 1)) == Approx(0.5).epsilon(1e-13));
    VecX weight(2);
    weigh(accuracy, tolerance, VecX{{3, 0}}, weight);
    CHECK(weight[0] == Approx(accuracy.unit * tolerance.weight(0, 3, 3)).epsilon(1e-14));
    CHECK(weight[1] == Approx(accuracy.unit * tolerance.weight(1, 0, 0)).epsilon(1e-14));
  }
  const CollocationAccuracy none = accuracy_of(collocation(Scheme::gauss, 2), tolerance, true);
  CHECK_FALSE(none.estimates);
  CHECK(none.unit == 1);
  CHECK(none.goal.rounding);
  CHECK(none.not_converged == 0);
  // A tolerance at rounding asks for no more than rounding can give.
  options.rtol = 1e-14;
  const CollocationAccuracy fine =
      accuracy_of(collocation(Scheme::radau, 3), Tolerance(options, 2), true);
  CHECK(fine.goal.error ==
        Approx(10 * std::numeric_limits<double>::epsilon() / (fine.unit * 1e-14)).epsilon(1e-12));
}

TEST_CASE("weights for differences are half of the digits, of a thousandth of the largest at least",
          "[collocation-step]") {
  const double digits = std::sqrt(std::numeric_limits<double>::epsilon());
  VecX weight;
  weigh_by_digits(VecX{{-5, 1e-9, 0.5}}, weight);
  CHECK(weight[0] == Approx(5 * digits).epsilon(1e-14));
  CHECK(weight[1] == Approx(5e-3 * digits).epsilon(1e-14));
  CHECK(weight[2] == Approx(0.5 * digits).epsilon(1e-14));
  weigh_by_digits(VecX(0), weight);
  CHECK(weight.size() == 0);
}

TEST_CASE("numbers that are kept come back in their order and shapes", "[collocation-step]") {
  KeptNumbers kept;
  const VecX x{{1, 2, 3}};
  const MatX m{{4, 5}, {6, 7}};
  kept(0.5);
  kept(x);
  kept(m);
  kept(3.0);
  kept(1.0);
  const VecX all = kept.all();
  REQUIRE(all.size() == 10);
  TakenUpNumbers back(all);
  double number = 0;
  VecX y = VecX::Zero(3);
  MatX n = MatX::Zero(2, 2);
  int count = 0;
  bool truth = false;
  back(number);
  back(y);
  back(n);
  back(count);
  back(truth);
  CHECK(number == 0.5);
  CHECK(y == x);
  CHECK(n == m);
  CHECK(count == 3);
  CHECK(truth);
}

}  // namespace daewave::ivp
