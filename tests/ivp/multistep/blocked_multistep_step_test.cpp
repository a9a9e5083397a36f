// Beta-blocked multistep steps: orders on equal and unequal steps, what happens without blocking,
// starting values, dense output.

#include "ivp/multistep/blocked_multistep_step.hpp"

#include <cmath>
#include <functional>
#include <vector>

#include "problems/velocity_pendulum.hpp"
#include "tests/catch.hpp"
#include "tests/ivp/blocked_runs.hpp"

namespace daewave::ivp {

TEST_CASE("x and lambda have the orders of Theorem 2.1", "[multistep][AFS]") {
  for (const BlockedFormula& formula : all_formulas()) {
    const int steps = steps_for(formula);
    const Errors coarse = run(formula, steps), fine = run(formula, 2 * steps);
    CAPTURE(text_of(formula), coarse.x, fine.x, coarse.lambda, fine.lambda);
    CHECK(order(coarse.x, fine.x) == Approx(formula.order()).margin(0.2));
    CHECK(order(coarse.lambda, fine.lambda) == Approx(formula.k).margin(0.2));
  }
}

TEST_CASE("DCBDF with tau on B lambda is DCBDF for f and BDF for B lambda", "[multistep][AFS]") {
  // (3.2): rho x_n = h sigma f_n - h B_n lambda_n: what stands before B lambda of the past is 0.
  for (int k = 1; k <= 6; ++k) {
    GridNodes nodes;
    nodes.count = k + 1;
    for (int j = 0; j <= k; ++j) nodes.at[j] = -j;
    GridCoefficients at;
    find_coefficients(stable(MultistepFamily::dcbdf, k, Blocking::term), nodes, at);
    CHECK(at.multiplier == Approx(1).epsilon(1e-13));
    for (int j = 1; j <= k; ++j) {
      CHECK(std::abs(at.term[j]) < 1e-12);
      CHECK(at.tau[j] == 0);
    }
  }
}

TEST_CASE("without tau the multiplier grows without bound, faster on finer grids",
          "[multistep][AFS]") {
  std::vector<BlockedFormula> unblocked;
  for (int k = 2; k <= 6; ++k)
    unblocked.push_back({MultistepFamily::dcbdf, k, 0, Blocking::multiplier});
  for (int k = 2; k <= 3; ++k) {
    unblocked.push_back({MultistepFamily::adams_moulton, k, 0, Blocking::multiplier});
  }
  for (const BlockedFormula& formula : unblocked) {
    CAPTURE(text_of(formula));
    REQUIRE(blocking_radius(formula) > 1.3);
    const Errors with_tau = run(stable(formula.family, formula.k), 128);
    const Errors coarse = run(formula, 64), fine = run(formula, 128);
    CHECK(with_tau.lambda < 1e-3);
    CHECK(fine.lambda > 1e3);  // Or infinite: Newton's method has given up.
    CHECK((std::isinf(fine.lambda) || fine.lambda > 1e3 * coarse.lambda));
  }
  // One root on the circle: nothing grows, but nothing is damped either.
  const BlockedFormula trapezoidal{MultistepFamily::adams_moulton, 1, 0, Blocking::multiplier};
  CHECK(blocking_radius(trapezoidal) == Approx(1));
}

TEST_CASE("Adams-Moulton beyond its interval of c is unstable, not only refused",
          "[multistep][AFS]") {
  for (double c : {-0.4, -0.06}) {
    const BlockedFormula outside{MultistepFamily::adams_moulton, 3, c, Blocking::multiplier};
    CHECK(run(outside, 512).lambda > 1e3);
  }
  const BlockedFormula fourth{MultistepFamily::adams_moulton, 4, -0.09, Blocking::multiplier};
  CHECK(run(fourth, 512).lambda > 1e3);
}

TEST_CASE("DCBDF gains on BDF as 1 / h, and Adams-Moulton on DCBDF what error constants say",
          "[multistep][AFS]") {
  const auto x = [](MultistepFamily family, int steps) { return run(stable(family, 3), steps).x; };
  const double coarse = x(MultistepFamily::bdf, 64) / x(MultistepFamily::dcbdf, 64);
  const double fine = x(MultistepFamily::bdf, 256) / x(MultistepFamily::dcbdf, 256);
  CHECK(fine / coarse == Approx(4).epsilon(0.1));
  CHECK(fine > 50);
  CHECK(x(MultistepFamily::adams_moulton, 256) < x(MultistepFamily::dcbdf, 256));
}

TEST_CASE("orders hold on grids whose steps change", "[multistep]") {
  const VelocityPendulum pendulum;
  // Shorter and longer steps by turns, within the ratio that is stable.
  const auto by_turns = [&](int steps, double ratio) {
    return [=](int i) {
      const double pair = pendulum.length / (steps / 2);
      const double first = pair / (1 + ratio);
      return pendulum.begin + pair * (i / 2) + (i % 2) * first;
    };
  };
  // Smooth: steps become e times as long from the begin to the end.
  const auto graded = [&](int steps) {
    return [=](int i) {
      return pendulum.begin + pendulum.length * std::expm1(double(i) / steps) / std::expm1(1.0);
    };
  };
  for (const BlockedFormula& formula : all_formulas()) {
    if (formula.k > 5) continue;
    const int steps = steps_for(formula);
    const double ratio = largest_step_ratio(formula);
    CAPTURE(text_of(formula), ratio);
    for (const bool smooth : {true, false}) {
      const auto errors = [&](int n) {
        return smooth ? run(pendulum, formula, n, graded(n))
                      : run(pendulum, formula, n, by_turns(n, ratio));
      };
      const Errors coarse = errors(steps), fine = errors(2 * steps);
      CAPTURE(smooth, coarse.x, fine.x, coarse.lambda, fine.lambda);
      CHECK(order(coarse.x, fine.x) == Approx(formula.order()).margin(0.25));
      CHECK(order(coarse.lambda, fine.lambda) == Approx(formula.k).margin(0.25));
    }
  }
}

TEST_CASE("starting values computed are as good as exact ones", "[multistep]") {
  const VelocityPendulum pendulum;
  const auto exact = [&](double t, VecX& x, VecX& lambda) {
    x = pendulum.z_exact(t);
    lambda = pendulum.y_exact(t);
    return true;
  };
  for (const BlockedFormula& formula : all_formulas()) {
    const int steps = steps_for(formula);
    const auto node = [&](int i) { return pendulum.begin + pendulum.length * i / steps; };
    const Errors own = run(pendulum, formula, steps, node);
    const Errors given = run(pendulum, formula, steps, node, exact);
    CAPTURE(text_of(formula));
    CHECK(own.x == Approx(given.x).epsilon(1e-3).margin(1e-14));
    CHECK(own.lambda == Approx(given.lambda).epsilon(1e-3).margin(1e-13));
  }
}

TEST_CASE("starting values of lower order cost the order of the formula", "[multistep]") {
  // What the check above would not notice if starting values did not matter.
  const VelocityPendulum pendulum;
  const auto error = [&](int steps) {
    const double h = pendulum.length / steps;
    const auto poor = [&](double t, VecX& x, VecX& lambda) {
      const double off = t > pendulum.begin ? h * h : 0;
      x = pendulum.z_exact(t + off);
      lambda = pendulum.y_exact(t + off);
      return true;
    };
    const auto node = [&](int i) { return pendulum.begin + h * i; };
    return run(pendulum, stable(MultistepFamily::dcbdf, 4), steps, node, poor).x;
  };
  CHECK(order(error(64), error(128)) < 2.5);
}

TEST_CASE("a starting value that is not known is told", "[multistep]") {
  const VelocityPendulum pendulum;
  const auto system = index_two_of(pendulum, 1);
  const KnownSolution one_only = [&](double t, VecX& x, VecX& lambda) {
    x = pendulum.z_exact(t);
    lambda = pendulum.y_exact(t);
    return t == 1;
  };
  BlockedMultistepStep step(*system, stable(MultistepFamily::dcbdf, 3), Tolerance(Options{}, 4),
                            false, one_only);
  REQUIRE(step.start(1, VecX(pendulum.start())));
  CHECK(std::isnan(step.attempt(0.1)));
  CHECK_THAT(step.failure(), contains_text("starting value is not known") && contains_text("1.1"));
}

TEST_CASE("dense output has the order of x, and multipliers between steps that of lambda",
          "[multistep]") {
  const VelocityPendulum pendulum;
  for (const BlockedFormula& formula : all_formulas()) {
    const auto error = [&](int steps) {
      const auto system = index_two_of(pendulum, 1);
      BlockedMultistepStep step(*system, formula, Tolerance(Options{}, 4), false);
      REQUIRE(step.start(1, VecX(pendulum.start())));
      Errors errors;
      VecX x, lambda;
      const double h = pendulum.length / steps;
      for (int i = 1; i <= steps; ++i) {
        REQUIRE(step.attempt(h) == 0);
        REQUIRE(step.accept());
        for (double theta : {0.0, 0.3, 0.8, 1.0}) {
          const double t = step.t() - (1 - theta) * h;
          step.interpolate(theta, x);
          REQUIRE(step.multiplier_at(t, x, lambda));
          errors = errors.with(error_of(pendulum, t, x, lambda));
        }
      }
      return errors;
    };
    const int steps = steps_for(formula) / 2;
    const Errors coarse = error(steps), fine = error(2 * steps);
    CAPTURE(text_of(formula), coarse.x, fine.x, coarse.lambda, fine.lambda);
    CHECK(order(coarse.x, fine.x) > formula.order() - 0.3);
    CHECK(order(coarse.lambda, fine.lambda) > formula.k - 0.3);
  }
}

}  // namespace daewave::ivp
