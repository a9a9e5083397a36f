// Radau IIA on constrained mechanical systems, their constraints stabilized after each step.

#include <cmath>

#include "ivp/one_step/collocation_step.hpp"
#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/run/integrate.hpp"
#include "problems/andrews.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/struct_doors.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {
namespace {

Solution solve(const DaeProblemPtr& problem, double end, double tol, int stages) {
  const auto system = reduced(problem, {.kind = ReductionKind::s_both2});
  Options options;
  options.atol = options.rtol = tol;
  options.every = 0;
  const VecX start = *problem->start();
  CollocationStep step(*system, collocation(Scheme::radau, stages),
                       Tolerance(options, static_cast<int>(start.size())));
  return integrate(step, start, Interval{0, end}, options);
}

}  // namespace

TEST_CASE("the pendulum by Radau is as accurate as asked", "[collocation-step][multibody]") {
  const auto problem = problems::Pendulum::of_period(2);
  for (const int stages : {3, 5, 7}) {
    for (const double tol : {1e-4, 1e-6, 1e-8, 1e-10}) {
      CAPTURE(stages, tol);
      const Solution solution = solve(problem_of(problem), 2.3, tol, stages);
      REQUIRE(solution.report.usable());
      const double error = (solution.end() - problem.z_exact(2.3)).cwiseAbs().maxCoeff();
      CHECK(error < 100 * tol);  // Tens of steps; velocities of 5, weighed relatively.
      // S-both2 leaves the drift of a step, of its error's size, squared and more.
      CHECK(solution.report.integration.drift_position < 1e-12);
      CHECK(solution.report.integration.drift_velocity < 1e-12);
    }
  }
}

TEST_CASE("Andrews' squeezing mechanism by Radau is as accurate as asked",
          "[collocation-step][multibody]") {
  const DaeProblemPtr problem = problem_of(problems::Andrews{});
  // Another formula of another order, at a tolerance of 1e-13.
  const auto system = reduced(problem, {.kind = ReductionKind::s_both2});
  Options options;
  options.atol = options.rtol = 1e-13;
  options.every = 0;
  ExplicitRkStep step(*system, tableau(Stepper::dop853), Tolerance(options, 14));
  const Solution reference = integrate(step, *problem->start(), Interval{0, 0.03}, options);
  REQUIRE(reference.report.usable());
  const VecX scale = reference.end().cwiseAbs() + VecX::Ones(14);
  for (const double tol : {1e-4, 1e-6, 1e-8, 1e-10}) {
    CAPTURE(tol);
    const Solution solution = solve(problem, 0.03, tol, 3);
    REQUIRE(solution.report.usable());
    const VecX error = (solution.end() - reference.end()).cwiseAbs().cwiseQuotient(scale);
    CHECK(error.maxCoeff() < 100 * tol);
    CHECK(solution.report.integration.drift_position < 1e-15);
    CHECK(solution.report.integration.drift_velocity < 1e-9);
  }
}

TEST_CASE("Jacobians of a stabilized system are those of its right-hand side",
          "[collocation-step][multibody]") {
  // What a stabilization mends of the slope is no rhs(t, z): differences from it would be wrong by
  // more than the Jacobian itself, and Newton's method would fail at loose tolerances.
  const auto problem = problems::Pendulum::of_period(2);
  const Solution solution = solve(problem_of(problem), 10, 1e-3, 3);
  REQUIRE(solution.report.usable());
  CHECK(solution.report.integration.rejected < solution.report.integration.steps / 2);
  CHECK(solution.report.integration.drift_position < 1e-10);
}

}  // namespace daewave::ivp
