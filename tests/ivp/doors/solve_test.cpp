// The contract of the front door: every method with every stepper either does what its order
// promises, or is refused with a reason; and what the report says is what happened.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/adapt/problem_from_functions.hpp"
#include "core/error.hpp"
#include "core/start/problem_start.hpp"
#include "ivp/one_step/tableaux.hpp"
#include "ivp/sensitivities.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/pendulum_runs.hpp"
#include "tests/problems/compiled_problems.hpp"

using namespace daewave;
using namespace daewave::testing;
using ivp::Method;
using ivp::Options;
using ivp::Solution;
using ivp::Stepper;
using problems::Pendulum;

namespace {

/// A sequential regularization by steps of the size of epsilon does not resolve what it damps:
/// order 2 in x for explicit formulas, k + 1 for collocation at k > 1 stages, with k + 1 iterates.
int order_of(const Method& method, Stepper stepper) {
  const bool srm = std::holds_alternative<ivp::Srm>(method);
  if (srm && ivp::is_explicit(stepper)) {
    return std::min(2, ivp::tableau(stepper).order);
  }
  if (srm && stepper != Stepper::backward_euler) return 4;
  if (ivp::is_explicit(stepper)) return ivp::tableau(stepper).order;
  return stepper == Stepper::backward_euler ? 1 : stepper == Stepper::gauss ? 6 : 5;
}

/// So few for order 8 that its errors are not those of rounding. Dependent coordinates bend more
/// than the motion itself: with 5 steps their errors are not yet those of the leading term.
int fewest_steps(const Method& method, Stepper stepper) {
  if (stepper != Stepper::dop853) return 20;
  return std::holds_alternative<ivp::LocalStateSpace>(method) ? 10 : 5;
}

bool estimates(Stepper stepper) {
  return stepper == Stepper::dopri5 || stepper == Stepper::dop853 || stepper == Stepper::gauss ||
         stepper == Stepper::radau;
}

}  // namespace

TEST_CASE("every method with every stepper has its order with fixed steps", "[solve]") {
  for (const Method& method : ivp::all_methods()) {
    if (!ivp::takes_every_stepper(method)) continue;  // A formula of its own.
    for (Stepper stepper : ivp::all_steppers()) {
      CAPTURE(name_of(method), name_of(stepper));
      Options options = with(method, stepper);
      double errors[2];
      for (int i = 0; i < 2; ++i) {
        const int steps = fewest_steps(method, stepper) << i;
        options.h = swing_end / steps;
        const Solution solution = swing(options);
        check_report(solution);
        CHECK(solution.report.integration.steps == steps);
        CHECK(choice(solution, "method").value == name_of(method));
        CHECK(choice(solution, "stepper").value == name_of(stepper));
        errors[i] = end_error(solution);
      }
      // Of errors that are not yet the leading term, with the rounding of 40 steps.
      CHECK(errors[1] < errors[0] * std::pow(2, 0.5 - order_of(method, stepper)) + 1e-14);
    }
  }
}

TEST_CASE("every method with every stepper keeps its tolerance, or is refused", "[solve]") {
  for (const Method& method : ivp::all_methods()) {
    if (!ivp::takes_every_stepper(method)) continue;  // A formula of its own.
    for (Stepper stepper : ivp::all_steppers()) {
      CAPTURE(name_of(method), name_of(stepper));
      Options options = with(method, stepper);
      options.rtol = 1e-7;
      if (!estimates(stepper)) {
        CHECK_THROWS_WITH(swing(options), contains_text(name_of(stepper)) &&
                                              contains_text("does not estimate errors") &&
                                              contains_text("give h"));
        continue;
      }
      const Solution solution = swing(options);
      check_report(solution);
      // Local errors are at most rtol |z| + atol, |z| < 4; L = sqrt(g) enlarges them by e^{L t}.
      const double allowed =
          static_cast<double>(solution.report.integration.steps) * (4e-7 + 1e-9) * 5;
      CHECK(end_error(solution) < allowed);
    }
  }
}

