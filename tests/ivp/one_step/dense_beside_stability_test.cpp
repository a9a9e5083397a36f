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

/// (sin t, 0), of which the second is stiff: no step sees that before rounding has grown.
struct AtRest : PlainSystem {
  double k = 1;
  bool rhs(double t, const VecX& z, VecX& slope) override {
    slope = Vec<2>(std::cos(t), -k * z[1]);
    return std::abs(z[1]) < 1e3;
  }
};

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

TEST_CASE("what is at rest but for rounding is so between steps that stability would forbid",
          "[steppers][stiff]") {
  AtRest system;
  for (const double k : {300.0, 1e3, 3e3}) {
    system.k = k;
    for (const double rtol : {1e-4, 1e-6, 1e-9}) {
      const Options options{.rtol = rtol, .atol = rtol, .dense = true};
      ExplicitRkStep step(system, tableau(Stepper::dop853), Tolerance(options, 2));
      const Solution solution = integrate(step, Vec<2>(0, 1e-170), Interval{0, seconds}, options);
      CAPTURE(k, rtol, solution.report.integration.steps);
      REQUIRE(solution.report.usable());
      double error = 0;
      for (int i = 0; i <= 1000; ++i) {
        const double t = i * (seconds / 1000);
        error = larger(error, largest_size(solution.at(t) - VecX(Vec<2>(std::sin(t), 0))));
      }
      CHECK(error < 3 * 2 * std::sqrt(2) * rtol);
    }
  }
}

}  // namespace daewave::ivp
