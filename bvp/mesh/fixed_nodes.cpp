#include "bvp/mesh/fixed_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "bvp/curve/curve_of_ranks.hpp"
#include "bvp/curve/times_of_ranks.hpp"
#include "core/time/closest_nodes.hpp"

namespace daewave::bvp {

Mesh with_nodes(const Mesh& mesh, const std::vector<double>& nodes,
                const std::vector<double>& fixed, double distance) {
  if (nodes.empty() && fixed.empty()) return mesh;
  std::vector<double> all{mesh.begin()};
  std::size_t next = 0;
  for (int i = 1; i < mesh.intervals(); ++i) {
    const double t = mesh.node(i), reach = distance * std::min(mesh.step(i - 1), mesh.step(i));
    while (next < fixed.size() && fixed[next] < t - reach) ++next;
    if (next < fixed.size() && fixed[next] <= t + reach) continue;
    all.push_back(t);
  }
  all.push_back(mesh.end());
  for (const std::vector<double>* more : {&nodes, &fixed}) {
    for (const double t : *more) {
      if (t > mesh.begin() && t < mesh.end()) all.push_back(t);
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return Mesh(std::move(all));
}

Mesh resized_with(const Mesh& mesh, int intervals, const std::vector<double>& fixed) {
  return with_nodes(resized(mesh, intervals), {}, fixed);
}

Mesh no_more_than(int intervals, const Mesh& mesh, const std::vector<double>& fixed) {
  Mesh fewer = mesh;
  for (int count = intervals; fewer.intervals() > intervals && count > 0;) {
    fewer = resized_with(mesh, count, fixed);
    const int beyond = std::max(fewer.intervals() - intervals, 1);
    count = count > 1 ? std::max(count - beyond, 1) : 0;
  }
  return fewer;
}

Mesh with_fixed(const Mesh& given, const std::vector<double>& fixed) {
  constexpr double rounding = 1e-9;
  return with_nodes(given, {}, fixed, rounding);
}

namespace {

/// The node that a time is but for rounding; the end where there is none.
std::vector<double>::iterator same_node(std::vector<double>& fixed, double t, double length) {
  const double reach = 0.5 * closest_nodes(t, length);
  const auto next = std::lower_bound(fixed.begin(), fixed.end(), t - reach);
  return next != fixed.end() && *next <= t + reach ? next : fixed.end();
}

void insert(std::vector<double>& fixed, double t) {
  fixed.insert(std::upper_bound(fixed.begin(), fixed.end(), t), t);
}

}  // namespace

std::vector<double> joined(std::vector<double> fixed, const std::vector<double>& more,
                           double length) {
  for (const double t : more) {
    if (same_node(fixed, t, length) == fixed.end()) insert(fixed, t);
  }
  return fixed;
}

std::vector<double> joined_with_jumps(std::vector<double> fixed, const std::vector<double>& jumps,
                                      double length) {
  for (const double t : jumps) {
    const auto same = same_node(fixed, t, length);
    if (same != fixed.end()) {
      *same = t;
    } else {
      insert(fixed, t);
    }
  }
  return fixed;
}

std::vector<double> nodes_among(const std::vector<double>& times, const Mesh& mesh) {
  std::vector<double> found;
  std::copy_if(times.begin(), times.end(), std::back_inserter(found), [&](double t) {
    return std::binary_search(mesh.nodes().begin(), mesh.nodes().end(), t);
  });
  return found;
}

namespace {

/// @param largest  slope of each component. @param length  of the whole interval.
std::vector<double> jumps_among(const std::vector<double>& times, const CollocationCurve& curve,
                                const VecX& largest, double length) {
  constexpr double hardly = 1e-3;  // Of the largest slope of a component.
  const Mesh& mesh = curve.mesh();
  // Where stages lie on nodes a jump is between two of them.
  const auto is_between_sides = [&](int i) {
    return mesh.step(i) <= 2 * closest_nodes(mesh.node(i), length);
  };
  std::vector<double> found;
  for (const double t : nodes_among(times, mesh)) {
    int left = mesh.locate(t), right = left + 1;
    while (left >= 0 && is_between_sides(left)) --left;
    while (right < mesh.intervals() && is_between_sides(right)) ++right;
    if (left < 0 || right >= mesh.intervals() || t == mesh.begin()) continue;
    const VecX jump = curve.slope_in(right, 0) - curve.slope_in(left, 1);
    if ((jump.cwiseAbs().array() > hardly * largest.array()).any()) found.push_back(t);
  }
  return found;
}

}  // namespace

std::vector<double> jumps_among(const std::vector<double>& times, const CollocationCurve& mine,
                                const MeshShare& share) {
  if (!mine.has_slopes() || times.empty()) return {};
  const VecX largest = share.extents(mine.values().slopes, MatX()).first.col(0);
  const Mesh& whole = mesh_of_all(share, mine.mesh());
  const double length = whole.end() - whole.begin();
  if (!share.is_shared()) return jumps_among(times, mine, largest, length);
  std::vector<double> here;
  for (const double t : times) {
    if (has_time(share, mine.mesh(), t)) here.push_back(t);
  }
  // A node between two ranks has a neighbour that the other one has.
  constexpr int beyond = 4;
  const IntervalRange wider{
      std::max(share.first - beyond, 0),
      std::min(share.first + mine.mesh().intervals() + beyond, whole.intervals())};
  const CollocationCurve around = intervals_of(mine, share, wider);
  return share.joined(jumps_among(here, around, largest, length));
}

bool is_other(const Mesh& mesh, const Mesh& than) {
  int shared = 0, j = 0;
  for (int i = 0; i < mesh.intervals(); ++i) {
    while (j < than.intervals() && than.node(j) < mesh.node(i)) ++j;
    if (j == than.intervals()) break;
    if (than.node(j) == mesh.node(i) && than.node(j + 1) == mesh.node(i + 1)) ++shared;
  }
  return 2 * shared <= std::min(mesh.intervals(), than.intervals());
}

}  // namespace daewave::bvp
