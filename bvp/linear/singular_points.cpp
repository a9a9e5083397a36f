#include "bvp/linear/singular_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daewave::bvp {
namespace {

/// Stages beside each other.
struct Group {
  SingularPoint least;  ///< That of the smallest pivot.
  double first = 0, last = 0;
  int stages = 1;
  bool is_found = false;  ///< By the scan too.

  double distance(double t) const { return std::max({0.0, first - t, t - last}); }
};

double step_at(const Mesh& mesh, double t) {
  return mesh.step(mesh.locate(std::clamp(t, mesh.begin(), mesh.end())));
}

std::vector<Group> grouped(const std::vector<SingularPoint>& stages, const Mesh& mesh) {
  std::vector<Group> groups;
  for (const SingularPoint& stage : stages) {
    if (groups.empty() || stage.t - groups.back().last > 2 * step_at(mesh, stage.t)) {
      groups.push_back({stage, stage.t, stage.t});
      continue;
    }
    Group& group = groups.back();
    group.last = stage.t;
    ++group.stages;
    if (stage.pivot < group.least.pivot) {
      group.least.t = stage.t;
      group.least.pivot = stage.pivot;
    }
  }
  return groups;
}

/// The closest one that a zero belongs to, as it is within an interval of it; else null.
Group* group_of(double zero, std::vector<Group>& groups, const Mesh& mesh) {
  constexpr double part = 1e-3;  // Of the whole, where steps are shorter.
  const double reach = std::max(step_at(mesh, zero), part * (mesh.end() - mesh.begin()));
  Group* closest = nullptr;
  for (Group& group : groups) {
    const double distance = group.distance(zero);
    if (group.is_found || distance > reach) continue;
    if (closest == nullptr || distance < closest->distance(zero)) closest = &group;
  }
  return closest;
}

}  // namespace

std::vector<SingularPoint> singular_points(const std::vector<SingularPoint>& stages,
                                           const std::vector<SingularPoint>& scanned,
                                           const Mesh& mesh) {
  std::vector<Group> groups = grouped(stages, mesh);
  std::vector<SingularPoint> points;
  for (const SingularPoint& found : scanned) {
    Group* const group = group_of(found.t, groups, mesh);
    if (group == nullptr) {
      points.push_back(found);
      points.back().passed_by = "no stage lies there";
      continue;
    }
    group->is_found = true;
    group->least.kind = found.kind;
    if (!(found.pivot < group->least.pivot)) continue;
    group->least.t = found.t;
    group->least.pivot = found.pivot;
  }
  for (const Group& group : groups) {
    points.push_back(group.least);
    if (group.stages == 1) continue;
    points.back().passed_by +=
        fmt::format(", at {} stages up to t = {:.6g}", group.stages, group.last);
  }
  std::stable_sort(points.begin(), points.end(),
                   [](const SingularPoint& a, const SingularPoint& b) { return a.t < b.t; });
  return points;
}

}  // namespace daewave::bvp
