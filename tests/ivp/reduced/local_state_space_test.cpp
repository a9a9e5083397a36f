// Local state-space form: orders, drift, parameters chosen anew, and failures.

#include <cmath>

#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/reduced/reduced_multibody.hpp"
#include "ivp/reduced/reduced_semi_explicit.hpp"
#include "ivp/run/integrate.hpp"
#include "problems/al2.hpp"
#include "problems/pendulum.hpp"
#include "problems/slider_crank.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

constexpr LocalStateSpace::Parameters both_parameters[]{LocalStateSpace::Parameters::coordinates,
                                                        LocalStateSpace::Parameters::tangent};

template <class System, class P>
double end_error(System& system, const P& problem, Stepper stepper, int steps) {
  ExplicitRkStep step(system, tableau(stepper), Tolerance(), false);
  REQUIRE(step.start(0, problem.start()));
  for (int i = 0; i < steps; ++i) {
    REQUIRE(step.attempt(1.0 / steps) == 0);
    REQUIRE(step.accept());
    CHECK(step.drift().position < 1e-14);
    CHECK(step.drift().velocity < 2e-14);
  }
  return (step.state() - problem.z_exact(1)).norm();
}

}  // namespace

TEST_CASE("local state-space form has the order of the formula and no drift", "[ACPR-3.1]") {
  const problems::Al2Example64 rods;
  const problems::Al2Example61 plain;
  for (const LocalStateSpace::Parameters parameters : both_parameters) {
    LocalStateSpace space;
    space.parameters = parameters;
    for (const auto& [stepper, order] : {std::pair(Stepper::heun, 2), {Stepper::rk4, 4}}) {
      double error[2], index2[2];
      for (const int i : {0, 1}) {
        ReducedMultibody<problems::Al2Example64> system(rods, ReductionKind::local_state_space, {},
                                                        1e-12, {}, {}, space);
        error[i] = end_error(system, rods, stepper, 40 << i);
        ReducedSemiExplicit<problems::Al2Example61> other(plain, ReductionKind::local_state_space,
                                                          {}, 1e-12, {}, {}, space);
        index2[i] = end_error(other, plain, stepper, 40 << i);
      }
      CHECK(std::log2(error[0] / error[1]) > order - 0.3);
      CHECK(std::log2(index2[0] / index2[1]) > order - 0.3);
    }
  }
}

TEST_CASE("a pendulum that goes round needs new parameters, and keeps its energy as well",
          "[ACPR-3.1]") {
  const problems::Pendulum pendulum;
  const Vec<4> z{1, 0, 0, 8};
  const auto go = [&](LocalStateSpace space, ReductionKind method) {
    ReducedMultibody<problems::Pendulum> system(pendulum, method, {}, 1e-12, {}, {}, space);
    const Options options{.rtol = 1e-10, .atol = 1e-10, .every = 0};
    ExplicitRkStep step(system, tableau(Stepper::dop853), Tolerance(options, 4));
    const Solution solution = integrate(step, z, {0, 5}, options);
    CAPTURE(solution.report.full());
    REQUIRE(solution.report.usable());
    return std::pair(VecX(solution.end()), system.parameter_choices());
  };
  const auto [expected, none] = go({}, ReductionKind::s_both2);
  CHECK(none == 0);
  for (const LocalStateSpace::Parameters parameters : both_parameters) {
    const auto [end, choices] = go({.parameters = parameters}, ReductionKind::local_state_space);
    // About 2 turns in 5 s: |D (G D)^-1 G| exceeds 3 some four times in each.
    CHECK(choices > 4);
    CHECK(choices < 100);
    // 250 steps of 1e-10, enlarged by the spread, and growing with the phase of 8 rad/s.
    CHECK((end - expected).norm() < 1e-6);
    CHECK(std::abs(end.head<2>().norm() - 1) < 1e-15);
    const double energy = pendulum.energy(z.head<2>(), z.tail<2>());
    CHECK(pendulum.energy(end.head<2>(), end.tail<2>()) == Approx(energy).epsilon(1e-8));
  }
}

TEST_CASE("a larger bound chooses parameters less often where they are those of the tangent",
          "[ACPR-3.1]") {
  const problems::Pendulum pendulum;
  long before = 1'000'000;
  for (const double bound : {1.0, 3.0, 8.0}) {
    ReducedMultibody<problems::Pendulum> system(
        pendulum, ReductionKind::local_state_space, {}, 1e-12, {}, {},
        {.parameters = LocalStateSpace::Parameters::tangent, .bound = bound});
    ExplicitRkStep step(system, tableau(Stepper::rk4), Tolerance(), false);
    REQUIRE(step.start(0, Vec<4>{1, 0, 0, 8}));
    for (int i = 0; i < 2000; ++i) {
      REQUIRE(step.attempt(1e-3) == 0);
      REQUIRE(step.accept());
    }
    CHECK(system.parameter_choices() < before);
    before = system.parameter_choices();
  }
}

TEST_CASE("dependent constraints have no parameters, and a step too far none of its own",
          "[ACPR-3.1]") {
  const problems::SliderCrank crank;
  ReducedMultibody<problems::SliderCrank> system(crank, ReductionKind::local_state_space, {});
  VecX slope(12);
  const double half_pi = 2 * std::atan(1.0);
  CHECK_FALSE(system.rhs(0, crank.state(half_pi, 0), slope));
  CHECK_FALSE(system.failure().empty());
  const problems::Pendulum pendulum;
  ReducedMultibody<problems::Pendulum> other(pendulum, ReductionKind::local_state_space, {});
  VecX rate(4);
  REQUIRE(other.rhs(0, Vec<4>{1, 0, 0, 0}, rate));
  // The height is the parameter where the rod is horizontal: none of 2 on a circle of radius 1.
  CHECK_FALSE(other.rhs(0, Vec<4>{1, 2, 0, 0}, rate));
  CHECK_THAT(other.failure(), contains_text("no solution near the state predicted"));
}

}  // namespace daewave::ivp