TEST_CASE("every variant goes with its weights, or is refused by name", "[solve]") {
  int solved = 0;
  for (Variant variant : all_variants()) {
    for (Weight weight : all_weights()) {
      CAPTURE(name_of(variant), name_of(weight));
      Options options = with(ivp::Srm{.variant = variant, .weight = weight}, Stepper::heun);
      double errors[2], multiplier = 0;
      try {
        for (int i = 0; i < 2; ++i) {
          options.h = swing_end / (100 << i);
          const Solution solution = swing(options);
          check_report(solution);
          CHECK(choice(solution, "variant").value == name_of(variant));
          CHECK(choice(solution, "variant").by_user);
          CHECK(solution.carries_By == carries_By(variant));
          errors[i] = end_error(solution);
          // The multiplier is of order 1 then: an error h^2 of x, divided by epsilon. Of order 2
          // where it follows from the state.
          const double factor = variant == Variant::invariant_reduced ? 0.3 : 0.6;
          const double now = multiplier_error(solution, solution.count() - 1);
          if (i > 0) CHECK(now < factor * multiplier);
          multiplier = now;
        }
        ++solved;
        CHECK(errors[1] < errors[0] / 3);  // Order 2 of Heun's formula, and of 3 iterates.
      } catch (const InvalidOption& refused) {
        CHECK_THAT(refused.what(), contains_text("variant = ") || contains_text("weight = "));
      }
    }
  }
  CHECK(solved == 1 + 3 * 3);  // singular has one weight, three variants have all but shifted.
}

TEST_CASE("left to itself it takes windows where they go in lanes, and dop853 elsewhere",
          "[solve]") {
  const Solution solution = swing_as_given(Pendulum{.g0 = 9.81, .t_end = 1}, {.rtol = 1e-9});
  check_report(solution);
  CHECK(end_error(solution) < 1e-7);
  CHECK(choice(solution, "method").value == "gauss-windows");
  CHECK_FALSE(choice(solution, "method").by_user);
  CHECK(choice(solution, "rtol").by_user);
  CHECK_FALSE(choice(solution, "atol").by_user);
  CHECK_THAT(solution.report.full(), contains_text("side by side") && contains_text("in lanes of"));
  const DaeProblemPtr one_by_one = problem_of(Pendulum{}, StructLanes<Pendulum>{});
  const VecX start = Pendulum{}.start();
  const Solution alone = ivp::solve(*one_by_one, start, {0, 1}, {.rtol = 1e-9});
  CHECK(choice(alone, "method").value == "s-both2");
  CHECK_FALSE(choice(alone, "method").by_user);
  CHECK(choice(alone, "stepper").value == "dop853");
  CHECK_THAT(alone.report.full(), contains_text("one matrix") && contains_text("order 8"));
  CHECK((alone.end() - solution.end()).cwiseAbs().maxCoeff() < 1e-7);
  // With a fixed h, a rule of control, a stepper, or a loose tolerance it is dop853, too.
  for (const Options& other :
       {Options{.h = 0.01}, Options{.control = ivp::Control{}}, Options{.rtol = 1e-2}}) {
    const Solution by_steps = ivp::solve(*problem_of(Pendulum{}), start, {0, 1}, other);
    CHECK(choice(by_steps, "method").value == "s-both2");
  }
  CHECK(solution.table().names == std::vector<std::string>{"t", "q1", "q2", "v1", "v2", "lambda1"});
  // From the state itself, lambda = v.v - g y.
  for (int i = 0; i < solution.count(); ++i) CHECK(multiplier_error(solution, i) < 1e-6);
}

TEST_CASE("rtol alone is honoured, as the absolute tolerance follows it", "[solve]") {
  const auto swing = [](const Options& options) {
    return swing_as_given(Pendulum{.g0 = 9.81, .t_end = 1}, options);
  };
  const Solution solution = swing({.rtol = 1e-12});
  INFO(solution.report.full());
  // (q, v) = (1, 0, 0, 0): positions of size 1 and a hundredth of it, velocities of none known.
  CHECK(choice(solution, "atol").value == "1e-15 to 1e-13");
  CHECK_FALSE(choice(solution, "atol").by_user);
  const Solution loose = swing({.rtol = 1e-12, .atol = 1e-9});
  CHECK(choice(loose, "atol").by_user);
  CHECK(end_error(solution) < 1e-11);
  CHECK(end_error(solution) < end_error(loose) / 10);
  CHECK(choice(swing({.rtol = 1e-6}), "atol").value == "1e-09");
}

TEST_CASE("velocities that rounding leaves of zero are no size to hold errors to", "[solve]") {
  const Pendulum pendulum;
  const Solution at_rest = ivp::solve(pendulum, pendulum.start(), {0, 3}, {.rtol = 1e-13});
  for (const double v : {1e-6, 1e-12, 1e-19, 1e-40, 1e-300}) {
    VecX start = pendulum.start();
    start[3] = v;
    const Solution nearly = ivp::solve(pendulum, start, {0, 3}, {.rtol = 1e-13});
    CAPTURE(v, nearly.report.full());
    CHECK(nearly.report.usable());
    CHECK(2 * nearly.report.integration.steps < 3 * at_rest.report.integration.steps);
    CHECK((nearly.end() - at_rest.end()).lpNorm<Eigen::Infinity>() < 1e-10 + 10 * v);
  }
}

