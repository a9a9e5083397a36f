// Projected invariants by Radau IIA: orders in all classes of problems, invariants at the ends of
// steps, error control, and what is refused.

#include <cmath>

#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "ivp/doors/method_choice.hpp"
#include "ivp/doors/solve_projected_invariants.hpp"
#include "ivp/multistep/projected_invariants_step.hpp"
#include "ivp/run/integrate.hpp"
#include "ivp/solve.hpp"
#include "problems/al2.hpp"
#include "problems/pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/rolling_on_circle.hpp"
#include "tests/ivp/slaved.hpp"
#include "tests/ivp/struct_doors.hpp"
#include "tests/problems/compiled_problems.hpp"

namespace daewave::ivp {
namespace {

using Rolling = RollingOnCircle<>;

struct Run {
  VecX end;
  Drift drift;
  double mu = 0;  ///< Largest h mu.
};

Run run(DaeSystem& system, const VecX& start, Onto onto, int stages, int steps) {
  ProjectedInvariantsStep step(system, onto, collocation(Scheme::radau, stages), Tolerance(),
                               false);
  REQUIRE(step.start(0, start));
  Run result;
  for (int i = 0; i < steps; ++i) {
    REQUIRE(step.attempt(1.0 / steps) == 0);
    REQUIRE(step.accept());
    const Drift drift = step.drift();
    result.drift.position = std::max(result.drift.position, drift.position);
    result.drift.velocity = std::max(result.drift.velocity, drift.velocity);
    for (const double mu : step.mu()) result.mu = std::max(result.mu, std::abs(mu));
  }
  result.end = step.state();
  return result;
}

/// Orders of 1, 2 and 3 stages; the last steps are long enough for errors above rounding.
template <class Make, class P>
void check_orders(Make make, const P& problem) {
  const VecX exact = problem.z_exact(1);
  for (const int stages : {1, 2, 3}) {
    const int steps = stages == 1 ? 80 : stages == 2 ? 20 : 6;
    const auto coarse_system = make(), fine_system = make();
    const Run coarse = run(*coarse_system, problem.z_exact(0), Onto::both, stages, steps);
    const Run fine = run(*fine_system, problem.z_exact(0), Onto::both, stages, 2 * steps);
    const double order = std::log2((coarse.end - exact).norm() / (fine.end - exact).norm());
    INFO(stages << " stages: " << (coarse.end - exact).norm() << " " << (fine.end - exact).norm());
    CHECK(order > 2 * stages - 1 - 0.3);
    CHECK(coarse.drift.position < 1e-12);  // Newton's last change, not its square.
    CHECK(coarse.drift.velocity < 1e-11);
  }
}

}  // namespace

TEST_CASE("k stages of Radau IIA have order 2 k - 1 with projected invariants, in all classes",
          "[invariants][ACPR-3.3]") {
  const problems::Al2Example64 rods;
  check_orders([&] { return system_of(rods, rods.start(), 0); }, rods);
  const problems::Al2Example61 plain;
  check_orders([&] { return system_of(plain, plain.start(), 0); }, plain);
  const Rolling rolling;
  check_orders([&] { return system_of(rolling, rolling.start(), rolling.w_exact(0), 0); }, rolling);
}

TEST_CASE("only the invariants asked for are kept", "[invariants][ACPR-3.3]") {
  const problems::Pendulum pendulum;
  const auto drift = [&](Onto onto) {
    const auto system = system_of(pendulum, pendulum.start(), 0);
    return run(*system, pendulum.start(), onto, 2, 50).drift;
  };
  CHECK(drift(Onto::position).position < 1e-14);
  CHECK(drift(Onto::position).velocity > 1e-8);
  CHECK(drift(Onto::velocity).velocity < 1e-12);  // Rounding of 4 m/s, some times.
  CHECK(drift(Onto::velocity).position > 1e-8);
  CHECK(drift(Onto::nothing).position > 1e-8);
  CHECK(drift(Onto::both).position < 1e-12);
}

TEST_CASE("the new multipliers vanish with the step", "[invariants][ACPR-3.3]") {
  const problems::Al2Example61 plain;
  const auto mu = [&](int steps) {
    const auto system = system_of(plain, plain.start(), 0);
    return run(*system, plain.start(), Onto::both, 2, steps).mu;
  };
  // h mu is the error of a stage across the manifold: h^3.
  CHECK(std::log2(mu(20) / mu(40)) == Approx(3).margin(0.2));
}

TEST_CASE(
    "error control of projected invariants keeps to the tolerance, and the energy where asked",
    "[invariants][ACPR-3.3]") {
  const problems::Pendulum pendulum{.t_end = 2};
  for (const double tolerance : {1e-5, 1e-8}) {
    for (const bool energy : {false, true}) {
      const Options options{.rtol = tolerance, .atol = tolerance};
      Monitors monitors;
      monitors.energy = [&](double, const VecX& z) {
        return pendulum.energy(z.head<2>(), z.tail<2>());
      };
      const auto system = system_of(pendulum, pendulum.start(), 0);
      const Solution solution = solve_projected_invariants(
          *system, pendulum.start(), pendulum.interval(), ProjectedInvariants{.energy = energy},
          options, collocation(Scheme::radau, 3), monitors);
      CAPTURE(tolerance, energy, solution.report.full());
      REQUIRE(solution.report.usable());
      CHECK((solution.end() - pendulum.z_exact(2)).norm() < 50 * tolerance);
      // A part of the tolerance in the stages, carried over to h.
      CHECK(solution.report.integration.drift_position < 0.1 * tolerance);
      const VecX lambda = solution.multiplier(solution.count() - 1);
      CHECK(lambda[0] == Approx(pendulum.y_exact(2)[0]).epsilon(1e3 * tolerance));
      if (energy) CHECK(solution.report.integration.energy_change < 20 * tolerance);
    }
  }
}

TEST_CASE("dense output of projected invariants is the collocation polynomial",
          "[invariants][ACPR-3.3]") {
  const problems::Al2Example64 rods;
  const auto system = system_of(rods, rods.start(), 0);
  ProjectedInvariantsStep step(*system, Onto::both, collocation(Scheme::radau, 3), Tolerance(),
                               false);
  REQUIRE(step.start(0, rods.start()));
  REQUIRE(step.attempt(0.02) == 0);
  REQUIRE(step.accept());
  VecX at;
  step.interpolate(0, at);
  CHECK((at - VecX(rods.start())).norm() < 1e-15);
  step.interpolate(1, at);
  CHECK((at - step.state()).norm() < 1e-15);
  step.interpolate(0.4, at);
  CHECK((at - VecX(rods.z_exact(0.008))).norm() < 1e-6);  // h^4.
}

TEST_CASE("projected invariants are as exact between steps as at them, however stiff it is",
          "[invariants][stiff]") {
  for (const double k : {1e2, 1e4, 1e6, 1e8}) {
    for (const double rtol : {1e-4, 1e-6, 1e-8, 1e-10}) {
      for (const double end : {3.0, 30.0}) {
        const Options options{
            .method = ProjectedInvariants{}, .rtol = rtol, .atol = rtol, .dense = true};
        const Solution solution = solve(Slaved{k}, VecX(Slaved::exact(0)), {0, end}, options);
        REQUIRE(solution.report.usable());
        double error = 0;
        for (int i = 0; i <= 1000; ++i) {
          const double t = i * (end / 1000);
          error = std::max(error, largest_size(solution.at(t) - VecX(Slaved::exact(t))));
        }
        CAPTURE(k, rtol, end, solution.report.integration.steps);
        // Errors of steps are measured by 0.1 rtol^(2/3), those of their ends are then by rtol; in
        // the root mean square of three entries, whose weights are atol + rtol |x| <= 2 rtol. That
        // of a step is foreseen by the step before too: to a factor of 2.
        const double measure = std::sqrt(3) * 2 * 0.1 * std::pow(rtol, 2.0 / 3);
        CHECK(error < 2 * measure);
      }
    }
  }
}

TEST_CASE("projected invariants refuse formulas that do not end at a stage, and rows that are none",
          "[invariants][ACPR-3.3]") {
  const problems::Al2Example61 plain;
  const auto system = system_of(plain, plain.start(), 0);
  CHECK_THROWS_WITH(
      ProjectedInvariantsStep(*system, Onto::both, collocation(Scheme::gauss, 2), Tolerance()),
      contains_text("take stepper = radau"));
  CHECK_THROWS_AS(solve_projected_invariants(*system, plain.start(), {0, 1},
                                             ProjectedInvariants{.energy = true}, {},
                                             collocation(Scheme::radau, 3), {}),
                  InvalidOption);
  const auto choose = [](const Options& options) { choose_method({}, options); };
  CHECK_THROWS_WITH(choose({.method = ProjectedInvariants{.formula = {Stepper::gauss}}}),
                    contains_text("take stepper = radau"));
  const MethodChoice open = choose_method({}, {.method = ProjectedInvariants{}});
  CHECK(open.stepper == Stepper::radau);
}

}  // namespace daewave::ivp
