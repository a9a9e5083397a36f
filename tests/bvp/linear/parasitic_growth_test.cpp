// Symmetric schemes with epsilon << h on long horizons: refused where the estimate says that the
// undamped constraint mode grows, and the estimate is right.

#include "bvp/linear/parasitic_growth.hpp"

#include <algorithm>
#include <cmath>

#include "bvp/solve.hpp"
#include "core/derivatives/linear_derivatives.hpp"
#include "tests/bvp/exact_errors.hpp"
#include "tests/bvp/rotating_projector.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

using testing::rotating_projector;

constexpr double kappa = 0.3, omega = 0.3, rate = kappa * omega;

/// Of the product of projectors h apart: short of the rate itself by omega^2 h / 2 to first order.
double discrete_rate(double h) {
  return std::log(std::cos(omega * h) + kappa * std::sin(omega * h)) / h;
}

Options forced_gauss(int stages, int intervals) {
  Options options;
  options.scheme = Scheme::gauss;
  options.stages = stages;
  options.intervals = intervals;
  options.epsilon = 1e-9;
  options.alpha1 = 0.0;
  return options;
}

/// Largest error of B y over the stages in [from, to].
double error_within(const Solution& solution, const testing::ManufacturedDae& problem, double from,
                    double to) {
  double largest = 0;
  for (int i = 0; i < solution.mesh().intervals(); ++i) {
    const double t = solution.stage_time(i, 0);
    if (t < from || t > to) continue;
    const VecX gap = solution.By_at_stage(i, 0) - problem.By_exact(t);
    largest = std::max(largest, gap.cwiseAbs().maxCoeff());
  }
  return largest;
}

/// The least epsilon that a refusal advises.
double named_epsilon(const Solution& refused) {
  const std::string& message = refused.report.message;
  const auto place = message.find("epsilon >= ");
  INFO(message);
  REQUIRE(place != std::string::npos);
  return std::stod(message.substr(place + 11));
}

}  // namespace

TEST_CASE("what grows late is damped from there on alone", "[srm][parasitic]") {
  // Grows by exp(s) from t = 10 to 20, and nowhere else; one iterate leaves what damping does.
  ParasiticMode mode;
  for (int i = 0; i <= 30; ++i) {
    mode.t.push_back(i);
    mode.step.push_back(1);
    mode.logarithm.push_back(std::min(std::max(i - 10, 0), 10));
  }
  CHECK(parasitic_growth(mode, 1, 1e-300, 1).logarithm == Approx(10));
  for (const double damping : {0.01, 0.3, 0.9}) {
    CAPTURE(damping);
    // By numerator epsilon / h^2 per time.
    const ParasiticGrowth growth = parasitic_growth(mode, 10, damping / 10, 1);
    CHECK(growth.logarithm == Approx(10 * (1 - damping)));
    CHECK(growth.rate == Approx(1));
    // What came before is no matter: the same in a time that begins with the growth.
    ParasiticMode later;
    later.t.assign(mode.t.begin() + 10, mode.t.end());
    later.step.assign(mode.step.begin() + 10, mode.step.end());
    later.logarithm.assign(mode.logarithm.begin() + 10, mode.logarithm.end());
    for (const int iterates : {1, 3, 8}) {
      CHECK(parasitic_growth(later, 10, damping / 10, iterates).logarithm ==
            Approx(parasitic_growth(mode, 10, damping / 10, iterates).logarithm));
    }
  }
  CHECK(parasitic_growth(mode, 10, 0.2, 1).logarithm == 0);
}

TEST_CASE("gauss with epsilon << h is refused where the constraint mode grows, with the way out",
          "[srm][parasitic]") {
  for (const int stages : {1, 2, 3}) {
    const Solution solution =
        solve(rotating_projector(kappa, omega, 200), forced_gauss(stages, 1000));
    CHECK(solution.report.termination == Termination::refused);
    CHECK_FALSE(solution.has_values());
    CHECK_FALSE(solution.report.usable());
    CHECK_THAT(solution.report.message, contains_text("radau") && contains_text("alpha1 = 1") &&
                                            contains_text("epsilon >="));
    CHECK(solution.report.parasitic_growth > 1e6);
  }
}

TEST_CASE("the refused error is real, and grows as estimated", "[srm][parasitic]") {
  const auto problem = rotating_projector(kappa, omega, 300);
  for (const int stages : {1, 2, 3}) {
    Options options = forced_gauss(stages, 1500);
    options.max_parasitic_growth = 1e300;
    const Solution solution = solve(problem, options);
    REQUIRE(solution.has_values());
    const double estimated = std::log(solution.report.parasitic_growth);
    const double early = error_within(solution, problem, 100, 120);
    const double late = error_within(solution, problem, 270, 290);
    const double measured = std::log(late / early) / 170;
    CAPTURE(stages, estimated / 300, measured, early, late);
    CHECK(measured == Approx(rate).epsilon(0.3));
    CHECK(estimated / 300 == Approx(measured).epsilon(0.3));
    CHECK(estimated / 300 == Approx(discrete_rate(0.2)).epsilon(0.02));
    // Nobody would take this for a solution.
    CHECK(late > 1);
  }
}

