// Runs of which the authors of the formulas have printed what their codes did.

#include <cmath>
#include <optional>

#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/run/integrate.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/plain_systems.hpp"

namespace daewave::ivp {
namespace {

/// A satellite of the earth and the moon; closed.
/// Hairer, Norsett, Wanner: Solving Ordinary Differential Equations I, II.0.
struct Arenstorf : PlainSystem {
  static constexpr double period = 17.0652165601579625588917206249;
  static Vec<4> start() { return Vec<4>(0.994, 0, 0, -2.00158510637908252240537862224); }
  bool rhs(double, const VecX& z, VecX& slope) override {
    const double moon = 0.012277471, earth = 1 - moon;
    const double from_earth = std::pow(std::hypot(z[0] + moon, z[1]), 3);
    const double from_moon = std::pow(std::hypot(z[0] - earth, z[1]), 3);
    slope[0] = z[2];
    slope[1] = z[3];
    slope[2] =
        z[0] + 2 * z[3] - earth * (z[0] + moon) / from_earth - moon * (z[0] - earth) / from_moon;
    slope[3] = z[1] - 2 * z[2] - earth * z[1] / from_earth - moon * z[1] / from_moon;
    return true;
  }
};

/// An ellipse of eccentricity 1/2.
struct Kepler : PlainSystem {
  static Vec<4> start() { return Vec<4>(0.5, 0, 0, std::sqrt(3.0)); }
  static double period() { return 2 * std::acos(-1.0); }
  bool rhs(double, const VecX& z, VecX& slope) override {
    const double cube = std::pow(std::hypot(z[0], z[1]), 3);
    slope = Vec<4>(z[2], z[3], -z[0] / cube, -z[1] / cube);
    return true;
  }
};

struct VanDerPol : PlainSystem {
  double epsilon = 1e-3;
  bool rhs(double, const VecX& z, VecX& slope) override {
    slope = Vec<2>(z[1], ((1 - z[0] * z[0]) * z[1] - z[0]) / epsilon);
    return true;
  }
};

Solution run(OdeSystem& system, Stepper stepper, const VecX& z0, double end, double tolerance,
             double first_step, std::optional<Control> control = {}) {
  Options options;
  options.control = control;
  options.atol = options.rtol = tolerance;
  options.first_step = first_step;
  ExplicitRkStep step(system, tableau(stepper), Tolerance(options, static_cast<int>(z0.size())));
  return integrate(step, z0, {0, end}, options);
}

/// Of DOP853; other constants are recommended here.
constexpr Control of_dop853{.safety = 0.9, .beta = 0, .shrink = 0.333, .grow = 6};

}  // namespace

TEST_CASE("dopri5 makes the steps of the code of its authors around the moon", "[steppers]") {
  Arenstorf system;
  const Solution solution =
      run(system, Stepper::dopri5, Arenstorf::start(), Arenstorf::period, 1e-7, 1e-4);
  const IntegrationReport& went = solution.report.integration;
  INFO(solution.report.full());
  // DOPRI5 prints fcn = 1442, accpt = 216, rejct = 22 (two more in its first step), and
  // z = (0.9940021016, 0.8911185692e-5), starting with a step of its own choice.
  CHECK(went.steps == Approx(216).margin(10));
  CHECK(went.rejected == Approx(22).margin(8));
  CHECK(went.evaluations == Approx(1442).epsilon(0.05));
  CHECK((solution.end() - VecX(Arenstorf::start())).head<2>().norm() < 3 * 0.0023);
}

TEST_CASE("dop853 makes the steps of the code of its authors", "[steppers]") {
  VanDerPol system;
  system.epsilon = 0.003;
  const Solution solution = run(system, Stepper::dop853, Vec<2>(2, 0), 2, 1e-3, 1e-4, of_dop853);
  INFO(solution.report.full());
  // DOP853: accpt = 215, rejct = 20, fcn = 2802 of which two are for the start. Limited by
  // stability: every step depends on all constants of the formula, the estimate and the control.
  CHECK(solution.report.integration.steps == 215);
  CHECK(solution.report.integration.rejected == 20);
  CHECK(solution.report.integration.evaluations == 2801);
  CHECK(solution.end()[0] == Approx(1.819907445729370).epsilon(1e-9));
  CHECK(solution.end()[1] == Approx(-0.7866363461162956).epsilon(1e-8));
}

TEST_CASE("dop853 follows van der Pol to the digits of its authors", "[steppers]") {
  VanDerPol system;
  const Solution solution = run(system, Stepper::dop853, Vec<2>(2, 0), 2, 1e-9, 1e-6, of_dop853);
  INFO(solution.report.full());
  CHECK(solution.end()[0] == Approx(1.763234540172087).epsilon(1e-12));
  CHECK(solution.end()[1] == Approx(-0.8356886819301910).epsilon(1e-11));
}

TEST_CASE("errors follow the tolerance", "[steppers]") {
  for (const ExplicitTableau& formula : all_tableaux()) {
    if (formula.error.empty()) continue;
    CAPTURE(name_of(formula.stepper));
    std::vector<double> errors;
    for (double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
      CAPTURE(tolerance);
      Kepler system;
      Options options;
      options.atol = options.rtol = tolerance;
      ExplicitRkStep step(system, formula, Tolerance(options, 4));
      const Solution solution = integrate(step, Kepler::start(), {0, Kepler::period()}, options);
      REQUIRE(solution.report.usable());
      errors.push_back((solution.end() - VecX(Kepler::start())).norm());
      // An error eps of one step moves the satellite by 3 pi / (1 - e) eps in one period; some
      // tens of steps add theirs.
      CHECK(errors.back() < 1000 * tolerance);
    }
    // Eight digits of tolerance are worth about eight digits of the solution.
    CHECK(std::log10(errors.front() / errors.back()) == Approx(8).margin(2));
  }
}

TEST_CASE("dop853 rejects few steps of an orbit, and needs fewer evaluations for its error",
          "[steppers]") {
  const auto error_of = [](const Solution& solution) {
    return (solution.end() - VecX(Arenstorf::start())).head<2>().norm();
  };
  Arenstorf system;
  // The same tolerance: few rejected steps pay for shorter ones, and the error is smaller.
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    CAPTURE(tolerance);
    const auto with = [&](std::optional<Control> control) {
      return run(system, Stepper::dop853, Arenstorf::start(), Arenstorf::period, tolerance, 1e-4,
                 control);
    };
    const Solution recommended = with({}), authors = with(of_dop853);
    const IntegrationReport &few = recommended.report.integration,
                            &many = authors.report.integration;
    INFO(few.steps << " " << few.rejected << " " << many.steps << " " << many.rejected << " "
                   << error_of(recommended) << " " << error_of(authors));
    CHECK(few.rejected <= few.steps / 10);
    CHECK(few.rejected < many.rejected);
    CHECK(10 * few.evaluations <= 11 * many.evaluations);
    CHECK(error_of(recommended) < error_of(authors));
  }
}

}  // namespace daewave::ivp
