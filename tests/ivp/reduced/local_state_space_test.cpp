// Local state-space form: orders, drift, parameters chosen anew, and failures.

#include <cmath>

#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/run/integrate.hpp"
#include "problems/al2.hpp"
#include "problems/pendulum.hpp"
#include "problems/slider_crank.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/struct_doors.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {
namespace {

constexpr LocalStateSpace::Parameters both_parameters[]{LocalStateSpace::Parameters::coordinates,
                                                        LocalStateSpace::Parameters::tangent};

std::shared_ptr<ReducedOde> in_parameters(DaeProblemPtr problem, const LocalStateSpace& space) {
  return reduced(std::move(problem),
                 {.kind = ReductionKind::local_state_space, .state_space = space});
}

double end_error(const DaeProblemPtr& problem, const VecX& exact, const LocalStateSpace& space,
                 Stepper stepper, int steps) {
  const auto system = in_parameters(problem, space);
  ExplicitRkStep step(*system, tableau(stepper), Tolerance(), false);
  REQUIRE(step.start(0, *problem->start()));
  for (int i = 0; i < steps; ++i) {
    REQUIRE(step.attempt(1.0 / steps) == 0);
    REQUIRE(step.accept());
    CHECK(step.drift().position < 1e-14);
    CHECK(step.drift().velocity < 2e-14);
  }
  return (step.state() - exact).norm();
}

}  // namespace

TEST_CASE("local state-space form has the order of the formula and no drift", "[ACPR-3.1]") {
  const DaeProblemPtr rods = problem_of(problems::Al2Example64{});
  const DaeProblemPtr plain = problem_of(problems::Al2Example61{});
  const VecX end = problems::Al2Example64{}.z_exact(1), end2 = problems::Al2Example61{}.z_exact(1);
  for (const LocalStateSpace::Parameters parameters : both_parameters) {
    LocalStateSpace space;
    space.parameters = parameters;
    for (const auto& [stepper, order] : {std::pair(Stepper::heun, 2), {Stepper::rk4, 4}}) {
      double error[2], index2[2];
      for (const int i : {0, 1}) {
        error[i] = end_error(rods, end, space, stepper, 40 << i);
        index2[i] = end_error(plain, end2, space, stepper, 40 << i);
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
    const auto system = reduced(problem_of(pendulum), {.kind = method, .state_space = space});
    const Options options{.rtol = 1e-10, .atol = 1e-10, .every = 0};
    ExplicitRkStep step(*system, tableau(Stepper::dop853), Tolerance(options, 4));
    const Solution solution = integrate(step, z, {0, 5}, options);
    CAPTURE(solution.report.full());
    REQUIRE(solution.report.usable());
    return std::pair(VecX(solution.end()), system->parameter_choices());
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
  const DaeProblemPtr pendulum = problem_of(problems::Pendulum{});
  long before = 1'000'000;
  for (const double bound : {1.0, 3.0, 8.0}) {
    const auto system = in_parameters(
        pendulum, {.parameters = LocalStateSpace::Parameters::tangent, .bound = bound});
    ExplicitRkStep step(*system, tableau(Stepper::rk4), Tolerance(), false);
    REQUIRE(step.start(0, Vec<4>{1, 0, 0, 8}));
    for (int i = 0; i < 2000; ++i) {
      REQUIRE(step.attempt(1e-3) == 0);
      REQUIRE(step.accept());
    }
    CHECK(system->parameter_choices() < before);
    before = system->parameter_choices();
  }
}

TEST_CASE("dependent constraints have no parameters, and a step too far none of its own",
          "[ACPR-3.1]") {
  const problems::SliderCrank crank;
  const auto system = in_parameters(problem_of(crank), {});
  VecX slope(12);
  const double half_pi = 2 * std::atan(1.0);
  CHECK_FALSE(system->rhs(0, crank.state(half_pi, 0), slope));
  CHECK_FALSE(system->failure().empty());
  const auto other = in_parameters(problem_of(problems::Pendulum{}), {});
  VecX rate(4);
  REQUIRE(other->rhs(0, Vec<4>{1, 0, 0, 0}, rate));
  // The height is the parameter where the rod is horizontal: none of 2 on a circle of radius 1.
  CHECK_FALSE(other->rhs(0, Vec<4>{1, 2, 0, 0}, rate));
  CHECK_THAT(other->failure(), contains_text("no solution near the state predicted"));
}

}  // namespace daewave::ivp
