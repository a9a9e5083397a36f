// One long step with projected stages, on a motion whose constraints are regular.

#include "ivp/reduced/singular_window.hpp"

#include <cmath>

#include "ivp/equations/dae_system_of.hpp"
#include "ivp/reduced/reduce.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {

namespace {

struct OfPendulum {
  DaeProblemPtr problem = problem_of(problems::Pendulum{});
  VecX z = problems::Pendulum{}.start(), slope = z;
  std::unique_ptr<ReducedOde> system = reduce(*problem, {});
  std::unique_ptr<DaeSystem> constraints = dae_system_of(*problem, z, 0);
  SingularWindow window;

  explicit OfPendulum(double rtol)
      : window(*system, *constraints, Tolerance(Options{.rtol = rtol}, 4), 1e-12) {
    // From where it moves both ways.
    z = at(0.3);
    CHECK(system->rhs(0, z, slope));
  }
  /// From the start, at that time.
  VecX at(double t) const {
    const Solution run = solve(*problem, problems::Pendulum{}.start(), {0, t}, {.rtol = 1e-13});
    return run.end();
  }
  double step(double h, double inside) { return window.solve(0.3, z, slope, h, inside, 1); }
};

}  // namespace

TEST_CASE("the formula is that whose stages stay away from what is inside of the step",
          "[passing]") {
  const auto stages_for = [](double inside) -> double {
    OfPendulum pendulum(1e-4);
    // So short that the fewest sweeps do, which are four.
    const double error = pendulum.step(1e-4, inside);
    CHECK(error < 1);
    return static_cast<double>(pendulum.window.evaluations()) / 4;
  };
  // Nodes of Gauss: 8: 0.0199 0.1017 0.2372 0.4083 | 7: 0.0254 0.1292 0.2971 0.5 |
  // 6: 0.0338 0.1694 0.3807, and as far from 1.
  CHECK(stages_for(0.5) == 8);
  CHECK(stages_for(0.4083) == 7);
  CHECK(stages_for(0.5917) == 7);
  CHECK(stages_for(0.2372) == 6);
  CHECK(stages_for(0) == 6);
}

TEST_CASE("where each formula has a stage near it there is no such step, but at the end of a run",
          "[passing]") {
  OfPendulum pendulum(1e-4);
  CHECK(std::isnan(pendulum.step(1e-4, 0.03)));
  CHECK(pendulum.window.failure() == "a stage is too near to the dependent constraints");
  CHECK(pendulum.window.evaluations() == 0);
  // From the last stages of 6, 7 and 8 these are 0.014, 0.005 and 0.0001 away.
  CHECK(pendulum.step(1e-4, 0.98) < 1);
  CHECK(pendulum.window.failure().empty());
}

TEST_CASE("what a long step comes to is the motion, between its ends too", "[passing]") {
  OfPendulum pendulum(1e-6);
  const double h = 0.1;
  CHECK(pendulum.step(h, 0.5) < 1);
  CHECK((pendulum.window.end() - pendulum.at(0.4)).norm() < 1e-9);
  VecX between;
  pendulum.window.interpolate(0, between);
  CHECK(between == pendulum.z);
  pendulum.window.interpolate(1, between);
  CHECK((between - pendulum.window.end()).norm() < 1e-12);
  for (const double theta : {0.25, 0.5, 0.8}) {
    pendulum.window.interpolate(theta, between);
    CHECK((between - pendulum.at(0.3 + theta * h)).norm() < 1e-7);
  }
  // Backward from there it comes back.
  OfPendulum back(1e-6);
  back.z = pendulum.window.end();
  REQUIRE(back.system->rhs(0.4, back.z, back.slope));
  CHECK(back.window.solve(0.4, back.z, back.slope, -h, 0.5, 1) < 1);
  CHECK((back.window.end() - pendulum.z).norm() < 1e-9);
}

TEST_CASE(
    "the error of a step grows as that of a formula of lower order, and tells when it is too "
    "long",
    "[passing]") {
  OfPendulum pendulum(1e-10);
  const double shorter = pendulum.step(0.2, 0.5), longer = pendulum.step(0.4, 0.5);
  CHECK(shorter > 0);
  CHECK(longer > 16 * shorter);
  CHECK_FALSE(pendulum.step(1.5, 0.5) < 1);
}

TEST_CASE("a step that begins with what is not finite says so", "[passing]") {
  OfPendulum pendulum(1e-8);
  pendulum.slope[2] = NAN;
  CHECK(std::isnan(pendulum.step(0.1, 0.5)));
  CHECK(pendulum.window.failure() == "what comes out is not finite");
}

}  // namespace daewave::ivp
