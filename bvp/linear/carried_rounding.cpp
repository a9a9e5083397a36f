#include "bvp/linear/carried_rounding.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "bvp/residual/unresolved.hpp"

namespace daewave::bvp {
namespace {

/// Of a number rounded to the nearest: half of the most.
constexpr double usual_rounding = 0.25 * std::numeric_limits<double>::epsilon();

/// How many times as large errors of slopes are as those of x at the stages, which are independent
/// of each other, over the step.
double amplification(const Collocation& scheme) {
  const int known = scheme.starts_at_node() ? 1 : 0, k = scheme.stages - known;
  if (k == 0) return 0;
  const MatX inverse = MatX(scheme.a.bottomRightCorner(k, k)).inverse();
  const double most = inverse.rowwise().norm().maxCoeff();
  return std::isfinite(most) ? most : 0;
}

/// What is known of the worst stage so far.
struct Worst {
  double rounding = 0, at = 0;
};

/// The worst of the stages that are here, where it may be more than `least`.
Worst worst_here(const LinearData& of, double least) {
  // Projections along the constraint onto what multipliers act on are oblique, seldom by more.
  constexpr double oblique = 100;
  const CollocationCurve& curve = of.curve;
  const Mesh& mesh = curve.mesh();
  const int k = curve.scheme().stages, n = of.problem->nx(), m = of.problem->ny();
  const double length =
      of.share.is_shared() ? of.share.end - of.share.begin : mesh.end() - mesh.begin();
  const VecX sizes = of.sizes.carried.of(of.extent_carried);
  const double factor = usual_rounding * amplification(curve.scheme());
  Worst worst;
  CoefficientBatch batch(n, m, false);
  std::vector<double> t(static_cast<std::size_t>(k));
  for (int i = 0; i < mesh.intervals(); ++i) {
    if (is_between_sides(mesh, i, length)) continue;  // Of a jump: B y there is that of a side.
    const double unit = factor / mesh.step(i);
    const double latest = std::max(std::abs(mesh.node(i)), std::abs(mesh.node(i + 1)));
    const auto slopes = curve.slopes_of(i);
    const auto x = curve.values().x.col(i);
    const double bound = unit * (latest * slopes.cwiseAbs().maxCoeff() + x.cwiseAbs().maxCoeff());
    if (!(oblique * bound > least * sizes.minCoeff())) continue;
    for (int j = 0; j < k; ++j) t[static_cast<std::size_t>(j)] = curve.stage_time(i, j);
    of.problem->evaluate(t.data(), k, batch);
    for (int j = 0; j < k; ++j) {
      const auto B = batch.B(j), C = batch.C(j);
      const Eigen::PartialPivLU<MatX> CB(MatX(C.lazyProduct(B)));
      const VecX of_time = B * CB.solve(VecX(C * slopes.col(j)));
      const VecX of_x = B.cwiseAbs() * CB.solve(VecX(C.cwiseAbs() * x.cwiseAbs())).cwiseAbs();
      const double time = t[static_cast<std::size_t>(j)];
      for (int row = 0; row < n; ++row) {
        const double here = unit * (std::abs(time * of_time[row]) + of_x[row]) / sizes[row];
        if (here > worst.rounding && std::isfinite(here)) worst = {here, time};
      }
    }
  }
  return worst;
}

}  // namespace

double rounding_of_By(const LinearData& of, double tolerance, double& at) {
  if (of.regularization.alpha1 > 0 || !of.curve.has_slopes()) return 0;
  const double least = 0.1 * tolerance;
  Worst here;
  of.share.together([&] { here = worst_here(of, least); });
  const std::vector<double> worst = of.share.worst({here.rounding, here.at});
  if (!(worst[0] > least)) return 0;
  at = worst[1];
  return worst[0];
}

}  // namespace daewave::bvp
