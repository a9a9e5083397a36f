#include "models/planar/planar_drawing.hpp"

#include <algorithm>

namespace daewave::models {
namespace {

DrawnPoint drawn(const BodyPoint& of) { return {of.body, {of.at[0], of.at[1], 0}}; }

bool joins_points(const PlanarElement& joint) {
  return joint.type != "angle" && joint.type != "constraint" && joint.type != "velocity";
}

class Sketch {
 public:
  explicit Sketch(const PlanarMechanism& of) {
    for (std::size_t b = 0; b < of.bodies.size(); ++b) {
      out_.frames.push_back({of.bodies[b].name, static_cast<int>(3 * b)});
      out_.parts.push_back({.kind = DrawnPart::Kind::body,
                            .name = of.bodies[b].name,
                            .points = {},
                            .axis = {},
                            .radius = 0});
    }
    for (const PlanarElement& joint : of.joints) {
      if (joins_points(joint)) add_joint(joint);
    }
    for (const PlanarElement& force : of.forces) add_force(force);
  }

  Drawing drawing() { return std::move(out_); }

 private:
  /// A body reaches as far as what it is held at.
  void reach(const BodyPoint& point) {
    if (point.body == ground) return;
    std::vector<DrawnPoint>& points = out_.parts[static_cast<std::size_t>(point.body)].points;
    const DrawnPoint one = drawn(point);
    const bool there = std::any_of(points.begin(), points.end(),
                                   [&](const DrawnPoint& other) { return other.at == one.at; });
    if (!there) points.push_back(one);
  }

  void add(DrawnPart::Kind kind, const PlanarElement& of, std::vector<DrawnPoint> points) {
    out_.parts.push_back(
        {kind, of.name, std::move(points), {of.axis[0], of.axis[1], 0}, of.radius});
  }

  void add_joint(const PlanarElement& joint) {
    const DrawnPoint first = drawn(joint.first), second = drawn(joint.second);
    reach(joint.second);
    if (joint.type == "prismatic" || joint.type == "point_on_line" || joint.type == "rolling") {
      add(DrawnPart::Kind::line, joint, {first});
    } else {
      reach(joint.first);
    }
    if (joint.type == "rolling") {
      add(DrawnPart::Kind::disk, joint, {second});
    } else if (joint.type == "distance") {
      add(DrawnPart::Kind::rod, joint, {first, second});
    } else {
      const bool slides = joint.type == "prismatic" || joint.type == "point_on_line";
      add(slides ? DrawnPart::Kind::slider : DrawnPart::Kind::pin, joint, {second});
    }
  }

  void add_force(const PlanarElement& force) {
    if (force.type != "spring_damper") return;
    reach(force.first);
    reach(force.second);
    add(DrawnPart::Kind::spring, force, {drawn(force.first), drawn(force.second)});
  }

  Drawing out_;
};

}  // namespace

Drawing planar_drawing(const PlanarMechanism& mechanism) { return Sketch(mechanism).drawing(); }

}  // namespace daewave::models
