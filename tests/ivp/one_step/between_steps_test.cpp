// Dense output of implicit formulas where what is stiff leaves nothing in their estimates.

#include <cmath>

#include "ivp/one_step/collocation_step.hpp"
#include "ivp/run/integrate.hpp"
#include "ivp/solve.hpp"
#include "tests/ivp/attracted.hpp"

namespace daewave::ivp {
namespace {

constexpr double long_span = 30;

Options tolerance_of(double rtol) { return {.rtol = rtol, .atol = rtol, .dense = true}; }

double error_of(const Solution& solution) { return error_of_dense(solution, long_span); }

/// What an error of 1 is in one of three entries: errors of steps are measured by 0.1 rtol^q, in
/// the root mean square, and the weights are atol + rtol |x| <= 2 rtol.
double measure(int stages, double rtol) {
  const double q = (stages + 1.0) / (2 * stages);  // The order is 2 k - 1.
  return std::sqrt(3) * 2 * 0.1 * std::pow(rtol, q);
}

}  // namespace

TEST_CASE("collocation is as exact between steps as its estimate, however stiff it is",
          "[collocation-step][stiff]") {
  Attracted system;
  for (const int stages : {3, 5, 7}) {
    for (const double k : {1e2, 1e4, 1e6, 1e8}) {
      system.k = k;
      for (const double rtol : {1e-6, 1e-8, 1e-10}) {
        const Options options = tolerance_of(rtol);
        CollocationStep step(system, collocation(Scheme::radau, stages), Tolerance(options, 3));
        const Solution solution =
            integrate(step, Slaved::exact(0), Interval{0, long_span}, options);
        CAPTURE(stages, k, rtol, solution.report.integration.steps);
        // It is foreseen by the step before: to a factor of 2, and to one of 4 where steps are
        // about as long as the motion's 1 / 1.3.
        CHECK(error_of(solution) < (stages == 3 ? 2 : 4) * measure(stages, rtol));
      }
    }
  }
}

TEST_CASE("so are first steps, and steps that are longer by far than the one before",
          "[collocation-step][stiff]") {
  Attracted system;
  for (const double k : {1e4, 1e8}) {
    system.k = k;
    for (const double rtol : {1e-6, 1e-8}) {
      Options first = tolerance_of(rtol), growing = first;
      first.first_step = 3;
      growing.control = collocation_control();
      growing.control->grow = 100;
      for (const Options& options : {first, growing}) {
        CollocationStep step(system, collocation(Scheme::radau, 3), Tolerance(options, 3));
        const Solution solution =
            integrate(step, Slaved::exact(0), Interval{0, long_span}, options);
        CAPTURE(k, rtol, solution.report.integration.steps);
        CHECK(error_of(solution) < 2 * measure(3, rtol));
      }
    }
  }
}

TEST_CASE("stages are on the constraints too where stiff directions turn",
          "[collocation-step][stiff]") {
  // Newton's method had small changes in stiff directions, and errors across them that were ten
  // thousand times as large; the end was projected.
  for (const double k : {1e4, 1e6, 1e8}) {
    for (const double rtol : {1e-4, 1e-6, 1e-8}) {
      Options options = tolerance_of(rtol);
      options.method = ProjectEachStep{.formula = {Stepper::radau}};
      const Solution solution = solve(Slaved{k}, VecX(Slaved::exact(0)), {0, long_span}, options);
      CAPTURE(k, rtol, solution.report.integration.steps);
      CHECK(error_of(solution) < 2 * measure(3, rtol));
    }
  }
}

TEST_CASE("ends of Gauss steps are as accurate as asked, however stiff it is",
          "[collocation-step][stiff]") {
  // Nothing damps what their polynomials miss there: 1e2 to 1e4 tolerances, claimed.
  for (const double k : {1e1, 1e2, 1e4, 1e8}) {
    for (const int stages : {3, 5, 7}) {
      for (const double rtol : {1e-5, 1e-8}) {
        Attracted system;
        system.k = k;
        const Options options = tolerance_of(rtol);
        CollocationStep step(system, collocation(Scheme::gauss, stages), Tolerance(options, 3));
        const Solution solution = integrate(step, VecX(Slaved::exact(0)), {0, long_span}, options);
        CAPTURE(k, stages, rtol, solution.report.integration.steps);
        REQUIRE(solution.report.usable());
        double error = 0;
        for (int i = 0; i < solution.count(); ++i) {
          const double t = solution.t[static_cast<std::size_t>(i)];
          error = larger(error, largest_size(solution.state(i) - VecX(Slaved::exact(t))));
        }
        CHECK(error < (k == 100 && stages == 7 ? 70 : 30) * rtol);  // Steps of 1.5 there.
      }
    }
  }
}

TEST_CASE("so are runs that the default changes to collocation", "[collocation-step][stiff]") {
  for (const double k : {1e4, 1e8}) {
    for (const double rtol : {1e-4, 1e-6, 1e-8}) {
      const Solution solution =
          solve(Slaved{k}, VecX(Slaved::exact(0)), {0, long_span}, tolerance_of(rtol));
      CAPTURE(k, rtol, solution.report.integration.steps);
      // Of a hundredth of the tolerance, and what two formulas lose at the ends of steps.
      CHECK(error_of(solution) < 2 * measure(3, 0.01 * rtol) + 5 * rtol);
    }
  }
}

TEST_CASE("iterates by collocation are as exact between steps as their estimates", "[srm][stiff]") {
  for (const double rtol : {1e-4, 1e-6}) {
    Options options = tolerance_of(rtol);
    options.method = Srm{.formula = {Stepper::radau}};
    const Solution solution = solve(Slaved{1e6}, VecX(Slaved::exact(0)), {0, long_span}, options);
    CAPTURE(rtol, solution.report.integration.steps);
    CHECK(error_of(solution) < 2 * measure(3, rtol));
  }
}

}  // namespace daewave::ivp
