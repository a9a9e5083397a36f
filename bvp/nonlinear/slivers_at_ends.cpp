#include "bvp/nonlinear/slivers_at_ends.hpp"

#include <utility>

#include "core/time/closest_nodes.hpp"

namespace daewave::bvp {
namespace {

/// x' and what is carried, in an interval next to nothing, as they are at an end of its neighbour.
void take_from_neighbour(const CollocationCurve& curve, int sliver, int neighbour,
                         CollocationValues& values) {
  const double end = neighbour < sliver ? 1 : 0;
  const int stages = curve.scheme().stages;
  const VecX slope = curve.slope_in(neighbour, end), carried = curve.carried_in(neighbour, end);
  for (int j = 0; j < stages; ++j) {
    values.slopes.col(sliver * stages + j) = slope;
    values.carried.col(sliver * stages + j) = carried;
  }
  for (int side = 0; side < 2 && values.end_slopes.cols() > 0; ++side) {
    values.end_slopes.col(2 * sliver + side) = slope;
    values.end_carried.col(2 * sliver + side) = carried;
  }
}

}  // namespace

CollocationCurve without_slivers_at_ends(CollocationCurve curve, const MeshShare& share,
                                         double length) {
  const Mesh& mesh = curve.mesh();
  const int last = mesh.intervals() - 1;
  const bool has_begin = !share.is_shared() || share.first == 0;
  const bool has_end = !share.is_shared() || share.first + mesh.intervals() == share.all;
  const auto is_sliver = [&](int i) {
    return last > 0 && mesh.step(i) <= 2 * closest_nodes(mesh.node(i), length);
  };
  const bool at_begin = has_begin && is_sliver(0) && !is_sliver(1);
  const bool at_end = has_end && is_sliver(last) && !is_sliver(last - 1);
  if (!at_begin && !at_end) return curve;
  CollocationValues values = curve.values();
  if (at_begin) take_from_neighbour(curve, 0, 1, values);
  if (at_end) take_from_neighbour(curve, last, last - 1, values);
  return {mesh, curve.scheme(), std::move(values), curve.borders()};
}

}  // namespace daewave::bvp
