#include "bvp/curve/lengthened.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "bvp/curve/component_sizes.hpp"
#include "bvp/curve/times_of_ranks.hpp"

namespace daewave::bvp {
namespace {

/// From one time to another, in steps that double.
std::vector<double> nodes_beyond(double from, double to, double step) {
  std::vector<double> nodes;
  double t = from;
  while (std::abs(to - t) > 2 * step) {
    t += to > from ? step : -step;
    nodes.push_back(t);
    step *= 2;
  }
  if (t != to) nodes.push_back(to);
  return nodes;
}

/// Beyond both ends of a mesh, in increasing order.
struct Beyond {
  std::vector<double> before, after;
};

Beyond nodes_beyond(const Mesh& mesh, const Interval& interval) {
  Beyond beyond{nodes_beyond(mesh.begin(), interval.begin, mesh.step(0)),
                nodes_beyond(mesh.end(), interval.end, mesh.step(mesh.intervals() - 1))};
  std::reverse(beyond.before.begin(), beyond.before.end());
  return beyond;
}

std::vector<double> with_nodes_beyond(const Mesh& mesh, const Beyond& beyond) {
  std::vector<double> nodes = beyond.before;
  nodes.insert(nodes.end(), mesh.nodes().begin(), mesh.nodes().end());
  nodes.insert(nodes.end(), beyond.after.begin(), beyond.after.end());
  return nodes;
}

}  // namespace

CollocationCurve lengthened(const CollocationCurve& curve, const Interval& interval,
                            const VecX& before, const VecX& after) {
  const Mesh& mesh = curve.mesh();
  const CollocationValues& values = curve.values();
  const int k = curve.scheme().stages;
  const Beyond beyond = nodes_beyond(mesh, interval);
  std::vector<double> nodes = with_nodes_beyond(mesh, beyond);

  const auto more = static_cast<Eigen::Index>(beyond.before.size());
  const auto intervals = static_cast<Eigen::Index>(nodes.size()) - 1;
  CollocationValues longer;
  longer.x.resize(values.x.rows(), intervals + 1);
  longer.slopes.resize(values.slopes.rows(), k * intervals);
  longer.carried.resize(values.carried.rows(), k * intervals);
  longer.x.middleCols(more, mesh.intervals() + 1) = values.x;
  longer.slopes.middleCols(k * more, values.slopes.cols()) = values.slopes;
  longer.carried.middleCols(k * more, values.carried.cols()) = values.carried;
  for (Eigen::Index i = 0; i < more; ++i) {
    longer.x.col(i) =
        values.x.col(0) + (nodes[static_cast<std::size_t>(i)] - mesh.begin()) * before;
  }
  for (Eigen::Index i = more + mesh.intervals() + 1; i <= intervals; ++i) {
    longer.x.col(i) =
        values.x.rightCols(1) + (nodes[static_cast<std::size_t>(i)] - mesh.end()) * after;
  }
  const Eigen::Index tail = k * intervals - k * (more + mesh.intervals());
  longer.slopes.leftCols(k * more).colwise() = before;
  longer.slopes.rightCols(tail).colwise() = after;
  if (values.carried.rows() > 0) {
    longer.carried.leftCols(k * more).colwise() = VecX(values.carried.col(0));
    longer.carried.rightCols(tail).colwise() = VecX(values.carried.rightCols(1));
  }
  return {Mesh(std::move(nodes)), curve.scheme(), std::move(longer)};
}

SharedCurve lengthened(const SharedCurve& curve, const Interval& interval, const VecX& before,
                       const VecX& after) {
  const MeshShare& of = curve.share;
  const Mesh& mine = curve.curve.mesh();
  const Mesh& whole = curve.mesh_of_all();
  const bool has_end = of.first + mine.intervals() == whole.intervals();
  SharedCurve longer{lengthened(curve.curve,
                                {of.has_begin() ? interval.begin : mine.begin(),
                                 has_end ? interval.end : mine.end()},
                                before, after),
                     of};
  if (of.ranks == nullptr) return longer;
  MeshShare& share = longer.share;
  const Beyond beyond = nodes_beyond(whole, interval);
  Mesh all(with_nodes_beyond(whole, beyond));
  share.all = all.intervals();
  share.begin = all.begin();
  share.end = all.end();
  // Partitions at the ends become longer.
  const auto lengthen = [&](std::vector<int>& borders) {
    if (borders.empty()) return;
    for (int& border : borders) border += static_cast<int>(beyond.before.size());
    borders.front() = 0;
    borders.back() = share.all;
  };
  lengthen(share.borders);
  lengthen(share.shares);
  if (!share.is_shared()) return longer;
  share.first = share.shares[share.ranks->rank()];
  share.mesh = std::make_shared<const Mesh>(std::move(all));
  return longer;
}

Growth growth(const CollocationCurve& curve, const MeshShare& share) {
  // Of x over the interval, what a component must still gain by its slope to be one that grows.
  constexpr double grows = 0.1;
  const Mesh& mesh = curve.mesh();
  const VecX first = curve.slope(mesh.begin()), last = curve.slope(mesh.end());
  const auto count = static_cast<std::size_t>(first.size());
  const auto [at_begin, at_end] = share.ends({first.data(), count}, {last.data(), count});
  const VecX sizes = component_sizes(share.extents(curve.values().x, MatX()).first);
  const Mesh& whole = mesh_of_all(share, mesh);
  const double length = whole.end() - whole.begin(), part = length / 8;
  const MatX x = at_times(share, mesh, static_cast<int>(count),
                          {whole.begin(), whole.begin() + part, whole.end() - part, whole.end()},
                          [&](double t) -> VecX { return curve.x(t); });
  const auto of_growing = [&](const std::vector<double>& slopes, const VecX& mean) {
    VecX slope = Eigen::Map<const VecX>(slopes.data(), first.size());
    for (Eigen::Index j = 0; j < slope.size(); ++j) {
      slope[j] = std::abs(slope[j]) * length < grows * sizes[j] ? 0 : mean[j];
    }
    return slope;
  };
  return {of_growing(at_begin, (x.col(1) - x.col(0)) / part),
          of_growing(at_end, (x.col(3) - x.col(2)) / part)};
}

}  // namespace daewave::bvp
