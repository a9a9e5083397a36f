// Dense output of explicit formulas where stability holds their steps: what decays there within a
// step, the polynomial through its stages has many times as large.

#include <cmath>

#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/run/integrate.hpp"
#include "tests/ivp/attracted.hpp"

namespace daewave::ivp {
namespace {

constexpr double seconds = 3;

Solution solve(const Attracted& attracted, Stepper stepper, const Options& options) {
  Attracted system = attracted;
  ExplicitRkStep step(system, tableau(stepper), Tolerance(options, 3));
  return integrate(step, Slaved::exact(0), Interval{0, seconds}, options);
}

}  // namespace

TEST_CASE(
    "explicit formulas are as exact between steps as at their ends where stability holds them",
    "[steppers][stiff]") {
  Attracted system;
  for (const ExplicitTableau& formula : all_tableaux()) {
    if (formula.error.empty()) continue;
    for (const double k : {20.0, 50.0, 100.0, 300.0, 1e3}) {
      system.k = k;
      for (const double rtol : {1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-9}) {
        const Options options{.rtol = rtol, .atol = rtol, .dense = true};
        const Solution solution = solve(system, formula.stepper, options);
        CAPTURE(name_of(formula.stepper), k, rtol, solution.report.integration.steps);
        // The weights are rtol (1 + |z|), in the mean square of three.
        CHECK(error_of_dense(solution, seconds) < 3 * 2 * std::sqrt(3) * rtol);
      }
    }
  }
}

TEST_CASE("so they are in a first step that only stability would forbid", "[steppers][stiff]") {
  Attracted system;
  for (const double k : {100.0, 1e3, 1e4}) {
    system.k = k;
    for (const double product : {8.0, 20.0, 40.0}) {
      Options options{.rtol = 1e-3, .atol = 1e-3, .dense = true};
      options.first_step = product / k;
      const Solution solution = solve(system, Stepper::dop853, options);
      CAPTURE(k, product, solution.report.integration.steps);
      CHECK(error_of_dense(solution, seconds) < 3 * 2 * std::sqrt(3) * 1e-3);
    }
  }
}

}  // namespace daewave::ivp
