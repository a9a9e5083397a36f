#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "models/spatial/inertia.hpp"
#include "models/spatial/mechanism.hpp"
#include "models/spatial/orientation.hpp"

namespace daewave::models {
namespace {

using Types = std::vector<std::string>;

const Types joints_in_space = {"spherical",      "revolute", "universal",  "cylindrical",
                               "prismatic",      "fixed",    "distance",   "point_on_line",
                               "point_on_plane", "rolling",  "constraint", "velocity"};
const Types forces_in_space = {"spring_damper", "torsion_spring", "force", "torque"};

bool is_one_of(const std::string& type, const Types& types) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

class SpatialReading {
 public:
  SpatialReading(TableReader& file, Parameters& parameters) : tables_(file, parameters) {}

  SpatialMechanism all() {
    TableReader& file = tables_.file();
    if (const auto gravity = vector(file, "gravity")) out_.gravity = *gravity;
    tables_.each("body", [this](TableReader& table) { read_body(table); });
    if (out_.bodies.empty()) {
      file.fail("no body: write [[body]] with a name, a mass and an inertia");
    }
    tables_.each("joint", [this](TableReader& table) { read_joint(table); });
    // What joints leave to the start is known once all of them are: their order says nothing.
    orient_all();
    for (const std::size_t joint : of_one_axis_) fix_axis(out_.joints[joint]);
    for (const std::size_t joint : without_turn_) fix_turn(out_.joints[joint]);
    for (std::size_t b = 0; b < out_.bodies.size(); ++b) {
      SpatialBody& body = out_.bodies[b];
      if (spins_in_own_frame_[b] && body.angular_velocity) {
        body.angular_velocity = turned(body.orientation, *body.angular_velocity);
      }
    }
    tables_.each("force", [this](TableReader& table) { read_force(table); });
    return std::move(out_);
  }

 private:
  std::optional<Vector<double>> vector(TableReader& table, const std::string& key) {
    const auto found = tables_.numbers<3>(table, key);
    if (!found) return {};
    return vector_of<double>(*found);
  }
  bool in_body_frame(TableReader& table, const std::string& key) const {
    const std::string frame = table.text(key).value_or("ground");
    if (frame != "ground" && frame != "body") {
      table.fail(key, fmt::format("= '{}': must be ground or body", frame));
    }
    return frame == "body";
  }
  /// At the start, as the file states it.
  Quaternion<double> orientation(int body) const {
    if (body == ground) return {1, 0, 0, 0};
    return out_.bodies[static_cast<std::size_t>(body)].orientation;
  }

  void read_body(TableReader& table) {
    SpatialBody body;
    body.name = tables_.new_body(table, most_bodies_in_space);
    body.place = table.place_of("name");
    body.mass = tables_.positive(table, "mass");
    body.inertia = read_inertia(tables_, table);
    body.position = vector(table, "position");
    const auto turn = read_orientation(tables_, table);
    if (turn) body.orientation = *turn;
    body.is_oriented = turn.has_value();
    body.velocity = vector(table, "velocity");
    body.angular_velocity = vector(table, "angular_velocity");
    spins_in_own_frame_.push_back(in_body_frame(table, "angular_velocity_frame"));
    out_.bodies.push_back(std::move(body));
  }

  Vector<double> direction(const TableReader& table, const std::string& key,
                           const std::array<double, 3>& given) const {
    const auto found = unit(vector_of<double>(given));
    if (!found) table.fail(key, "has no length");
    return *found;
  }

  /// One direction in the frame of the first body, which fix_axis() is to fix in the second; or one
  /// for each. @return whether it is one.
  bool read_axes(TableReader& table, SpatialElement& element, bool one_is_enough) {
    const Value* const value = table.value("axis");
    const bool both = value != nullptr && value->kind == Value::Kind::array &&
                      !value->array.empty() && value->array[0].kind == Value::Kind::array;
    if (!both && !one_is_enough) {
      const std::string rule =
          "must be two directions, [[x, y, z], [x, y, z]], each in the frame "
          "of its body";
      table.fail("axis", rule);
    }
    if (both) {
      const auto axes = *tables_.two_vectors<3>(table, "axis");
      element.axis_of_first = direction(table, "axis", axes[0]);
      element.axis_of_second = direction(table, "axis", axes[1]);
      return false;
    }
    element.axis_of_first = needed_direction(table, "axis", "of the joint");
    return true;
  }
  /// In the second body as the two stand at the start.
  void fix_axis(SpatialElement& element) const {
    const Vector<double> in_ground = turned(orientation(element.first.body), element.axis_of_first);
    element.axis_of_second = turned(conjugate(orientation(element.second.body)), in_ground);
  }

  /// In the frame of the first body.
  Vector<double> needed_direction(TableReader& table, const std::string& key, const char* of) {
    const auto given = tables_.numbers<3>(table, key);
    if (!given) {
      table.fail(
          fmt::format("{} is missing: that {}, [x, y, z] in the frame of the first body", key, of));
    }
    return direction(table, key, *given);
  }

