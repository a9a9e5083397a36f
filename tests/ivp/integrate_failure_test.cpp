#include "ivp/integrate.hpp"

#include <cmath>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/explicit_runs.hpp"

namespace daewave::ivp {

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

}  // namespace daewave::ivp
