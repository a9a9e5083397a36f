#include "bvp/curve/stretched.hpp"

#include <memory>
#include <utility>
#include <vector>

namespace daewave::bvp {

namespace {

Mesh stretched(const Mesh& mesh, const Interval& interval) {
  const double factor = interval.length() / (mesh.end() - mesh.begin());
  std::vector<double> nodes = mesh.nodes();
  for (double& t : nodes) t = interval.begin + (t - mesh.begin()) * factor;
  nodes.back() = interval.end;
  return Mesh(std::move(nodes));
}

/// @param factor  of lengths.
CollocationCurve on_stretched(const CollocationCurve& curve, Mesh mesh, double factor) {
  CollocationValues values = curve.values();
  values.slopes /= factor;
  values.end_slopes /= factor;
  return {std::move(mesh), curve.scheme(), std::move(values)};
}

bool spans(const Mesh& mesh, const Interval& interval) {
  return mesh.begin() == interval.begin && mesh.end() == interval.end;
}

}  // namespace

CollocationCurve stretched(const CollocationCurve& curve, const Interval& interval) {
  const Mesh& mesh = curve.mesh();
  if (spans(mesh, interval)) return curve;
  return on_stretched(curve, stretched(mesh, interval),
                      interval.length() / (mesh.end() - mesh.begin()));
}

SharedCurve stretched(const SharedCurve& curve, const Interval& interval) {
  const Mesh& whole = curve.mesh_of_all();
  if (spans(whole, interval)) return curve;
  const double factor = interval.length() / (whole.end() - whole.begin());
  Mesh all = stretched(whole, interval);
  MeshShare share = curve.share;
  share.begin = interval.begin;
  share.end = interval.end;
  if (!share.is_shared()) {
    return {on_stretched(curve.curve, std::move(all), factor), std::move(share)};
  }
  const auto first = all.nodes().begin() + share.first;
  Mesh mine(std::vector<double>(first, first + curve.curve.mesh().intervals() + 1));
  share.mesh = std::make_shared<const Mesh>(std::move(all));
  return {on_stretched(curve.curve, std::move(mine), factor), std::move(share)};
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
