// C B of Example 2 of [AL1] vanishes at t = 1/2, where y is unbounded and B y is smooth.

#include <algorithm>
#include <cmath>

#include "ivp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/linear_runs.hpp"

using namespace daewave;

namespace {

ivp::Options with_steps(double h, ivp::Stepper stepper, ivp::Srm srm) {
  srm.formula.stepper = stepper;
  if (stepper == ivp::Stepper::radau) srm.formula.stages = 3;
  return {.method = srm, .h = h};
}

double largest_error(const ivp::Solution& solution) {
  double largest = 0;
  for (int i = 0; i < solution.count(); ++i) {
    const VecX exact = Al1Example2{}.x_exact(solution.t[static_cast<std::size_t>(i)]);
    largest = std::max(largest, (solution.state(i) - exact).cwiseAbs().maxCoeff());
  }
  return largest;
}

}  // namespace

TEST_CASE("a stage at a singular point is passed by the iterates that carry B y", "[srm][AL1-5]") {
  const LinearRun run(Al1Example2{});
  // B y stays there what it was before: B y_0 = (0, -1) of the start, or where it is projected
  // zero, instead of (0, -cos t). One step is that wrong, and errors of x decay no further.
  const auto loss = [](Variant variant) {
    return 0.01 * (variant == Variant::singular ? std::cos(0.5) : 1 - std::cos(0.5));
  };
  const Variant variant = GENERATE(Variant::singular, Variant::singular_linear);
  CAPTURE(name_of(variant));
  // A node, and so a stage, at t = 1/2.
  const ivp::Solution solution = ivp::solve(
      *run.problem, run.start, run.span,
      with_steps(0.01, ivp::Stepper::radau,
                 {.variant = variant, .epsilon = 1e-3, .iterates = 2, .exact_start = 0}));
  CHECK(solution.report.usable());
  CHECK(largest_error(solution) < loss(variant));
  CHECK(solution.report.integration.guarded > 0);
}

TEST_CASE("a singular point between stages needs no guard", "[srm]") {
  const LinearRun run(Al1Example2{});
  const ivp::Solution solution =
      ivp::solve(*run.problem, run.start, run.span,
                 with_steps(1.0 / 101, ivp::Stepper::radau, {.variant = Variant::singular_linear}));
  CHECK(solution.report.usable());
  CHECK(solution.report.integration.guarded == 0);
}

TEST_CASE("alpha1 = 1 ends before a singular stage and keeps the steps done", "[srm]") {
  const LinearRun run(Al1Example2{});
  const ivp::Solution solution =
      ivp::solve(*run.problem, run.start, run.span,
                 with_steps(0.01, ivp::Stepper::backward_euler, {.epsilon = 1e-3, .alpha1 = 1}));
  CHECK(solution.report.termination == Termination::diverged);
  CHECK_THAT(solution.report.message,
             contains_text("GB is singular") && contains_text("take variant = singular"));
  CHECK(solution.report.integration.steps == 49);
  CHECK(solution.t.back() == Approx(0.49));
  CHECK(solution.count() == 50);
}
