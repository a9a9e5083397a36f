#include "bvp/mesh/residual_meshes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "bvp/mesh/error_estimate.hpp"
#include "bvp/mesh/fixed_nodes.hpp"

namespace daewave::bvp {

std::optional<Mesh> ResidualMeshes::with_jumps(const Solution& now, int most) {
  const Mesh& mesh = now.mesh_of_all();
  const std::vector<double> jumps = solver_.residual_jumps(now, most);
  Mesh with_jumps = with_nodes(mesh, {}, next_.fixed_with(jumps));
  if (!is_other(with_jumps, mesh) || next_.is_beyond(with_jumps.intervals())) return {};
  return with_jumps;
}

/// Errors are small, and the residual, which falls slower than they do, is not.
ResidualMeshes::Choice ResidualMeshes::choose(const Solution& now, const VecX& of_intervals,
                                              const IntervalErrors& errors, double growth) {
  const double excess = of_intervals.maxCoeff();
  constexpr double faster = 1.2, falls = 0.7;
  // Where few intervals are off, as those beside a root in the right side, errors tell little, and
  // a third of one may hold as much of it as the whole.
  constexpr int few = 4;
  const Mesh& mesh = now.mesh_of_all();
  const bool is_local = (of_intervals.array() > 1).count() <= std::max(few, mesh.intervals() / few);
  const int most = is_local ? 12 : 2;
  in_vain_ = excess < falls * before_ ? 0 : in_vain_ + 1;
  before_ = std::min(excess, before_);
  if (in_vain_ >= most) return {{}, "it falls no further on finer meshes, which is rounding"};
  const double goal = largest(errors) / std::pow(excess, faster);
  Mesh chosen = is_local   ? with_thirds(now, of_intervals)
                : goal > 0 ? next_.choose(mesh, errors, now.scheme(), goal, growth)
                           : mesh.halved();
  if (chosen.intervals() <= mesh.intervals()) chosen = mesh.halved();
  if (next_.is_beyond(chosen.intervals())) {
    const std::string& beyond_memory = next_.beyond_memory();
    return {{}, beyond_memory.empty() ? "max_intervals allows no finer mesh" : beyond_memory};
  }
  return {std::move(chosen), ""};
}

/// Intervals in which the residual is too large are parted in three, or where a derivative of the
/// right side jumps: with the solution that time may have moved away from the node it had.
Mesh ResidualMeshes::with_thirds(const Solution& now, const VecX& of_intervals) const {
  const Mesh& mesh = now.mesh_of_all();
  std::vector<int> off;
  for (int i = 0; i < mesh.intervals(); ++i) {
    if (of_intervals[i] > 1) off.push_back(i);
  }
  const std::vector<double> kinks = solver_.kinks_of(now, off);
  std::vector<double> nodes;
  for (const int i : off) {
    // One at a node is not parted from it.
    constexpr double apart = 1e-6;
    const double left = mesh.node(i), h = mesh.step(i);
    const auto kink = std::find_if(kinks.begin(), kinks.end(), [&](double t) {
      return t > left + apart * h && t < left + (1 - apart) * h;
    });
    if (kink != kinks.end()) {
      nodes.push_back(*kink);
      continue;
    }
    for (const double part : {1.0 / 3, 2.0 / 3}) nodes.push_back(left + part * h);
  }
  return with_nodes(mesh, nodes, next_.fixed());
}

}  // namespace daewave::bvp
