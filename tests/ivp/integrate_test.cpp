#include "ivp/integrate.hpp"

#include <chrono>
#include <cmath>
#include <thread>

#include "core/error.hpp"
#include "ivp/explicit_rk_step.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/plain_systems.hpp"

namespace daewave::ivp {
namespace {

template <class System>
Solution run(System& system, Stepper stepper, const typename System::State& z0, Interval span,
             const Options& options, const Monitors<typename System::State>& monitors = {}) {
  ExplicitRkStep<System> step(system, tableau(stepper),
                              Tolerance(options, static_cast<int>(z0.size())), !options.h);
  return integrate(step, z0, span, options, monitors);
}

Solution oscillate(const Options& options, Interval span = {0, 10}) {
  Oscillator system;
  return run(system, options.h ? Stepper::rk4 : Stepper::dop853, Oscillator::exact(span.begin),
             span, options);
}

Options with_h(double h) {
  Options options;
  options.h = h;
  return options;
}

Options precise() {
  Options options;
  options.rtol = options.atol = 1e-11;
  return options;
}

}  // namespace

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

TEST_CASE("the steps that are asked for are given out, and start and end", "[steppers]") {
  Options options = with_h(0.1);
  const auto times = [&](long every) {
    options.every = every;
    return oscillate(options, {0, 1}).t;
  };
  CHECK(times(1).size() == 11);
  CHECK(times(4) == std::vector<double>{0, 4 * 0.1, 8 * 0.1, 1});
  CHECK(times(5) == std::vector<double>{0, 5 * 0.1, 1});
  CHECK(times(0) == std::vector<double>{0, 1});
}

TEST_CASE("the times that are asked for are given out by dense output", "[steppers]") {
  Options options = precise();
  options.times = {0, 0.001, 0.002, 3, 9.5, 10};
  const Solution solution = oscillate(options);
  CHECK(solution.t == options.times);
  for (int i = 0; i < solution.count(); ++i) {
    CHECK((solution.state(i) - VecX(Oscillator::exact(solution.t[i]))).norm() < 1e-9);
    CHECK(solution.multiplier(i)[0] == Approx(solution.state(i).sum()).epsilon(1e-14));
  }
  options.times = {1, 11};
  CHECK_THROWS_WITH(oscillate(options), contains_text("times[1] = 11: must be in [0, 10]"));
}

TEST_CASE("dense output is as good as the steps, everywhere", "[steppers]") {
  Options options = precise();
  options.dense = true;
  options.every = 0;
  for (Stepper stepper : {Stepper::dopri5, Stepper::dop853}) {
    Oscillator system;
    const Solution solution = run(system, stepper, Vec<2>(0, 1), {0, 10}, options);
    double worst = 0;
    for (int i = 0; i <= 1000; ++i) {
      worst = std::max(worst, (solution.at(0.01 * i) - VecX(Oscillator::exact(0.01 * i))).norm());
    }
    CHECK(worst < 1e-9);
    CHECK(solution.at(10) == solution.end());
    CHECK_THROWS_WITH(solution.at(10.1), contains_text("must be in [0, 10]"));
  }
  CHECK_THROWS_WITH(oscillate(precise()).at(1), contains_text("dense = true"));
}

TEST_CASE("the sink sees what is given out and may stop the run", "[steppers]") {
  Options options = with_h(0.1);
  options.keep = false;
  std::vector<double> seen;
  options.sink = [&](const Output& out) {
    CHECK(out.step == static_cast<long>(seen.size()));
    CHECK(out.state[0] == Approx(std::sin(out.t)).margin(1e-5));
    REQUIRE(out.multiplier != nullptr);
    CHECK(*out.multiplier == out.state[0] + out.state[1]);
    seen.push_back(out.t);
    return seen.size() < 8;
  };
  const Solution solution = oscillate(options, {0, 10});
  CHECK(seen.size() == 8);
  CHECK(solution.report.termination == Termination::stopped);
  CHECK_THAT(solution.report.message, contains_text("the sink at t = 0.7"));
  REQUIRE(solution.count() == 1);  // Only the last is kept.
  CHECK(solution.t[0] == seen.back());
  CHECK(solution.report.integration.reached == seen.back());
}

TEST_CASE("a sink that stops between steps ends the solution there", "[steppers]") {
  Options options = precise();
  options.times = {1, 2, 3};
  options.sink = [](const Output& out) { return out.t < 2; };
  const Solution solution = oscillate(options);
  CHECK(solution.t == std::vector<double>{0, 1, 2});
  CHECK(solution.report.integration.reached == 2);
}

TEST_CASE("multipliers are given out only where they are asked for", "[steppers]") {
  Options options = with_h(0.5);
  CHECK(oscillate(options).ny == 1);
  options.multipliers = false;
  options.sink = [](const Output& out) { return out.multiplier == nullptr; };
  const Solution solution = oscillate(options);
  CHECK(solution.report.usable());
  CHECK(solution.ny == 0);
  CHECK(solution.multipliers.empty());
}

namespace {

struct WithoutMultiplier : Oscillator {
  bool multiplier(double t, const State& z, Multiplier& y) {
    return t < 0.75 && Oscillator::multiplier(t, z, y);
  }
};

}  // namespace

TEST_CASE("a multiplier that cannot be had is NaN, and a warning", "[steppers]") {
  WithoutMultiplier system;
  const Solution solution = run(system, Stepper::heun, Vec<2>(0, 1), {0, 1}, with_h(0.25));
  CHECK(solution.report.usable());
  CHECK(solution.multiplier(2)[0] == Approx(std::sin(0.5) + std::cos(0.5)).margin(0.05));
  CHECK(std::isnan(solution.multiplier(3)[0]));
  REQUIRE(solution.report.warnings.size() == 1);
  CHECK_THAT(solution.report.warnings[0], contains_text("t = 0.75") && contains_text("refused"));
}

TEST_CASE("progress is shown now and then and may stop the run", "[steppers]") {
  Options options = with_h(1e-4);
  options.every = 0;
  int calls = 0;
  options.progress = [&](const Progress& progress) {
    CHECK(progress.begin == 0);
    CHECK(progress.end == 1e9);
    CHECK(progress.t > 0);
    CHECK(progress.steps > 0);
    return ++calls < 3;
  };
  const auto before = std::chrono::steady_clock::now();
  const Solution solution = oscillate(options, {0, 1e9});
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
  CHECK(calls == 3);
  CHECK(took.count() >= 0.3);
  CHECK(solution.report.termination == Termination::stopped);
  CHECK_THAT(solution.report.message, contains_text("progress()"));
}

TEST_CASE("slow steps show progress too", "[steppers]") {
  struct Slow : Oscillator {
    bool rhs(double t, const State& z, State& slope) {
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
      return Oscillator::rhs(t, z, slope);
    }
  } system;
  Options options = with_h(1);
  int calls = 0;
  options.progress = [&](const Progress&) { return ++calls > 0; };
  const Solution solution = run(system, Stepper::forward_euler, Vec<2>(0, 1), {0, 12}, options);
  CHECK(calls >= 2);
  CHECK(calls <= 1 + solution.report.seconds.total / 0.1);
}

namespace {

/// z' = z^2, z = 1 / (1 - t); explodes at t = 1.
struct Explosion : PlainSystem<Vec<1>> {
  bool rhs(double, const State& z, State& slope) {
    slope = z.cwiseProduct(z);
    return true;
  }
};

/// Cannot be evaluated from t = 0.6 on.
struct Wall : Oscillator {
  bool rhs(double t, const State& z, State& slope) {
    return t < 0.6 && Oscillator::rhs(t, z, slope);
  }
};

}  // namespace

TEST_CASE("a step that becomes too small says where, and what is valid is kept", "[steppers]") {
  Explosion system;
  for (Stepper stepper : {Stepper::dopri5, Stepper::dop853}) {
    const Solution solution = run(system, stepper, Vec<1>(1), {0, 2}, Options{});
    INFO(solution.report.full());
    CHECK_FALSE(solution.report.usable());
    const bool expected = solution.report.termination == Termination::step_too_small ||
                          solution.report.termination == Termination::diverged;
    CHECK(expected);
    CHECK_THAT(solution.report.message, contains_text("t = 1"));
    CHECK_FALSE(solution.report.advice.empty());
    CHECK(solution.report.integration.reached == Approx(1).epsilon(1e-4));
    CHECK(solution.t.back() == solution.report.integration.reached);
    CHECK(solution.end().allFinite());
  }
}

TEST_CASE("fixed steps that overflow name the component and the time", "[steppers]") {
  Explosion system;
  const Solution solution = run(system, Stepper::rk4, Vec<1>(1), {0, 2}, with_h(0.01));
  CHECK(solution.report.termination == Termination::diverged);
  CHECK_THAT(solution.report.message, contains_text("x1 is not finite at t = 1."));
  CHECK(solution.end().allFinite());
  CHECK(solution.t.back() > 0.99);
}

TEST_CASE("what cannot be evaluated ends the run with its reason", "[steppers]") {
  Wall system;
  Solution solution = run(system, Stepper::dop853, Vec<2>(0, 1), {0, 1}, precise());
  CHECK(solution.report.termination == Termination::diverged);
  CHECK(solution.report.message == "refused");
  // Control finds the last place that can be reached.
  CHECK(solution.t.back() == Approx(0.6).epsilon(1e-6));
  solution = run(system, Stepper::rk4, Vec<2>(0, 1), {0, 1}, with_h(0.25));
  CHECK(solution.report.termination == Termination::diverged);
  CHECK(solution.t == std::vector<double>{0, 0.25, 0.5});
  solution = run(system, Stepper::rk4, Vec<2>(0, 1), {0.7, 1}, with_h(0.25));
  CHECK(solution.report.termination == Termination::diverged);
  CHECK_FALSE(solution.has_values());
}

TEST_CASE("the number of steps can be limited", "[steppers]") {
  for (Options options : {with_h(0.1), precise()}) {
    options.most_steps = 3;
    const Solution solution = oscillate(options);
    CHECK(solution.report.termination == Termination::too_many_steps);
    CHECK_THAT(solution.report.message, contains_text("most_steps = 3"));
    CHECK(solution.report.integration.steps + solution.report.integration.rejected == 3);
    CHECK(solution.t.back() == solution.report.integration.reached);
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
  Monitors<Vec<2>> monitors;
  monitors.energy = [](double, const Vec<2>& z) { return 0.5 * z.squaredNorm(); };
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

TEST_CASE("what a step cannot do is refused before it starts", "[steppers]") {
  Oscillator system;
  CHECK_THROWS_WITH(run(system, Stepper::rk4, Vec<2>(0, 1), {0, 1}, Options{}),
                    contains_text("h: must be given"));
  Options options;
  options.atol_each = {1, 1, 1};
  CHECK_THROWS_WITH(run(system, Stepper::dopri5, Vec<2>(0, 1), {0, 1}, options),
                    contains_text("atol_each has 3 entries") && contains_text("2 entries"));
  options = {};
  options.rtol = 2;
  CHECK_THROWS_AS(run(system, Stepper::dopri5, Vec<2>(0, 1), {0, 1}, options), InvalidOption);
}

TEST_CASE("tolerances hold component by component", "[steppers]") {
  // The second entry may be wrong by 1: only the first is controlled.
  Options options;
  options.rtol = 1e-12;
  options.atol_each = {1e-10, 1e10};
  Options both = options;
  both.atol_each = {1e-10, 1e-10};
  struct Two : PlainSystem<Vec<2>> {
    bool rhs(double t, const State&, State& slope) {
      slope = State(1, 100 * std::cos(100 * t));
      return true;
    }
  } system;
  const Solution loose = run(system, Stepper::dopri5, Vec<2>(0, 0), {0, 1}, options);
  const Solution tight = run(system, Stepper::dopri5, Vec<2>(0, 0), {0, 1}, both);
  CHECK(loose.report.integration.steps < 20);
  CHECK(tight.report.integration.steps > 200);
}

}  // namespace daewave::ivp
