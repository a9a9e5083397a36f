#include "ivp/run/integrate.hpp"

#include <cmath>
#include <limits>

#include "tests/catch.hpp"
#include "tests/ivp/explicit_runs.hpp"

namespace daewave::ivp {

TEST_CASE("a million fixed steps end exactly at the end", "[steppers]") {
  Options options = with_h(1e-3);
  options.every = 250'000;
  Oscillator system;
  const Solution solution = run(system, Stepper::rk4, Vec<2>(0, 1), {0, 1000}, options);
  CHECK(solution.report.integration.steps == 1'000'000);
  REQUIRE(solution.count() == 5);
  for (int i = 0; i < 5; ++i) CHECK(solution.t[i] == 250.0 * i);
  CHECK((solution.end() - VecX(Oscillator::exact(1000))).norm() < 1e-9);
  CHECK(solution.report.integration.smallest_step == Approx(1e-3).epsilon(1e-9));
  CHECK(solution.report.integration.largest_step == Approx(1e-3).epsilon(1e-9));
}

TEST_CASE("the last of the fixed steps is shortened", "[steppers]") {
  const Solution solution = oscillate(with_h(0.3), {0, 1});
  REQUIRE(solution.count() == 5);
  CHECK(solution.t[3] == Approx(0.9));
  CHECK(solution.t[4] == 1);
  CHECK(solution.report.integration.smallest_step == Approx(0.1));
}

TEST_CASE("controlled steps end exactly at the end and keep the tolerance", "[steppers]") {
  const Solution solution = oscillate(precise(), {0, 100});
  CHECK(solution.report.usable());
  CHECK(solution.t.back() == 100);
  CHECK((solution.end() - VecX(Oscillator::exact(100))).norm() < 1e-7);
  CHECK(solution.count() == solution.report.integration.steps + 1);
  CHECK(solution.report.integration.largest_step > solution.report.integration.smallest_step);
  CHECK_THAT(solution.report.full(), contains_text("integrated from t = 0 to 100"));
}

TEST_CASE("integration goes backward as well", "[steppers]") {
  for (bool fixed : {true, false}) {
    Options options = fixed ? with_h(1e-3) : precise();
    options.dense = true;
    options.times = {0.5, 1, 1.5};
    const Solution solution = oscillate(options, {2, -1});
    REQUIRE(solution.count() == 5);
    CHECK(solution.t == std::vector<double>{2, 1.5, 1, 0.5, -1});
    for (int i = 0; i < 5; ++i) {
      CHECK((solution.state(i) - VecX(Oscillator::exact(solution.t[i]))).norm() < 1e-9);
    }
    CHECK((solution.at(-0.25) - VecX(Oscillator::exact(-0.25))).norm() < 1e-9);
    CHECK(solution.at(2) == solution.state(0));
  }
}

TEST_CASE("an empty interval gives its start", "[steppers]") {
  for (const Options& options : {with_h(0.1), Options{}}) {
    const Solution solution = oscillate(options, {3, 3});
    CHECK(solution.report.usable());
    CHECK(solution.count() == 1);
    CHECK(solution.report.integration.steps == 0);
    CHECK(solution.report.integration.smallest_step == 0);
  }
}

TEST_CASE("steps are not longer than allowed", "[steppers]") {
  Options options = precise();
  options.largest_step = 0.125;
  options.first_step = 0.001;
  const Solution solution = oscillate(options);
  CHECK(solution.t[1] == 0.001);
  CHECK(solution.report.integration.largest_step == Approx(0.125));
}

TEST_CASE("drift and energy are watched from the start on", "[steppers]") {
  CircleMotion circle;
  Solution solution = run(circle, Stepper::rk4, Vec<2>(1.5, 0), {0, 1}, with_h(0.1));
  CHECK(solution.report.integration.drift_position == 0.5);
  CHECK(solution.report.integration.drift_velocity == 0);
  CHECK_FALSE(solution.report.integration.has_energy);

  Oscillator system;
  Monitors monitors;
  monitors.energy = [](double, const VecX& z) { return 0.5 * z.squaredNorm(); };
  monitors.second_order = true;
  Options options = with_h(0.1);
  options.every = 0;
  // An explicit Euler step multiplies the energy by 1 + h^2.
  solution = run(system, Stepper::forward_euler, Vec<2>(0, 2), {0, 1}, options, monitors);
  CHECK(solution.report.integration.has_energy);
  CHECK(solution.report.integration.energy_start == 2);
  CHECK(solution.report.integration.energy_change == Approx(2 * (std::pow(1.01, 10) - 1)));
  CHECK(solution.second_order);
}

TEST_CASE("a drift or an energy that was not a number at any time is told", "[steppers]") {
  struct Gap : Oscillator {
    Drift drift(double t, const VecX&) override {
      return {t > 0.4 && t < 0.6 ? std::numeric_limits<double>::quiet_NaN() : 0.5, 0.25};
    }
  } system;
  Monitors monitors;
  monitors.energy = [](double t, const VecX&) { return t > 0.4 && t < 0.6 ? NAN : t; };
  const Solution solution =
      run(system, Stepper::heun, Vec<2>(0, 2), {0, 1}, with_h(0.125), monitors);
  CHECK(std::isnan(solution.report.integration.drift_position));
  CHECK(solution.report.integration.drift_velocity == 0.25);
  CHECK(std::isnan(solution.report.integration.energy_change));
}

TEST_CASE("tolerances hold component by component", "[steppers]") {
  // The second entry may be wrong by 1: only the first is controlled.
  Options options;
  options.rtol = 1e-12;
  options.atol_each = {1e-10, 1e10};
  Options both = options;
  both.atol_each = {1e-10, 1e-10};
  struct Two : PlainSystem {
    bool rhs(double t, const VecX&, VecX& slope) override {
      slope = Vec<2>(1, 100 * std::cos(100 * t));
      return true;
    }
  } system;
  const Solution loose = run(system, Stepper::dopri5, Vec<2>(0, 0), {0, 1}, options);
  const Solution tight = run(system, Stepper::dopri5, Vec<2>(0, 0), {0, 1}, both);
  CHECK(loose.report.integration.steps < 20);
  CHECK(tight.report.integration.steps > 200);
}

}  // namespace daewave::ivp
