// The residual of a linear solution between its stages is what its definition says.

#include "bvp/linear/linear_residual.hpp"

#include <cmath>
#include <vector>

#include "bvp/linear/linear_values.hpp"
#include "bvp/solve.hpp"
#include "tests/catch.hpp"
#include "tests/core/manufactured_dae.hpp"

namespace daewave::bvp {
namespace {

/// Of few short intervals, in which J h is small, and so far from the solution that nothing of the
/// residual is rounding.
Solution coarse(const testing::ManufacturedDae& problem, int intervals) {
  return solve(problem, {.scheme = Scheme::gauss,
                         .stages = 2,
                         .intervals = intervals,
                         .epsilon = 1e-1,
                         .alpha1 = 0.0,
                         .iterates = 1,
                         .shooting_back = false,
                         .conditioning = false});
}

Places places(const LinearData& data, int interval, const std::vector<double>& parts,
              PolynomialsAt& polynomials) {
  const CollocationCurve& curve = data.curve;
  polynomials.set(curve.polynomials(),
                  Eigen::Map<const VecX>(parts.data(), static_cast<Eigen::Index>(parts.size())));
  Places at;
  for (const double part : parts) {
    at.t.push_back(curve.mesh().node(interval) + part * curve.mesh().step(interval));
  }
  at.polynomials = &polynomials;
  return at;
}

}  // namespace

TEST_CASE("residuals of linear solutions are those of x', of B y and of the constraint",
          "[bvp][residual]") {
  const testing::ManufacturedDae problem = testing::random_symmetric_dae(4, 2, 5, {0, 0.2});
  const Solution solution = coarse(problem, 3);
  REQUIRE(solution.has_values());
  const LinearData& data = linear_data(solution);
  const VecX sizes = data.sizes.x.finite(data.curve.values().x);
  const std::vector<double> parts{0.05, 0.5, 0.9};
  for (const bool regular : {false, true}) {
    LinearResidual residual(data, regular);
    for (int i = 0; i < 3; ++i) {
      ResidualValues found;
      PolynomialsAt polynomials;
      residual(i, places(data, i, parts, polynomials), found);
      const int above = regular ? 8 : 4;
      REQUIRE(found.values.rows() == above + 2);
      for (int p = 0; p < 3; ++p) {
        const double t = data.curve.mesh().node(i) +
                         parts[static_cast<std::size_t>(p)] * data.curve.mesh().step(i);
        CAPTURE(regular, i, t);
        const VecX x = solution.x(t), By = solution.By(t), slope = solution.values().slope(i, t);
        const MatX A = problem.A(t), B = problem.B(t), C = problem.C(t);
        const VecX of_x = slope - A * x + By - problem.q(t);
        const VecX of_constraint = C * x + problem.r(t);
        const VecX size_of_x = slope.cwiseAbs() + A.cwiseAbs() * x.cwiseAbs() + By.cwiseAbs() +
                               problem.q(t).cwiseAbs();
        // What residuals become within the interval is about themselves where steps are short.
        for (int r = 0; r < 4; ++r) {
          CHECK(found.values(r, p) == Approx(of_x[r]).epsilon(0.05).margin(1e-3 * of_x.norm()));
          CHECK(found.sizes(r, p) == Approx(size_of_x[r]).epsilon(0.05));
        }
        if (regular) {
          const VecX of_By = B * (C * B).inverse() * (C * of_x);
          for (int r = 0; r < 4; ++r) {
            CHECK(found.values(4 + r, p) == Approx(of_By[r]).margin(1e-10));
          }
        }
        const VecX unit = C.cwiseAbs() * sizes;
        const VecX size_of_constraint = C.cwiseAbs() * x.cwiseAbs() + problem.r(t).cwiseAbs();
        for (int r = 0; r < 2; ++r) {
          CHECK(found.values(above + r, p) == Approx(of_constraint[r] / unit[r]).margin(1e-12));
          CHECK(found.sizes(above + r, p) == Approx(size_of_constraint[r] / unit[r]));
        }
      }
    }
  }
}

TEST_CASE("the constraint is told where it is missed the most", "[bvp][residual]") {
  const testing::ManufacturedDae problem = testing::random_symmetric_dae(4, 2, 6, {0, 1});
  const Solution solution = coarse(problem, 20);
  REQUIRE(solution.has_values());
  const LinearData& data = linear_data(solution);
  const VecX sizes = data.sizes.x.finite(data.curve.values().x);
  double most = 0, at_most = 0;
  for (const double t : solution.mesh().nodes()) {
    const MatX C = problem.C(t);
    const VecX off = (C * solution.x(t) + problem.r(t)).cwiseAbs();
    const double here = off.cwiseQuotient(C.cwiseAbs() * sizes).maxCoeff();
    if (here > most) {
      most = here;
      at_most = t;
    }
  }
  double at = -1;
  CHECK(constraint_excess(data, at) == Approx(most));
  CHECK(at == at_most);
  CHECK(most > 1e-3);
}

TEST_CASE("residuals are small where x and B y have errors below the tolerance",
          "[bvp][residual]") {
  const testing::ManufacturedDae problem = testing::random_symmetric_dae(3, 1, 7, {0, 1});
  const Solution solution = coarse(problem, 5);
  const LinearData& data = linear_data(solution);
  const VecX x_size = data.sizes.x.of(data.curve.values().x);
  const VecX By_size = data.sizes.carried.of(data.curve.values().carried);
  const ResidualLimits limits = LinearResidual(data, true).limits(1e-3);
  CHECK(limits.smooth == 6);
  for (int r = 0; r < 3; ++r) {
    CHECK(limits.integral[r] == Approx(limit_of_integral * 1e-3 * x_size[r]));
    CHECK(limits.value[3 + r] == Approx(limit_of_value * 1e-3 * By_size[r]));
    CHECK(std::isinf(limits.value[r]));
    CHECK(std::isinf(limits.integral[3 + r]));
  }
  CHECK(limits.value[6] == Approx(2e-3));
  const ResidualLimits singular = LinearResidual(data, false).limits(1e-3);
  CHECK(singular.smooth == 3);
  for (int r = 0; r < 3; ++r) {
    CHECK(singular.value[r] == Approx(limit_of_value * 1e-3 * By_size[r]));
  }
}

}  // namespace daewave::bvp