TEST_CASE("the ways out that the refusal names do work", "[srm][parasitic]") {
  const auto problem = rotating_projector(kappa, omega, 200);
  const auto check_good = [&](const Solution& solution) {
    INFO(solution.report.brief());
    REQUIRE(solution.report.usable());
    // Errors of order 4 and more with h = 0.2: far below 1e-3, and nothing that grows.
    CHECK(testing::errors_of(solution, problem).x < 1e-3);
    CHECK(testing::errors_of(solution, problem, 10).By < 1e-2);
  };
  SECTION("radau") {
    Options options = forced_gauss(3, 1000);
    options.scheme = Scheme::radau;
    check_good(solve(problem, options));
  }
  SECTION("alpha1 = 1") {
    Options options = forced_gauss(2, 1000);
    options.alpha1 = 1.0;
    check_good(solve(with_differences(problem), options));
  }
  SECTION("nothing given") {
    const Solution solution = solve(problem, {.tolerance = 1e-6});
    REQUIRE(solution.report.usable());
    CHECK(testing::errors_of(solution, problem).relative_x() < 1e-6);
    CHECK(testing::errors_of(solution, problem).relative_By() < 1e-6);
  }
}

TEST_CASE("an orthogonal projector, or one that stands still, grows nothing", "[srm][parasitic]") {
  for (const auto& problem :
       {rotating_projector(0, omega, 200), rotating_projector(kappa, 0, 200)}) {
    const Solution solution = solve(problem, forced_gauss(2, 1000));
    INFO(solution.report.brief());
    CHECK(solution.report.usable());
    CHECK(solution.report.parasitic_growth == Approx(1).margin(0.1));
  }
}

TEST_CASE("a mode that decays is let through", "[srm][parasitic]") {
  const Solution solution = solve(rotating_projector(-kappa, omega, 200), forced_gauss(2, 1000));
  CHECK(solution.report.parasitic_growth == Approx(1).margin(0.1));
}

TEST_CASE("the epsilon named keeps the growth below the limit, for any number of iterates",
          "[srm][parasitic]") {
  const auto problem = rotating_projector(kappa, omega, 200);
  for (const auto& [iterates, alpha2] : {std::pair(1, 1.0), {3, 0.2}, {8, 1.0}}) {
    Options options = forced_gauss(2, 1000);
    options.iterates = iterates;
    options.alpha2 = alpha2;
    options.epsilon = 1.1 * named_epsilon(solve(problem, options));
    const Solution solution = solve(problem, options);
    INFO(solution.report.brief());
    REQUIRE(solution.has_values());
    CHECK(solution.report.parasitic_growth <= 100);
    // The mode starts as the error of a horizon too short for it to grow by more than a factor 3.
    options.intervals = 50;
    const auto short_problem = rotating_projector(kappa, omega, 10);
    const double start = error_within(solve(short_problem, options), short_problem, 5, 10);
    const double late = error_within(solution, problem, 100, 200);
    CAPTURE(iterates, options.epsilon.value(), start, late);
    CHECK(late < 100 * start);
  }
}

TEST_CASE("the epsilon that is named for lobatto damps its constraint mode", "[srm][parasitic]") {
  const auto problem = rotating_projector(kappa, omega, 200);
  const auto short_problem = rotating_projector(kappa, omega, 10);
  for (const int stages : {2, 3}) {
    Options options = forced_gauss(stages, 1000);
    options.scheme = Scheme::lobatto;
    options.iterates = 1;
    options.epsilon = 1.1 * named_epsilon(solve(problem, options));
    const Solution solution = solve(problem, options);
    REQUIRE(solution.has_values());
    options.intervals = 50;
    const double start = error_within(solve(short_problem, options), short_problem, 5, 10);
    const double late = error_within(solution, problem, 100, 200);
    CAPTURE(stages, options.epsilon.value(), start, late);
    CHECK(late < 100 * start);
  }
}

TEST_CASE("with epsilon left open a forced gauss is damped, or refused, but never wrong",
          "[srm][parasitic]") {
  const auto problem = rotating_projector(kappa, omega, 200);
  for (const int stages : {1, 2, 3}) {
    Options options = forced_gauss(stages, 1000);
    options.epsilon.reset();
    const Solution solution = solve(problem, options);
    CAPTURE(stages);
    INFO(solution.report.full());
    if (!solution.report.usable()) continue;
    // Without a tolerance the error is that of the scheme: gauss 1 has 1e-2 with h = 0.2.
    CHECK(error_within(solution, problem, 10, 200) < 0.5);
  }
}

