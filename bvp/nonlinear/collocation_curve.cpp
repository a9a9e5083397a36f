#include "bvp/nonlinear/collocation_curve.hpp"

#include <algorithm>

namespace daewave::bvp {

VecX CollocationCurve::x(double t) const {
  const int i = mesh_.locate(t), k = scheme_.stages;
  const double theta = (t - mesh_.node(i)) / mesh_.step(i);
  if (theta == 1) return values_.x.col(i + 1);
  return values_.x.col(i) +
         mesh_.step(i) * (values_.slopes.middleCols(i * k, k) * scheme_.integrated_weights(theta));
}

VecX CollocationCurve::slope(double t) const {
  const int i = mesh_.locate(t), k = scheme_.stages;
  const double theta = (t - mesh_.node(i)) / mesh_.step(i);
  return values_.slopes.middleCols(i * k, k) * scheme_.interpolation_weights(theta);
}

VecX CollocationCurve::carried(double t) const {
  const int i = mesh_.locate(t), k = scheme_.stages;
  if (k == 1 && mesh_.intervals() > 1) {
    const auto stage = [&](int interval) {
      return mesh_.node(interval) + scheme_.c[0] * mesh_.step(interval);
    };
    const int left = std::clamp(t < stage(i) ? i - 1 : i, 0, mesh_.intervals() - 2);
    const double theta = (t - stage(left)) / (stage(left + 1) - stage(left));
    return (1 - theta) * values_.carried.col(left) + theta * values_.carried.col(left + 1);
  }
  const double theta = (t - mesh_.node(i)) / mesh_.step(i);
  return values_.carried.middleCols(i * k, k) * scheme_.interpolation_weights(theta);
}

CollocationValues CollocationCurve::on(const Mesh& mesh, const Collocation& scheme) const {
  const int k = scheme.stages, intervals = mesh.intervals();
  CollocationValues values;
  values.x.resize(values_.x.rows(), intervals + 1);
  values.slopes.resize(values_.slopes.rows(), static_cast<Eigen::Index>(k) * intervals);
  values.carried.resize(values_.carried.rows(), static_cast<Eigen::Index>(k) * intervals);
  for (int i = 0; i <= intervals; ++i) values.x.col(i) = x(mesh.node(i));
  for (int i = 0; i < intervals; ++i) {
    for (int j = 0; j < k; ++j) {
      const double c = scheme.c[j];
      const double t = c == 1 ? mesh.node(i + 1) : mesh.node(i) + c * mesh.step(i);
      values.slopes.col(i * k + j) = slope(t);
      values.carried.col(i * k + j) = carried(t);
    }
  }
  return values;
}

namespace {

/// Stages c as 1 - c: not a scheme of a family where it does not mirror itself.
Collocation mirrored(const Collocation& scheme) {
  Collocation mirror = scheme;
  mirror.c = (1 - scheme.c.array()).matrix().reverse();
  for (int j = 0; j < scheme.stages; ++j) mirror.c[j] = std::clamp(mirror.c[j], 0.0, 1.0);
  for (int j = 0; j < scheme.stages; ++j) {
    mirror.a.row(j) = mirror.integrated_weights(mirror.c[j]).transpose();
  }
  mirror.b = scheme.b.reverse();
  return mirror;
}

}  // namespace

CollocationCurve time_reversed(const CollocationCurve& curve, const Mesh& mesh,
                               const std::function<VecX(const VecX&)>& turned,
                               double carried_sign) {
  const CollocationValues& from = curve.values();
  CollocationValues to = from;
  const Eigen::Index last_node = from.x.cols() - 1, last_stage = from.slopes.cols() - 1;
  for (Eigen::Index i = 0; i <= last_node; ++i) to.x.col(i) = turned(from.x.col(last_node - i));
  for (Eigen::Index i = 0; i <= last_stage; ++i) {
    to.slopes.col(i) = -turned(from.slopes.col(last_stage - i));
    to.carried.col(i) = carried_sign * from.carried.col(last_stage - i);
  }
  return {mesh, mirrored(curve.scheme()), std::move(to)};
}

}  // namespace daewave::bvp
