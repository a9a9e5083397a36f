// Runs that cannot come to their end: where they stop, what they say, and what is valid of them.

#include <string>
#include <vector>

#include "ivp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/doors/sizes_of_run_time.hpp"

using namespace daewave;
using ivp::Method;
using ivp::Options;
using ivp::Solution;
using ivp::Stepper;
using testing::end_error;
using testing::HeapCircle;
using testing::method_with;
using testing::regularizes;
using testing::Turning;

TEST_CASE("a force that is not finite ends the run there, and what is valid is kept", "[solve]") {
  Turning turning;
  turning.not_finite_from = 0.2;
  for (const Method& method :
       std::vector<Method>{ivp::Srm{}, ivp::SBoth2{}, ivp::StabilizedOde{}}) {
    for (Stepper stepper : {Stepper::dopri5, Stepper::dop853, Stepper::radau, Stepper::rk4}) {
      for (bool fixed : {true, false}) {
        if (!fixed && stepper == Stepper::rk4) continue;
        CAPTURE(name_of(method), name_of(stepper), fixed);
        Options options{.method = method_with(method, {stepper})};
        if (fixed) options.h = 0.015;  // 0.2 is no node, 0.195 the last before.
        const Solution solution = ivp::solve(turning, turning.start(), {0, 0.4}, options);
        INFO(solution.report.full());
        CHECK(solution.report.termination == Termination::diverged);
        CHECK_THAT(solution.report.message,
                   contains_text("not finite") && contains_text("t = 0.2"));
        CHECK_FALSE(solution.report.advice.empty());
        REQUIRE(solution.has_values());
        CHECK(solution.t.back() == solution.report.integration.reached);
        CHECK(solution.t.back() == Approx(fixed ? 0.195 : 0.2).epsilon(1e-6));
        CHECK(solution.end().allFinite());
        CHECK(end_error(turning, solution) < 1e-2);
      }
    }
  }
  // Sweeps have no interval in which all iterates are valid.
  const Options options{.method = ivp::Srm{.loops = ivp::Sweeps{}, .formula = {Stepper::heun}},
                        .h = 0.015};
  const Solution swept = ivp::solve(turning, options);
  CHECK(swept.report.termination == Termination::diverged);
  CHECK_THAT(swept.report.message, contains_text("iterate 1: ") && contains_text("t = 0.2"));
  CHECK_FALSE(swept.has_values());
  // At the start it is no failure of a method.
  turning.not_finite_from = 0;
  CHECK_THROWS_WITH(ivp::solve(turning), contains_text("start: f, row 2, is not finite at t = 0"));
}

TEST_CASE("a linear system that is singular is named, with the rank", "[solve]") {
  HeapCircle circle;
  circle.across_from = 0.2;
  for (const Method& method : std::vector<Method>{ivp::Srm{}, ivp::SBoth2{}, ivp::Underlying{}}) {
    for (bool fixed : {true, false}) {
      CAPTURE(name_of(method), fixed);
      Options options{.method = method_with(method, {Stepper::dopri5})};
      if (fixed) options.h = 0.015;
      const Solution solution = ivp::solve(circle, options);
      INFO(solution.report.full());
      CHECK(solution.report.termination == Termination::diverged);
      const char* const what = regularizes(method) ? "the range of B and the null space of G meet"
                                                   : "[I B; G 0] is singular";
      CHECK_THAT(solution.report.message, contains_text(what) && contains_text("t = 0.2"));
      CHECK(solution.t.back() == Approx(fixed ? 0.195 : 0.2).epsilon(1e-6));
      CHECK(end_error(circle, solution) < (regularizes(method) ? 1e-2 : 1e-5));
    }
  }
}

TEST_CASE("a solution that explodes ends where it does", "[solve]") {
  HeapCircle circle;
  circle.push = 4;
  std::vector<double> places;
  for (const Method& method : std::vector<Method>{ivp::Srm{}, ivp::SBoth2{}}) {
    for (Stepper stepper : {Stepper::dopri5, Stepper::dop853, Stepper::radau}) {
      CAPTURE(name_of(method), name_of(stepper));
      Options options{.method = method_with(method, {stepper})};
      options.most_steps = 20000;
      options.every = 0;
      const Solution solution = ivp::solve(circle, options);
      INFO(solution.report.full());
      CHECK(solution.report.termination == Termination::step_too_small);
      CHECK_THAT(solution.report.message, contains_text("at t = 0.2"));
      CHECK_THAT(solution.report.advice, contains_text("singularity of the solution"));
      CHECK(solution.end().allFinite());
      CHECK(solution.t == std::vector<double>{0, solution.report.integration.reached});
      places.push_back(solution.t.back());
    }
  }
  // Where is a matter of the tolerance: errors until then, enlarged as the rate explodes.
  for (double place : places) CHECK(place == Approx(places.back()).epsilon(0.02));
}

TEST_CASE("steps too many, or stopped, end with their place", "[solve]") {
  const HeapCircle circle;
  for (const Method& method : std::vector<Method>{ivp::Srm{}, ivp::SBoth2{}}) {
    CAPTURE(name_of(method));
    Options options{.method = method};
    options.most_steps = 5;
    Solution solution = ivp::solve(circle, options);
    CHECK(solution.report.termination == Termination::too_many_steps);
    CHECK_THAT(solution.report.message, contains_text("most_steps = 5"));
    CHECK(solution.t.back() == solution.report.integration.reached);
    // With y_0 = 0 the first steps of a regularization are in a layer.
    CHECK(end_error(circle, solution) < (regularizes(method) ? 1e-2 : 1e-5));
    options = {.method = method};
    options.keep = false;
    int seen = 0;
    options.sink = [&seen](const ivp::Output& output) {
      CHECK(output.multiplier != nullptr);
      return ++seen < 4;
    };
    solution = ivp::solve(circle, options);
    CHECK(solution.report.termination == Termination::stopped);
    CHECK(seen == 4);
    CHECK(solution.count() == 1);
    CHECK(solution.report.integration.steps == 3);
  }
}