TEST_CASE("the motion of the pendulum backward returns to its start", "[solve]") {
  const Pendulum pendulum;
  const Vec<4> end = pendulum.z_exact(1);
  for (const Method& method : ivp::all_methods()) {
    if (!ivp::takes_every_stepper(method)) continue;
    CAPTURE(name_of(method));
    Options options = with(method, Stepper::dop853);
    options.rtol = 1e-10;
    options.times = {0.25, 0.5};
    options.dense = true;
    const bool damps = std::holds_alternative<ivp::Srm>(method) ||
                       std::holds_alternative<ivp::Baumgarte>(method) ||
                       std::holds_alternative<ivp::StabilizedOde>(method);
    if (damps) {
      CHECK_THROWS_WITH(swing_from(end, {1, 0}, options),
                        contains_text("span: its end lies before its begin") &&
                            contains_text(name_of(method)) && contains_text("s-both2"));
      continue;
    }
    const Solution solution = swing_from(end, {1, 0}, options);
    INFO(solution.report.full());
    CHECK(solution.report.usable());
    CHECK(solution.t == std::vector<double>{1, 0.5, 0.25, 0});
    CHECK((solution.end() - pendulum.start()).norm() < 1e-8);
    CHECK((solution.state(1) - pendulum.z_exact(0.5)).norm() < 1e-8);
    CHECK((solution.at(0.3) - pendulum.z_exact(0.3)).norm() < 1e-7);
  }
}

TEST_CASE("an ordinary differential equation is integrated, as nothing is to be kept", "[solve]") {
  ProblemFunctions swing{.kind = Kind::ordinary, .sizes = {.nq = 2}};
  swing.f = [](const Points& at, double* out) {
    for (int p = 0; p < at.count; ++p) {
      out[p] = at.q[at.stride + p];
      out[at.count + p] = -at.q[p];
    }
  };
  const DaeProblemPtr problem = problem_from_functions(swing);
  const VecX start = Vec<2>(0, 1);
  const Method methods[] = {ivp::Automatic{}, ivp::BdfProjection{},
                            ivp::ProjectEachStep{.formula = {Stepper::radau, {}}}};
  for (const Method& method : methods) {
    Options options{.method = method, .rtol = 1e-9};
    options.dense = options.estimate_error = true;
    const Solution run = ivp::solve(*problem, start, {0, 10}, options);
    INFO(run.report.full());
    CHECK(run.report.usable());
    CHECK(run.report.error.available);
    CHECK(std::abs(run.end()[0] - std::sin(10.0)) < 1e-6);
    CHECK(std::abs(run.at(5.5)[1] - std::cos(5.5)) < 1e-6);
  }
  const Consistency consistency = check_start(*problem, start, 0);
  CHECK((consistency.ok(0) && consistency.constraints == 0));
  VecX repaired = start;
  CHECK(repair_start(*problem, repaired, 0, 1e-12).ok);
  CHECK(repaired == start);
  CHECK(check_derivatives(*problem, start, 0).ok());
  const Solution run = ivp::solve(*problem, start, {0, 10});
  CHECK(run.report.integration.index == 0);
  CHECK(run.report.full().find("drift") == std::string::npos);
  // Of a linear problem they are the motion from each unit vector.
  const ivp::Sensitivities turned = ivp::sensitivities(*problem, start, {0, 10}, {.rtol = 1e-9});
  CHECK(turned.start(0, 0) == Approx(std::cos(10.0)).margin(1e-6));
  CHECK(turned.start(0, 1) == Approx(std::sin(10.0)).margin(1e-6));
  VecX nowhere = start;
  nowhere[0] = std::numeric_limits<double>::quiet_NaN();
  CHECK(check_start(*problem, nowhere, 0).text(1).find("f, row 2, is not finite") !=
        std::string::npos);
  CHECK_THROWS_WITH(ivp::solve(*problem, start, {0, 10}, {.method = ivp::Srm{}}),
                    contains_text("method = srm"));
  // What has no joints says how it is stated.
  swing.kind = Kind::multibody;
  swing.M = swing.g = swing.G = swing.g_t = swing.curvature = [](const Points&, double*) {};
  CHECK_THROWS_WITH(problem_from_functions(swing), contains_text("x' = f(x, t) with x = (q, v)"));
}
