// Stability and coefficients of the beta-blocked formulas.

#include "ivp/multistep/blocked_formula.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "core/error.hpp"
#include "ivp/multistep/grid_coefficients.hpp"
#include "ivp/options/srm.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {
namespace {

double radius(MultistepFamily family, int k, double c) {
  return blocking_radius({family, k, c, Blocking::multiplier});
}

BlockedFormula formula(MultistepFamily family, int k, Blocking blocking = Blocking::multiplier) {
  return blocked_formula(family, k, {}, blocking);
}

int steps_of(MultistepFamily family) { return family == MultistepFamily::adams_moulton ? 3 : 6; }

/// Nodes of `count` steps, the newest of length one, with ratios between 1 / most and most.
GridNodes random_nodes(int count, double most, std::mt19937& random) {
  std::uniform_real_distribution<double> unit(-1, 1);
  GridNodes nodes;
  nodes.count = count;
  double step = 1;
  for (int j = 1; j < count; ++j) {
    nodes.at[j] = nodes.at[j - 1] - step;
    step *= std::pow(most, unit(random));
  }
  return nodes;
}

/// rho x - sigma x' for x = theta^power, of a formula on these nodes.
double defect(const GridCoefficients& at, const GridNodes& nodes, int k, int power) {
  const auto x = [&](int j) { return std::pow(nodes.at[j], power); };
  const auto rate = [&](int j) {
    return power == 0 ? 0.0 : power * std::pow(nodes.at[j], power - 1);
  };
  double sum = 0;
  for (int j = 0; j < k; ++j) sum += at.increment[j] * (x(j) - x(j + 1));
  for (int j = 0; j <= k; ++j) sum -= at.slope[j] * rate(j);
  return sum;
}

}  // namespace

TEST_CASE("the coefficients of Adams and Moulton are those of the textbooks", "[multistep]") {
  const double expected[] = {1,           -0.5,       -1.0 / 12,      -1.0 / 24,
                             -19.0 / 720, -3.0 / 160, -863.0 / 60480, -275.0 / 24192};
  for (int j = 0; j <= 7; ++j) {
    CHECK(adams_moulton_coefficient(j) == Approx(expected[j]).epsilon(1e-14));
  }
}

TEST_CASE("without blocking no sigma but that of BDF is stable", "[multistep][AFS]") {
  const double dcbdf[] = {1, 1.37, 1.70, 2.02, 2.32, 2.61};
  for (int k = 1; k <= 6; ++k) {
    CHECK(radius(MultistepFamily::dcbdf, k, 0) == Approx(dcbdf[k - 1]).margin(0.006));
    CHECK(radius(MultistepFamily::adams_moulton, k, 0) > 1 - 1e-12);
    CHECK(radius(MultistepFamily::bdf, k, 0) == 0);
  }
}

TEST_CASE("tau of DCBDF leaves no root of sigma - tau", "[multistep][AFS]") {
  // Rounding of coefficients, 1e-16, moves a root of multiplicity k by its k-th root.
  for (int k = 1; k <= 6; ++k) CHECK(blocking_radius(formula(MultistepFamily::dcbdf, k)) < 1e-2);
}

TEST_CASE("Adams-Moulton is stabilized for k up to 3, in the intervals of Figure 4.1",
          "[multistep][AFS]") {
  const BlockingInterval one = adams_moulton_blocking(1);
  CHECK(one.best == Approx(-0.5).margin(1e-6));
  CHECK(one.radius == Approx(0).margin(1e-6));
  CHECK(std::isinf(one.least));
  CHECK(one.greatest == Approx(0).margin(1e-9));
  for (double c : {-0.3, -0.7, -2.0}) {  // The root of 1/2 - c + (1/2 + c) / zeta.
    CHECK(radius(MultistepFamily::adams_moulton, 1, c) == Approx(std::abs((0.5 + c) / (0.5 - c))));
  }

  const BlockingInterval two = adams_moulton_blocking(2);
  CHECK(two.best == Approx(-7.0 / 48).margin(1e-6));
  CHECK(two.radius == Approx(1.0 / 3).margin(1e-6));
  CHECK(std::isinf(two.least));
  CHECK(two.greatest == Approx(-1.0 / 12).margin(1e-9));
  CHECK(radius(MultistepFamily::adams_moulton, 2, -0.15) == Approx(0.343).margin(1e-3));

  const BlockingInterval three = adams_moulton_blocking(3);
  CHECK(three.best == Approx(-0.0910).margin(1e-4));
  CHECK(three.radius == Approx(0.673).margin(1e-3));
  CHECK(three.least == Approx(-0.25).margin(1e-9));
  CHECK(three.greatest == Approx(-1.0 / 12).margin(1e-9));
  CHECK(radius(MultistepFamily::adams_moulton, 3, -0.1) == Approx(0.710).margin(1e-3));

  // sigma - tau = (nabla - 2)^2 (nabla^2 + 3 nabla + 6) / 24 with a double root at -1.
  const BlockingInterval four = adams_moulton_blocking(4);
  CHECK(four.empty());
  CHECK(four.best == Approx(-49.0 / 720).margin(1e-5));
  CHECK(four.radius == Approx(1).margin(1e-6));
  CHECK(adams_moulton_blocking(5).radius == Approx(1.317).margin(1e-3));
  CHECK(adams_moulton_blocking(6).radius == Approx(1.626).margin(1e-3));
}

