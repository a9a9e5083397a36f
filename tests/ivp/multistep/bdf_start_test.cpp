// The first steps of a BDF, before there is a past: what lies between their ends.

#include <cmath>

#include "ivp/equations/dae_system_of.hpp"
#include "ivp/multistep/bdf_step.hpp"
#include "ivp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {

TEST_CASE("starting values are joined by the cubic of their ends and slopes", "[bdf]") {
  const problems::Pendulum pendulum;
  const DaeProblemPtr problem = problem_of(pendulum);
  const auto system = dae_system_of(*problem, pendulum.start(), 0);
  BdfOptions options;
  options.order = 4;
  options.fixed = true;
  const Options run{.h = 0.02};
  BdfStep step(*system, options, Tolerance(run, 4));
  REQUIRE(step.start(0, pendulum.start()));
  const auto exact = [&](double t) {
    return t == 0 ? VecX(pendulum.start())
                  : solve(*problem, pendulum.start(), {0, t}, {.rtol = 1e-12}).end();
  };
  for (int taken = 0; taken < 6; ++taken) {
    CAPTURE(taken);
    const VecX before = step.state();
    const double t = step.t();
    REQUIRE(step.attempt(0.02) <= 1);
    REQUIRE(step.accept());
    VecX between;
    step.interpolate(0, between);
    CHECK((between - before).norm() < 1e-6);
    step.interpolate(1, between);
    CHECK((between - step.state()).norm() < 1e-6);
    for (const double theta : {0.25, 0.5, 0.75}) {
      step.interpolate(theta, between);
      // h^2 / 8 of the accelerations, some 10, would be 5e-4.
      CHECK((between - exact(t + 0.02 * theta)).norm() < 2e-5);
    }
  }
}

}  // namespace daewave::ivp
