#include "models/spatial/spatial_drawing.hpp"

#include <algorithm>

#include "models/spatial/spatial_poses.hpp"

namespace daewave::models {
namespace {

DrawnPoint drawn(const SpatialPoint& of) { return {of.body, of.at}; }

class SpatialSketch {
 public:
  explicit SpatialSketch(const SpatialMechanism& of) {
    out_.spatial = true;
    for (std::size_t b = 0; b < of.bodies.size(); ++b) {
      out_.frames.push_back({of.bodies[b].name, of_spatial_body * static_cast<int>(b)});
      out_.parts.push_back({.kind = DrawnPart::Kind::body,
                            .name = of.bodies[b].name,
                            .points = {},
                            .axis = {},
                            .radius = 0});
    }
    for (const SpatialElement& joint : of.joints) {
      if (joint.type != "constraint" && joint.type != "velocity") add_joint(joint);
    }
    for (const SpatialElement& force : of.forces) add_force(force);
  }

  Drawing drawing() { return std::move(out_); }

 private:
  /// A body reaches as far as what it is held at.
  void reach(const SpatialPoint& point) {
    if (point.body == ground) return;
    std::vector<DrawnPoint>& points = out_.parts[static_cast<std::size_t>(point.body)].points;
    const bool there = std::any_of(points.begin(), points.end(),
                                   [&](const DrawnPoint& other) { return other.at == point.at; });
    if (!there) points.push_back(drawn(point));
  }

  void add(DrawnPart::Kind kind, const SpatialElement& of, std::vector<DrawnPoint> points,
           const Vector<double>& axis) {
    out_.parts.push_back({kind, of.name, std::move(points), {axis.x, axis.y, axis.z}, of.radius});
  }

  void add_joint(const SpatialElement& joint) {
    using Kind = DrawnPart::Kind;
    const DrawnPoint first = drawn(joint.first), second = drawn(joint.second);
    const bool slides =
        joint.type == "prismatic" || joint.type == "cylindrical" || joint.type == "point_on_line";
    const bool on_plane = joint.type == "point_on_plane" || joint.type == "rolling";
    reach(joint.second);
    if (slides) {
      add(Kind::line, joint, {first}, joint.axis_of_first);
    } else if (!on_plane) {
      reach(joint.first);
    }
    if (joint.type == "rolling") {
      add(Kind::disk, joint, {second}, joint.axis_of_second);
    } else if (joint.type == "distance") {
      add(Kind::rod, joint, {first, second}, {});
    } else {
      add(slides || on_plane ? Kind::slider : Kind::pin, joint, {second}, joint.axis_of_second);
    }
  }

  void add_force(const SpatialElement& force) {
    if (force.type != "spring_damper") return;
    reach(force.first);
    reach(force.second);
    add(DrawnPart::Kind::spring, force, {drawn(force.first), drawn(force.second)}, {});
  }

  Drawing out_;
};

}  // namespace

Drawing spatial_drawing(const SpatialMechanism& mechanism) {
  return SpatialSketch(mechanism).drawing();
}

}  // namespace daewave::models
