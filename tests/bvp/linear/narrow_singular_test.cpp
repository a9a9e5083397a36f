// Singular points between the few points at which C B is looked at first.

#include <cmath>

#include "bvp/solve.hpp"
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

}  // namespace daewave::bvp
