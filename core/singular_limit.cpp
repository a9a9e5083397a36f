#include "core/singular_limit.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <vector>

#include "core/regularize_linear.hpp"

namespace daewave {

ProjectorLimit projector_limit(const LinearDae& problem, double t) {
  const int nx = problem.nx(), ny = problem.ny();
  const Interval& interval = problem.interval();
  // Rounding grows like d^-2 where B and C both vanish, the formula's error falls like d^4.
  const double d = 2e-3 * std::min(1.0, interval.length());
  std::vector<double> points, weights;
  if (t - 2 * d >= interval.begin && t + 2 * d <= interval.end) {
    points = {t - 2 * d, t - d, t + d, t + 2 * d};
    weights = {-1.0 / 6, 4.0 / 6, 4.0 / 6, -1.0 / 6};
  } else {
    const double inward = t - 2 * d < interval.begin ? d : -d;
    points = {t + inward, t + 2 * inward, t + 3 * inward, t + 4 * inward};
    weights = {4, -6, 4, -1};
  }
  CoefficientBatch batch(nx, ny, false);
  problem.evaluate(points.data(), static_cast<int>(points.size()), batch);
  ConstraintBases bases(nx, ny);
  ProjectorLimit limit{MatX::Zero(nx, nx), VecX::Zero(nx), false, d};
  for (std::size_t k = 0; k < points.size(); ++k) {
    const int i = static_cast<int>(k);
    MatX r = batch.r(i);
    bases.find(batch.B(i), batch.C(i), r);
    const Eigen::FullPivLU<MatX> lu(bases.WV());
    limit.P += weights[k] * bases.V() * lu.solve(bases.W());
    limit.BEr += weights[k] * (bases.V() * lu.solve(r)).col(0);
  }
  limit.finite = limit.P.allFinite() && limit.BEr.allFinite();
  return limit;
}

}  // namespace daewave