TEST_CASE("c is by default where the largest root is smallest", "[multistep][AFS]") {
  for (int k = 1; k <= 3; ++k) {
    const BlockingInterval stable = adams_moulton_blocking(k);
    CHECK(formula(MultistepFamily::adams_moulton, k).c == Approx(stable.best).margin(1e-4));
  }
}

TEST_CASE("what is not stable is refused with the root that is to blame", "[multistep][AFS]") {
  const auto adams = [](int k, std::optional<double> c) {
    return blocked_formula(MultistepFamily::adams_moulton, k, c, Blocking::multiplier);
  };
  for (int k : {4, 5, 6}) {
    CHECK_THROWS_WITH(adams(k, {}),
                      contains_text("order = ") && contains_text("largest root of sigma - tau") &&
                          contains_text("leave order open") && contains_text("dcbdf"));
    CHECK_THROWS_AS(adams(k, -0.07), InvalidOption);
  }
  CHECK_THROWS_WITH(adams(4, {}), contains_text("1.0000 at best (c = -0.0681)"));
  CHECK_THROWS_WITH(adams(3, -0.3),
                    contains_text("c = -0.3") && contains_text("between -0.2500 and -0.0833"));
  CHECK_THROWS_WITH(adams(3, -0.05), contains_text("c = -0.05"));
  CHECK_THROWS_WITH(adams(2, 0.0), contains_text("c < -0.0833") && contains_text("-0.1458"));
  CHECK_THROWS_WITH(adams(1, 0.2), contains_text("c = 0.2"));
  CHECK_THROWS_WITH(adams(2, NAN), contains_text("finite"));
  CHECK_NOTHROW(adams(2, -3.0));
  CHECK_THROWS_WITH(blocked_formula(MultistepFamily::dcbdf, 7, {}, Blocking::multiplier),
                    contains_text("order = 7") && contains_text("root of 1.02"));
  CHECK_THROWS_WITH(formula(MultistepFamily::bdf, 0), contains_text("between 1 and 6"));
  CHECK_THROWS_WITH(blocked_formula(MultistepFamily::dcbdf, 3, -0.2, Blocking::multiplier),
                    contains_text("c = -0.2") && contains_text("adams-moulton"));
}

TEST_CASE("options name the formula, and no other method is one", "[multistep]") {
  CHECK(blocked_formula(Dcbdf{}).k == 3);
  CHECK(blocked_formula(Dcbdf{}).order() == 4);
  CHECK(blocked_formula(DcbdfBdf{.order = 5}).order() == 5);
  CHECK(blocked_formula(DcbdfBdf{}).blocking == Blocking::term);
  CHECK(blocked_formula(Bdf{.order = 6}).order() == 6);
  CHECK(blocked_formula(AdamsMoulton{.order = 2, .c = -0.15}).c == -0.15);
  STATIC_REQUIRE_FALSE(std::is_constructible_v<BlockedMultistep, Srm>);
}