TEST_CASE("sweeps feed the mode back: damping just above the rate is not enough for many",
          "[srm][parasitic]") {
  const auto problem = erase(rotating_projector(kappa, omega, 200));
  const ConstraintScan scan = scan_constraint(*problem);
  const Mesh mesh = uniform_mesh(0, 200, 1000);
  const ParasiticMode mode = parasitic_mode(*problem, scan, mesh);
  const double h = 0.2, exact = discrete_rate(h), horizon = 200 - h;
  CHECK(parasitic_growth(mode, 12, 1e-12, 1).logarithm == Approx(exact * horizon).epsilon(0.01));
  CHECK(parasitic_growth(mode, 12, 1e-12, 1).rate == Approx(exact).epsilon(0.01));
  const double balance = exact * h * h / 12;  // D = rate.
  CHECK(parasitic_growth(mode, 12, 1.05 * balance, 1).logarithm < 0.1);
  CHECK(parasitic_growth(mode, 12, 0.5 * balance, 1).logarithm ==
        Approx(0.5 * exact * horizon).epsilon(0.02));
  // Two sweeps at D = rate: 1 + rate t.
  CHECK(parasitic_growth(mode, 12, balance, 2).factor() ==
        Approx(1 + exact * horizon).epsilon(0.05));
  double previous = 0;
  for (const int iterates : {1, 2, 4, 8, 100, 1000}) {
    const double logarithm = parasitic_growth(mode, 12, 2 * balance, iterates).logarithm;
    CHECK(logarithm >= previous);
    CHECK(logarithm <= exact * horizon * 1.01);  // Without damping.
    previous = logarithm;
  }
  CHECK(previous == Approx(exact * horizon).epsilon(0.01));
}

TEST_CASE("nothing is damped faster than by 1 / epsilon, however short steps are", "[srm]") {
  ParasiticMode mode;
  mode.t = {0, 1, 2};
  mode.logarithm = {0, 10, 20};
  mode.step = {0.01, 0.01, 0.01};
  CHECK(parasitic_growth(mode, 24, 1e-300, 1).logarithm == Approx(20));
  CHECK(parasitic_growth(mode, 24, 1e-6, 1).logarithm == Approx(20 - 2 * 24 * 1e-6 / 1e-4));
  CHECK(parasitic_growth(mode, 24, 1, 1).logarithm == Approx(20 - 2));
}

TEST_CASE("a limit of parasitic growth that was lifted is told", "[srm]") {
  const auto problem = rotating_projector(kappa, omega, 150);
  Options options = forced_gauss(3, 600);
  CHECK(solve(problem, options).report.termination == Termination::refused);
  options.max_parasitic_growth = 1e40;
  const Solution solution = solve(problem, options);
  REQUIRE(solution.has_values());
  REQUIRE_FALSE(solution.report.warnings.empty());
  CHECK_THAT(solution.report.warnings[0], contains_text("which max_parasitic_growth = 1e+40"));
}

TEST_CASE("a constraint that turns within a step is seen to grow as fast as it does", "[srm]") {
  const double fast = 1, horizon = 50;
  const auto problem = rotating_projector(1, fast, horizon);
  const auto linear = testing::erase(problem);
  const ConstraintScan scan = scan_constraint(*linear);
  for (const int intervals : {5, 16, 1000}) {
    const ParasiticMode mode = parasitic_mode(*linear, scan, uniform_mesh(0, horizon, intervals));
    CAPTURE(intervals);
    CHECK(parasitic_growth(mode, 24, 1e-300, 1).rate == Approx(fast).epsilon(0.2));
  }
}

TEST_CASE("gauss on a constraint that turns meets a tolerance, or gives up early and names radau",
          "[srm]") {
  int met = 0;
  for (const double horizon : {10.0, 50.0}) {
    for (const double turning : {1.0, 2.0}) {
      const auto problem = rotating_projector(1, turning, horizon);
      const Solution solution = solve(problem, {.tolerance = 1e-6, .scheme = Scheme::gauss});
      CAPTURE(horizon, turning);
      INFO(solution.report.full());
      CHECK(solution.mesh().intervals() < 30000);
      if (!solution.report.usable()) {
        CHECK_THAT(solution.report.advice, contains_text("scheme radau"));
        continue;
      }
      ++met;
      CHECK(testing::errors_of(solution, problem).relative_x() < 1e-6);
      CHECK(testing::errors_of(solution, problem).relative_By() < 1e-6);
    }
  }
  // What iterates that ring settle at is a matter of rounding.
  CHECK(met >= 1);
}

}  // namespace daewave::bvp
