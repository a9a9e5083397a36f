// Stiff problems with error control.

#include <algorithm>
#include <cmath>

#include "ivp/one_step/collocation_step.hpp"
#include "ivp/run/integrate.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/stiff_systems.hpp"

namespace daewave::ivp {
namespace {

struct Outcome {
  VecX end;
  long steps = 0, rejected = 0;
};

Outcome solve(OdeSystem& system, const VecX& z0, double end, int stages, const Options& options) {
  CollocationStep step(system, collocation(Scheme::radau, stages),
                       Tolerance(options, static_cast<int>(z0.size())));
  const Solution solution = integrate(step, z0, Interval{0, end}, options);
  REQUIRE(solution.report.usable());
  return {solution.end(), solution.report.integration.steps, solution.report.integration.rejected};
}

Options tolerances(double rtol, double atol) {
  Options options;
  options.rtol = rtol;
  options.atol = atol;
  options.every = 0;
  options.multipliers = false;
  return options;
}

}  // namespace

TEST_CASE("van der Pol with mu = 1e6 is as accurate as asked", "[collocation-step][stiff]") {
  VanDerPol system;
  for (const int stages : {3, 5, 7}) {
    for (const double tol : {1e-4, 1e-6, 1e-8, 1e-10}) {
      CAPTURE(stages, tol);
      const Outcome outcome = solve(system, VanDerPol::start(), 2, stages, tolerances(tol, tol));
      const double error = (outcome.end - VanDerPol::reference()).cwiseAbs().maxCoeff();
      // Two jumps add up the errors of some hundred steps, each within the tolerance.
      CHECK(error < 100 * tol);
      // Without control of the fast mode, steps of 2 / mu would be needed.
      CHECK(outcome.steps < 3000);
      CHECK(outcome.rejected < outcome.steps);
    }
  }
}

TEST_CASE("van der Pol needs the same number of steps for every mu", "[collocation-step][stiff]") {
  // In slow time the slow parts are the same; the jumps take more small steps, log(mu) of them.
  VanDerPol system;
  long least = 1000000, most = 0;
  for (const double mu : {1e3, 1e4, 1e5, 1e6}) {
    system.mu = mu;
    const Outcome outcome = solve(system, VanDerPol::start(), 2, 3, tolerances(1e-6, 1e-6));
    least = std::min(least, outcome.steps);
    most = std::max(most, outcome.steps);
  }
  CHECK(2 * most < 5 * least);
}

TEST_CASE("Robertson's reaction up to t = 1e11", "[collocation-step][stiff]") {
  Robertson system;
  for (const double tol : {1e-4, 1e-6, 1e-8}) {
    CAPTURE(tol);
    const Outcome outcome = solve(system, Robertson::start(), 1e11, 3, tolerances(tol, 1e-6 * tol));
    const VecX error =
        (outcome.end - Robertson::reference()).cwiseQuotient(Robertson::reference()).cwiseAbs();
    // 25 decades of time amplify no error: each is forgotten but for the factor of the slow mode.
    CHECK(error.maxCoeff() < 20 * tol);
    CHECK(outcome.steps < 1000);
  }
}

TEST_CASE("backward Euler controls its error too", "[collocation-step][stiff]") {
  Prothero system;
  double before = 0;
  for (const double tol : {1e-2, 1e-3, 1e-4}) {
    CAPTURE(tol);
    Options options = tolerances(tol, tol);
    const Outcome outcome = solve(system, Vec<1>(1.5), 10, 1, options);
    // On the slow solution the implicit equation leaves next to nothing.
    CHECK(std::abs(outcome.end[0] - std::cos(10.0)) < tol);
    CHECK(outcome.steps < 3000);
    CHECK(static_cast<double>(outcome.steps) > before);
    before = static_cast<double>(outcome.steps);
  }
}

TEST_CASE("an even number of stages asks for a fixed step", "[collocation-step][bad-input]") {
  VanDerPol system;
  const Options options = tolerances(1e-6, 1e-6);
  CollocationStep step(system, collocation(Scheme::radau, 2), Tolerance(options, 2));
  CHECK_THROWS_WITH(integrate(step, VanDerPol::start(), Interval{0, 2}, options),
                    contains_text("h: must be given"));
}

}  // namespace daewave::ivp