TEST_CASE("formulas have their order on any grid", "[multistep]") {
  std::mt19937 random(3);
  for (MultistepFamily family :
       {MultistepFamily::bdf, MultistepFamily::dcbdf, MultistepFamily::adams_moulton}) {
    for (int k = 1; k <= steps_of(family); ++k) {
      const BlockedFormula blocked = formula(family, k);
      for (int grid = 0; grid < 10; ++grid) {
        const GridNodes nodes = random_nodes(blocked.order() + 2, 1.5, random);
        GridCoefficients at;
        find_coefficients(blocked, nodes, at);
        CAPTURE(static_cast<int>(family), k, grid);
        const int order = blocked.order();
        // Terms are as large as the power of the farthest node.
        const double size = std::pow(nodes.at[nodes.count - 1], order);
        for (int power = 0; power <= order; ++power) {
          CHECK(std::abs(defect(at, nodes, k, power)) < 1e-13 * std::abs(size));
        }
        CHECK(std::abs(defect(at, nodes, k, order + 1)) > 1e-3);
        CHECK(at.error != 0);
        double tau = 0;  // Of constants and, for k > 1, of straight lines.
        tau = at.slope[0] - at.multiplier;
        for (int j = 1; j <= k; ++j) tau += at.tau[j];
        CHECK(std::abs(tau) < 1e-12);
      }
    }
  }
}

TEST_CASE("on equal steps coefficients and error constants are those of the papers",
          "[multistep][AFS]") {
  const double adams[] = {-1.0 / 12, -1.0 / 24, -19.0 / 720};
  const double dcbdf[] = {-1.0 / 12, -1.0 / 12, -3.0 / 40, -1.0 / 15, -5.0 / 84, -3.0 / 56};
  for (MultistepFamily family : {MultistepFamily::dcbdf, MultistepFamily::adams_moulton}) {
    for (int k = 1; k <= steps_of(family); ++k) {
      const BlockedFormula blocked = formula(family, k);
      GridNodes nodes;
      nodes.count = k + 3;
      for (int j = 0; j < nodes.count; ++j) nodes.at[j] = -j;
      GridCoefficients at;
      find_coefficients(blocked, nodes, at);
      // Table 3.1: the coefficient of h^(k+2) x^(k+2), here of theta^(k+2) / (k+2)!.
      const double constant = defect(at, nodes, k, k + 2) / std::tgamma(k + 3);
      CHECK(constant ==
            Approx((family == MultistepFamily::dcbdf ? dcbdf : adams)[k - 1]).epsilon(1e-10));
      // And the error estimate is that of x_n where the past is exact: prediction misses
      // nabla^(k+2) x = h^(k+2) x^(k+2).
      CHECK(at.error * at.increment[0] == Approx(constant).epsilon(1e-10));
    }
  }
}

TEST_CASE("errors of x and lambda die out on grids that change as fast as is allowed",
          "[multistep]") {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(0, 1);
  for (MultistepFamily family :
       {MultistepFamily::bdf, MultistepFamily::dcbdf, MultistepFamily::adams_moulton}) {
    for (int k = 2; k <= std::min(5, steps_of(family)); ++k) {
      const BlockedFormula blocked = formula(family, k);
      const double most = largest_step_ratio(blocked);
      CAPTURE(static_cast<int>(family), k, most);
      CHECK(most > 1);
      CHECK(most <= 2);
      double left = 0;
      for (int trial = 0; trial < 60; ++trial) {
        std::vector<double> steps(k + 1, 1.0);
        std::vector<double> x(k + 1), lambda(k + 1);
        for (double& value : x) value = 2 * unit(random) - 1;
        for (double& value : lambda) value = 2 * unit(random) - 1;
        for (int n = 0; n < 200; ++n) {
          // Anywhere between, or one of the ends at random or in turn.
          const double pick = trial % 3 == 0   ? unit(random)
                              : trial % 3 == 1 ? std::round(unit(random))
                                               : (n % (2 + trial % 5) == 0 ? 0.0 : 1.0);
          steps.insert(steps.begin(),
                       steps.front() * std::pow(0.7, 1 - pick) * std::pow(most, pick));
          steps.pop_back();
          GridNodes nodes;
          nodes.count = k + 1;
          for (int j = 1; j <= k; ++j) nodes.at[j] = nodes.at[j - 1] - steps[j - 1] / steps[0];
          GridCoefficients at;
          find_coefficients(blocked, nodes, at);
          double D = 0, L = 0;
          for (int j = 1; j < k; ++j) D -= at.increment[j] * x[j - 1];
          for (int j = 1; j <= k; ++j) L -= (at.term[j] - at.tau[j]) * lambda[j - 1];
          x.insert(x.begin(), D / at.increment[0]);
          lambda.insert(lambda.begin(), L / at.multiplier);
          x.pop_back();
          lambda.pop_back();
        }
        left = std::max({left, std::abs(x.front()), std::abs(lambda.front())});
      }
      CHECK(left < 1e-2);
    }
  }
}

}  // namespace daewave::ivp
