// Singular points between the few points at which C B is looked at first.

#include <algorithm>
#include <cmath>

#include "bvp/solve.hpp"
#include "tests/bvp/linear/random_problem.hpp"
#include "tests/catch.hpp"
#include "tests/core/singular_coefficients.hpp"

namespace daewave::bvp {
namespace {

using testing::ManufacturedDae;

/// C B is one but near t = 0.5037, where it dips to zero, touching it or changing its sign.
ManufacturedDae narrow(double width, bool changes_sign) {
  const auto factor = [=](double t) {
    const double s = (t - 0.5037) / width;
    return changes_sign ? std::tanh(s) : 1 - std::exp(-s * s);
  };
  const auto A = [](double) { return MatX{{0, 1}, {-1, 0}}; };
  const auto B = [](double) { return MatX{{1}, {0.5}}; };
  const auto C = [factor](double t) { return MatX(factor(t) * MatX{{1, 0.3}}); };
  return {{0, 1}, A, B, C, MatX{{0, 1}}, MatX::Zero(1, 2), 61};
}

}  // namespace

TEST_CASE("a singular point between the first points looked at is found with the others",
          "[linear][singular]") {
  for (const double width : {1e-2, 3e-3, 1e-3}) {
    for (const bool changes_sign : {false, true}) {
      CAPTURE(width, changes_sign);
      const auto problem = narrow(width, changes_sign);
      const Solution solution = solve(problem, {.tolerance = 1e-6});
      REQUIRE(solution.report.singular_points.size() == 1);
      CHECK(solution.report.singular_points[0].t == Approx(0.5037).margin(1e-4));
      CHECK(solution.regularization().alpha1 == 0);
      if (!solution.report.usable()) continue;
      double error = 0;
      for (int i = 0; i <= 1000; ++i) {
        error = std::max(error, (solution.x(i / 1000.0) - problem.x_exact(i / 1000.0)).norm());
      }
      CHECK(error < 1e-5);
    }
  }
}

namespace {

/// C B vanishes where the constrained component has a peak, or beside it.
testing::RandomProblem peak_at_zero(int order, double at, double beside, double width) {
  testing::RandomProblem problem;
  problem.n = 2;
  problem.m = 1;
  problem.modes = {-1};
  problem.turning = 1;
  problem.zero_order = order;
  problem.zero_at = at;
  problem.rows = problem.columns = {1};
  problem.beside = MatX{{0.5, -0.3}};
  problem.oblique = MatX{{0.2}};
  testing::RandomFunction smooth;
  smooth.amplitude = 0.7;
  smooth.frequency = 2;
  smooth.phase = 0.4;
  testing::RandomFunction peak = smooth;
  peak.feature = testing::RandomFunction::Feature::peak;
  peak.at = at + beside;
  peak.width = width;
  peak.height = 1;
  problem.z = {smooth, peak};
  problem.y = {smooth};
  return problem;
}

}  // namespace

TEST_CASE("a narrow peak on a zero of C B is resolved, B y at the zero too", "[linear][singular]") {
  constexpr double tolerance = 1e-6;
  for (const int order : {1, 2}) {
    for (const double width : {3e-3, 3e-4}) {
      for (const double at : {0.7071}) {
        for (const double beside : {0.0, width}) {
          CAPTURE(order, width, at, beside);
          const auto problem = peak_at_zero(order, at, beside, width);
          const Solution solution = solve(problem, {.tolerance = tolerance});
          INFO(solution.report.full());
          REQUIRE(solution.has_values());
          double x = 0, By = 0;
          for (int i = -2000; i <= 2000; ++i) {
            const double t = std::clamp(at + 1e-2 * i * width, 0.0, 1.0);
            x = std::max(x, (solution.x(t) - problem.x_exact(t)).cwiseAbs().maxCoeff());
            By = std::max(By, (solution.By(t) - problem.By_exact(t)).cwiseAbs().maxCoeff());
          }
          CHECK(solution.report.usable());
          CHECK(x < tolerance);
          CHECK(By < 2 * tolerance);
        }
      }
    }
  }
}

}  // namespace daewave::bvp
