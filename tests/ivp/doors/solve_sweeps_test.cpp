// Sweeps over the whole interval, through the front door: the same as step by step.

#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/ivp/pendulum_runs.hpp"

using namespace daewave;
using namespace daewave::testing;
using ivp::Options;
using ivp::Solution;
using ivp::Stepper;

TEST_CASE("sweeps over the interval give the bits of the step-local order", "[solve]") {
  for (Stepper stepper : ivp::all_steppers()) {
    for (Variant variant : {Variant::singular, Variant::invariant, Variant::baumgarte_form}) {
      CAPTURE(ivp::name_of(stepper), name_of(variant));
      Options options = with(ivp::Srm{.variant = variant, .exact_start = 1}, stepper);
      options.h = 0.007;  // Does not divide the interval.
      options.every = 3;
      const Solution local = swing(options);
      srm(options).loops = ivp::Sweeps{};
      Solution swept = swing(options);
      // Steps of Euler's formulas are too coarse; both say so.
      CHECK(local.report.integration.reached == local.report.integration.end);
      CHECK(swept.report.termination == local.report.termination);
      CHECK(swept.report.message == local.report.message);
      CHECK(swept.t == local.t);
      CHECK(swept.states == local.states);
      CHECK(swept.multipliers == local.multipliers);
      CHECK(swept.carries_By == local.carries_By);
      const IntegrationReport &a = swept.report.integration, &b = local.report.integration;
      CHECK(a.steps == b.steps);
      CHECK(a.energy_change == b.energy_change);
      CHECK(a.drift_position == Approx(b.drift_position).epsilon(1e-12).margin(1e-15));
      CHECK(a.drift_velocity == Approx(b.drift_velocity).epsilon(1e-12).margin(1e-15));
      CHECK(a.smallest_step == b.smallest_step);
      CHECK(a.largest_step == b.largest_step);
    }
  }
}

TEST_CASE("sweeps give out, stop and end as steps do", "[solve]") {
  for (const char* const loops : {"step-local", "sweeps"}) {
    Options options = with(ivp::Srm{.loops = ivp::loops_named(loops)}, Stepper::heun);
    options.h = 0.01;
    Options other = options;
    other.most_steps = 7;
    Solution solution = swing(other);
    CHECK(solution.report.termination == Termination::too_many_steps);
    CHECK(solution.report.integration.steps == 7);
    CHECK(solution.report.integration.reached == Approx(0.07));
    CHECK(solution.count() == 8);
    other = options;
    other.keep = false;
    other.multipliers = false;
    long seen = 0;
    other.sink = [&seen](const ivp::Output& output) {
      CHECK(output.step == seen);
      CHECK(output.multiplier == nullptr);
      return ++seen < 20;
    };
    solution = swing(other);
    CHECK(solution.report.termination == Termination::stopped);
    CHECK(seen == 20);
    CHECK(solution.t == std::vector<double>{19 * 0.01});
    CHECK(solution.ny == 0);
    other = options;
    other.monitor = false;
    solution = swing(other);
    CHECK(solution.report.integration.drift_position == 0);
    CHECK_FALSE(solution.report.integration.has_energy);
    other = options;
    other.every = 0;
    CHECK(swing(other).t == std::vector<double>{0, swing_end});
  }
}

TEST_CASE("sweeps refuse what they cannot do", "[solve]") {
  const auto check = [](const std::string& reason, auto change) {
    Options options = with(ivp::Srm{.loops = ivp::Sweeps{}}, Stepper::heun);
    options.h = 0.01;
    change(options);
    CHECK_THROWS_WITH(swing(options), contains_text("loops = sweeps") && contains_text(reason) &&
                                          contains_text("step-local"));
  };
  check("no events", [](Options& options) {
    options.events = {{.name = "any", .function = [](double t, const VecX&) { return t; }}};
  });
  check("no dense output", [](Options& options) { options.dense = true; });
  check("no dense output", [](Options& options) { options.times = {0.1}; });
  check("fixed h", [](Options& options) {
    srm(options).formula.stepper = Stepper::dopri5;
    options.h.reset();
  });
}

TEST_CASE("sweeps ask for the progress on their way, and stop where it says so", "[solve]") {
  Options options = with(ivp::Srm{.iterates = 4, .loops = ivp::Sweeps{}}, Stepper::rk4);
  options.h = 1e-5;
  const Interval span{0, 20};
  int asked = 0;
  double last = -1;
  options.progress = [&](const ivp::RunProgress& progress) {
    CHECK(progress.begin == span.begin);
    CHECK(progress.end == span.end);
    CHECK(progress.t > last);
    last = progress.t;
    return ++asked < 3;
  };
  const Solution stopped = swing(options, span.end);
  CHECK(asked == 3);
  CHECK(last < span.end);
  CHECK(stopped.report.termination == Termination::stopped);
  CHECK_FALSE(stopped.report.usable());
  CHECK(stopped.count() == 0);
  options.progress = [](const ivp::RunProgress&) -> bool { throw std::string("mine"); };
  CHECK_THROWS_AS(swing(options, span.end), std::string);
}
