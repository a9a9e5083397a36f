// Through configurations where the constraints become dependent.            [AL2] Example 6.5

#include <cmath>
#include <numbers>

#include "core/regularize/regularize.hpp"
#include "ivp/run/integrate.hpp"
#include "ivp/srm/srm_defaults.hpp"
#include "ivp/srm/srm_step.hpp"
#include "problems/slider_crank.hpp"
#include "problems/slider_crank_reference.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/struct_doors.hpp"

using namespace daewave;
using problems::SliderCrank;
using problems::SliderCrankReference;

namespace {

Regularization singular(double epsilon) {
  Regularization form;
  form.variant = Variant::singular;
  form.epsilon = epsilon;
  return form;
}

}  // namespace

TEST_CASE("46 crossings in 70 s: errors of the three iterates", "[srm][AL2-6.5]") {
  constexpr double h = 1e-4;
  const SliderCrank crank;
  SliderCrankReference reference(crank);
  ivp::SrmStep step(regularize(crank, singular(h), crank.start()), ivp::tableau(ivp::Stepper::heun),
                    3);
  REQUIRE(step.start(0, crank.start()));
  double largest[3] = {0, 0, 0};
  for (int i = 1; i <= 700000; ++i) {
    if (std::isnan(step.attempt(i * h - step.t()))) FAIL(step.failure());
    step.accept();
    if (i % 50 != 0) continue;  // phi1 changes by less than 0.03 in between.
    const double phi1 = reference.at(step.t())[0];
    for (int s = 0; s < 3; ++s) {
      largest[s] = std::max(largest[s], std::abs(step.iterate(s + 1).x[2] - phi1));
    }
  }
  // An independent program: 1.3e-1, 2.3e-4, 8.6e-7.
  CHECK(largest[0] == Approx(1.3e-1).epsilon(0.05));
  CHECK(largest[1] == Approx(2.3e-4).epsilon(0.05));
  CHECK(largest[2] == Approx(8.6e-7).epsilon(0.05));
  CHECK(step.ode().guarded() == 0);
}

TEST_CASE("a start at the singular configuration needs the rank guard, and works", "[srm]") {
  SliderCrank crank;
  const double phi1 = std::numbers::pi / 2, rate = 3;
  // The reference goes through it from a start that is not singular: the rate there by energy.
  const auto error = [&](double rank_tolerance) {
    Regularization form = singular(2e-4);
    form.rank_tolerance = rank_tolerance;
    ivp::SrmStep step(regularize(crank, form, crank.start()), ivp::tableau(ivp::Stepper::heun), 3);
    REQUIRE(step.start(0, crank.state(phi1, rate)));
    double angle = phi1, speed = rate, largest = 0;
    const auto pull = [](double a, double w) {  // Lagrange's equation in phi1.
      const double s = std::sin(a), c = std::cos(a);
      return -c * (2 * s * w * w + 9.81) / (2.0 / 3 + 2 * s * s);
    };
    constexpr double h = 2e-4;
    for (int i = 0; i < 10000; ++i) {
      if (std::isnan(step.attempt(h))) return INFINITY * 1.0;
      step.accept();
      // The midpoint rule: its error over 2 s is below 1e-6.
      const double middle = angle + h / 2 * speed, slowed = speed + h / 2 * pull(angle, speed);
      speed += h * pull(middle, slowed);
      angle += h * slowed;
      largest = std::max(largest, std::abs(step.state()[2] - angle));
    }
    return largest;
  };
  CHECK(error(1e-12) < 1e-3);
  CHECK(error(1e-6) < 1e-3);
  CHECK_FALSE(error(0) < 1);  // What a pivot of rounding does.
}

TEST_CASE("every tolerance leads through 20 crossings, with defaults", "[srm]") {
  const SliderCrank crank;
  constexpr double end = 30;
  SliderCrankReference reference(crank);
  const double exact = reference.at(end)[0];
  // Ten of the forty tolerances that bench/srm.cpp runs.
  for (int i = 0; i < 40; i += 4) {
    ivp::Options options;
    options.atol = options.rtol = 1e-5 * std::pow(1e-4, i / 39.0);
    options.every = 0;
    options.multipliers = false;
    const auto& formula = ivp::tableau(ivp::Stepper::dopri5);
    const ivp::SrmChoices chosen =
        ivp::choose_srm(crank, crank.start(), {0, end}, ivp::Srm{}, options, formula);
    options.largest_step = chosen.largest_step;
    ivp::SrmStep step(regularize(crank, chosen.form, crank.start()), formula, chosen.iterates, {},
                      ivp::Tolerance(options, 12), true);
    ivp::Monitors monitors;
    monitors.drift = false;
    const ivp::Solution solution = ivp::integrate(step, crank.start(), {0, end}, options, monitors);
    CAPTURE(options.rtol, chosen.form.epsilon, chosen.iterates);
    REQUIRE(solution.report.usable());
    // Local errors add up over 30 s; a wrong branch would be off by radians.
    CHECK(std::abs(solution.end()[2] - exact) < 30 * options.rtol);
  }
}
