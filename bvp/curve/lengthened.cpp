#include "bvp/curve/lengthened.hpp"

#include <algorithm>
#include <utility>
#include <vector>

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

}  // namespace

CollocationCurve lengthened(const CollocationCurve& curve, const Interval& interval,
                            const VecX& before, const VecX& after) {
  const Mesh& mesh = curve.mesh();
  const CollocationValues& values = curve.values();
  const int k = curve.scheme().stages, last = mesh.intervals() - 1;
  std::vector<double> first = nodes_beyond(mesh.begin(), interval.begin, mesh.step(0));
  std::reverse(first.begin(), first.end());
  const std::vector<double> rest = nodes_beyond(mesh.end(), interval.end, mesh.step(last));
  std::vector<double> nodes = first;
  nodes.insert(nodes.end(), mesh.nodes().begin(), mesh.nodes().end());
  nodes.insert(nodes.end(), rest.begin(), rest.end());

  const auto more = static_cast<Eigen::Index>(first.size());
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

}  // namespace daewave::bvp