  bool is_oriented(int body) const {
    return body == ground || out_.bodies[static_cast<std::size_t>(body)].is_oriented;
  }
  void orient(int body, const Quaternion<double>& so) {
    SpatialBody& of = out_.bodies[static_cast<std::size_t>(body)];
    of.orientation = so;
    of.is_oriented = true;
  }
  /// Bodies without an orientation, along the joints that say a turn. Where they say none of all
  /// that are joined so, the first body of the file stays as it is.
  void orient_all() {
    orient_along_joints();
    for (int b = 0; b < static_cast<int>(out_.bodies.size()); ++b) {
      if (is_oriented(b)) continue;
      orient(b, orientation(b));
      orient_along_joints();
    }
  }
  void orient_along_joints() {
    while (orient_some()) {
    }
  }
  bool orient_some() {
    bool any = false;
    for (const std::size_t at : with_turn_) {
      const SpatialElement& joint = out_.joints[at];
      const int first = joint.first.body, second = joint.second.body;
      if (is_oriented(first) == is_oriented(second)) continue;
      if (is_oriented(first)) {
        orient(second, orientation(first) * joint.turn);
      } else {
        orient(first, orientation(second) * conjugate(joint.turn));
      }
      any = true;
    }
    return any;
  }

  /// From the second body to the first; fix_turn() finds one that is not said.
  void read_turn(TableReader& table, SpatialElement& element) {
    const auto given = read_orientation(tables_, table);
    if (given) element.turn = *given;
    (given ? with_turn_ : without_turn_).push_back(out_.joints.size());
  }
  void fix_turn(SpatialElement& element) const {
    element.turn = conjugate(orientation(element.first.body)) * orientation(element.second.body);
  }

  void read_joint(TableReader& table) {
    SpatialElement joint = tables_.begin<SpatialElement>(table, joints_in_space);
    if (joint.type == "constraint" || joint.type == "velocity") {
      joint.expressions = tables_.expressions(table, joint.type == "constraint" ? "g" : "w");
      joint.name = table.text("name").value_or(joint.type);
      out_.joints.push_back(std::move(joint));
      return;
    }
    tables_.read_ends<3>(table, joint, true);
    if (is_one_of(joint.type, {"revolute", "cylindrical"}) && read_axes(table, joint, true)) {
      of_one_axis_.push_back(out_.joints.size());
    }
    if (joint.type == "universal") read_axes(table, joint, false);
    if (is_one_of(joint.type, {"prismatic", "point_on_line"})) {
      joint.axis_of_first = needed_direction(table, "axis", "of the line");
    }
    if (joint.type == "point_on_plane") {
      joint.axis_of_first = needed_direction(table, "normal", "of the plane");
    }
    if (joint.type == "prismatic" || joint.type == "fixed") read_turn(table, joint);
    if (joint.type == "distance") joint.length = tables_.positive(table, "length");
    if (joint.type == "rolling") read_rolling(table, joint);
    if (table.has("driven")) {
      if (joint.type != "revolute" && joint.type != "prismatic") {
        table.fail("driven",
                   fmt::format("is for revolute and prismatic joints, not {}", joint.type));
      }
      joint.expressions = tables_.expressions(table, "driven");
      if (joint.expressions.size() > 1) table.fail("driven", "must be one expression");
    }
    tables_.read_name(table, joint);
    out_.joints.push_back(std::move(joint));
  }

  void read_rolling(TableReader& table, SpatialElement& joint) {
    joint.radius = tables_.positive(table, "radius");
    joint.axis_of_first = needed_direction(table, "normal", "of the plane");
    const auto axis = tables_.numbers<3>(table, "axis");
    joint.is_ball = !axis;
    if (axis) joint.axis_of_second = direction(table, "axis", *axis);
  }

  void read_force(TableReader& table) {
    SpatialElement force = tables_.begin<SpatialElement>(table, forces_in_space);
    if (force.type == "spring_damper" || force.type == "torsion_spring") {
      tables_.read_ends<3>(table, force, force.type == "spring_damper");
      force.stiffness = tables_.not_negative(table, "k");
      force.damping = tables_.not_negative(table, "c");
      if (force.type == "spring_damper") {
        force.length = tables_.not_negative(table, "length");
      } else {
        if (read_axes(table, force, true)) fix_axis(force);
        force.angle = tables_.number(table, "angle").value_or(0);
      }
    } else {
      read_load(table, force);
    }
    tables_.read_name(table, force);
    out_.forces.push_back(std::move(force));
  }

  /// A force or a torque by expressions.
  void read_load(TableReader& table, SpatialElement& load) {
    load.second.body = tables_.body_named(table, "on", table.needed_text("on"));
    if (load.second.body == ground) table.fail("on", "names the ground, which does not move");
    const auto reaction = table.text("reaction");
    load.first.body = reaction ? tables_.body_named(table, "reaction", *reaction) : ground;
    load.expressions = tables_.expressions(table, "value");
    if (load.expressions.size() != 3) {
      table.fail("value", load.type == "force" ? "must be three expressions, [fx, fy, fz] in N"
                                               : "must be three expressions, [x, y, z] in N m");
    }
    if (load.type == "force") {
      if (const Value* at = table.value("at")) {
        load.second.at = tables_.vector<3>(table, "at", *at);
      }
    }
    load.in_body_frame = in_body_frame(table, "frame");
  }

  MechanismTables tables_;
  std::vector<bool> spins_in_own_frame_;
  /// Joints, by their number.
  std::vector<std::size_t> of_one_axis_, with_turn_, without_turn_;
  SpatialMechanism out_;
};

}  // namespace

SpatialMechanism read_spatial(TableReader& file, Parameters& parameters) {
  return SpatialReading(file, parameters).all();
}

}  // namespace daewave::models
