#include "bvp/curve/stretched.hpp"

#include <algorithm>

namespace daewave::bvp {

CollocationCurve stretched(const CollocationCurve& curve, const Interval& interval) {
  const Mesh& mesh = curve.mesh();
  if (mesh.begin() == interval.begin && mesh.end() == interval.end) return curve;
  const double factor = interval.length() / (mesh.end() - mesh.begin());
  std::vector<double> nodes = mesh.nodes();
  for (double& t : nodes) t = interval.begin + (t - mesh.begin()) * factor;
  nodes.back() = interval.end;
  CollocationValues values = curve.values();
  values.slopes /= factor;
  values.end_slopes /= factor;
  return {Mesh(std::move(nodes)), curve.scheme(), std::move(values)};
}

CollocationCurve with_slopes_of_nodes(const CollocationCurve& curve) {
  const int k = curve.scheme().stages;
  CollocationValues values = curve.values();
  values.slopes.resize(values.x.rows(), static_cast<Eigen::Index>(k) * curve.mesh().intervals());
  values.end_slopes.resize(0, 0);
  values.end_carried.resize(0, 0);
  for (int i = 0; i < curve.mesh().intervals(); ++i) {
    const VecX slope = (values.x.col(i + 1) - values.x.col(i)) / curve.mesh().step(i);
    values.slopes.middleCols(i * k, k).colwise() = slope;
  }
  return {curve.mesh(), curve.scheme(), std::move(values)};
}

CollocationCurve without_carried(const CollocationCurve& curve, int entries) {
  CollocationValues values = curve.values();
  values.carried.setZero(
      entries, static_cast<Eigen::Index>(curve.scheme().stages) * curve.mesh().intervals());
  values.end_slopes.resize(0, 0);
  values.end_carried.resize(0, 0);
  return {curve.mesh(), curve.scheme(), std::move(values)};
}

}  // namespace daewave::bvp
