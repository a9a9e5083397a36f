// What is given out through the front door: multipliers, also between steps, events, dense output.

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/catch.hpp"
#include "tests/ivp/pendulum_runs.hpp"

using namespace daewave;
using namespace daewave::testing;
using ivp::Method;
using ivp::Options;
using ivp::Solution;
using ivp::Stepper;
using problems::Pendulum;

TEST_CASE("multipliers of a problem reduced before it is regularized follow from states",
          "[solve]") {
  Options options = with(ivp::Srm{.variant = Variant::invariant_reduced}, Stepper::heun);
  options.h = 0.01;
  std::vector<double> seen;
  options.sink = [&seen](const ivp::Output& output) {
    seen.push_back(output.multiplier[0]);
    return true;
  };
  const Solution solution = swing(options);
  CHECK(solution.report.warnings.empty());
  CHECK(solution.multipliers == seen);
  REQUIRE(solution.count() == 51);
  for (int i = 0; i < solution.count(); ++i) {
    const Vec<4> z = solution.state(i);
    // lambda = v.v - g y on the circle; states are off it by an error of the method.
    const Vec<2> v = z.tail<2>();
    CHECK(solution.multiplier(i)[0] == Approx(v.squaredNorm() - 9.81 * z[1]).epsilon(1e-3));
  }
  options.multipliers = false;
  options.sink = [](const ivp::Output& output) { return output.multiplier == nullptr; };
  const Solution without = swing(options);
  CHECK(without.report.usable());
  CHECK(without.ny == 0);
}

TEST_CASE("multipliers are known between steps, for every method", "[solve]") {
  for (const bool regularized : {true, false}) {
    for (Stepper stepper : ivp::all_steppers()) {
      for (Variant variant : {Variant::singular, Variant::invariant}) {
        CAPTURE(regularized, name_of(stepper), name_of(variant));
        // No layer at the start that steps would have to resolve.
        const ivp::Srm srm{.variant = variant, .exact_start = 2};
        Options options = with(regularized ? Method(srm) : Method(ivp::SBoth2{}), stepper);
        options.h = swing_end / 100;
        const Solution nodes = swing(options);
        for (int i = 0; i < 37; ++i) options.times.push_back(0.01 + 0.0131 * i);
        const Solution between = swing(options);
        CHECK(between.report.warnings.empty());
        CHECK(between.report.integration.drift_position ==
              Approx(nodes.report.integration.drift_position).margin(1e-15));
        REQUIRE(between.count() == 39);
        double at_nodes = 0, inside = 0;
        for (int i = 0; i < nodes.count(); ++i) {
          at_nodes = std::max(at_nodes, multiplier_error(nodes, i));
        }
        for (int i = 0; i < between.count(); ++i) {
          inside = std::max(inside, multiplier_error(between, i));
        }
        // The dense output of dop853 is of a lower order than the ends of its steps.
        const double more = stepper == Stepper::dop853 ? 10 : 2;
        CHECK(inside < more * at_nodes + 1e-6);
      }
    }
  }
}

TEST_CASE("iterates leave no initial layer where steps are controlled", "[solve]") {
  const Pendulum pendulum;
  const double begin = 0.3, end = 0.9;  // lambda is not zero at the begin.
  const auto largest_error = [&](const Options& options) {
    const Solution solution = swing_from(pendulum.z_exact(begin), {begin, end}, options);
    INFO(solution.report.full());
    REQUIRE(solution.report.usable());
    double most = 0;
    for (int i = 0; i <= 2000; ++i) {
      const double t = std::min(end, begin + (end - begin) * std::pow(1e-5, 1 - i / 2000.0));
      most = std::max(most, (solution.at(t) - pendulum.z_exact(t)).cwiseAbs().maxCoeff());
    }
    return most;
  };
  for (const Stepper stepper : {Stepper::dopri5, Stepper::dop853, Stepper::radau}) {
    for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
      Options options{.method = ivp::SBoth2{.formula = {stepper}}};
      options.rtol = tolerance;
      options.atol = tolerance;
      options.dense = true;
      // Inside of long steps of radau its polynomial is of a lower order than their ends.
      const double reduced = stepper == Stepper::radau ? largest_error(options) : 0;
      for (const Variant variant : {Variant::singular, Variant::invariant}) {
        CAPTURE(name_of(stepper), tolerance, name_of(variant));
        options.method = ivp::Srm{.variant = variant, .formula = {stepper}};
        const double error = largest_error(options);
        CHECK(error <= std::max(100 * tolerance, 1.5 * reduced));
        srm(options).exact_start = -1;
        if (tolerance < 1e-8) CHECK(largest_error(options) > 10 * error);
      }
    }
  }
}

TEST_CASE("events, dense output and progress pass through the front door", "[solve]") {
  const Pendulum pendulum;
  const double lowest = pendulum.period() / 4;
  for (const Method& method : std::vector<Method>{ivp::Srm{}, ivp::SBoth2{}}) {
    CAPTURE(name_of(method));
    Options options;
    options.method = method;
    options.rtol = 1e-8;
    options.dense = true;
    options.events = {{.name = "lowest",
                       .function = [](double, const VecX& z) { return z[0]; },
                       .then = ivp::Event::Then::stop}};
    Solution solution = swing(options, 2);
    INFO(solution.report.full());
    CHECK(solution.report.usable());
    CHECK_THAT(solution.report.message, contains_text("lowest"));
    REQUIRE(solution.occurrences.size() == 1);
    CHECK(solution.t.back() == Approx(lowest).epsilon(1e-6));
    CHECK_FALSE(solution.occurrences[0].rising);
    CHECK((solution.at(0.2) - pendulum.z_exact(0.2)).norm() < 1e-6);
    CHECK(std::isfinite(solution.multiplier(solution.count() - 1)[0]));
    CHECK(multiplier_error(solution, solution.count() - 1) < 1e-3);
    options.events.clear();
    options.progress = [](const ivp::RunProgress&) { return false; };
    options.largest_step = 1e-4;  // Long enough for the clock of progress().
    options.dense = false;
    options.every = 0;
    solution = swing(options, 1000);
    CHECK(solution.report.termination == Termination::stopped);
    CHECK_THAT(solution.report.message, contains_text("progress"));
  }
}

TEST_CASE("progress of iterates tells the drift of each, and changes no bit", "[solve]") {
  Options options = with(ivp::Srm{.iterates = 3}, Stepper::heun);
  options.h = 1e-3;
  options.every = 0;
  std::vector<double> drifts;
  options.progress = [&](const ivp::RunProgress& progress) {
    drifts = progress.drift_of_iterates;
    return false;
  };
  const Solution watched = swing(options, 1e6);
  REQUIRE(watched.report.termination == Termination::stopped);
  REQUIRE(drifts.size() == 3);
  options.progress = {};
  const Pendulum pendulum;
  for (int s = 1; s <= 3; ++s) {
    CAPTURE(s, watched.t.back());
    // Where the run was stopped depends on the clock. An iterate does not see those after it.
    srm(options).iterates = s;
    const VecX z = swing(options, watched.t.back()).end();
    const Vec<2> q = z.head<2>(), v = z.tail<2>();
    const double position = pendulum.g(q, watched.t.back())[0];
    const double velocity = pendulum.G(q, watched.t.back()) * v;
    CHECK(drifts[s - 1] == Approx(std::max(std::abs(position), std::abs(velocity))));
    if (s == 3) CHECK(z == watched.end());
  }
}
