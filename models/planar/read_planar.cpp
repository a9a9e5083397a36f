#include <fmt/format.h>

#include <cmath>
#include <tuple>
#include <utility>

#include "models/file/repetition.hpp"
#include "models/mechanism/mechanism_tables.hpp"
#include "models/planar/mechanism.hpp"

namespace daewave::models {
namespace {

const std::vector<std::string> joint_types = {"revolute", "point_on_line", "prismatic",
                                              "fixed",    "distance",      "rolling",
                                              "angle",    "constraint",    "velocity"};
const std::vector<std::string> force_types = {"spring_damper", "torsion_spring", "force", "torque"};

class PlanarReading {
 public:
  PlanarReading(TableReader& file, Parameters& parameters) : tables_(file, parameters) {}

  PlanarMechanism all() {
    TableReader& file = tables_.file();
    out_.gravity = tables_.numbers<2>(file, "gravity").value_or(std::array<double, 2>{});
    tables_.each("body", [this](TableReader& table) { read_body(table); });
    if (out_.bodies.empty()) {
      file.fail("no body: write [[body]] with a name, a mass and an inertia");
    }
    tables_.each("joint", [this](TableReader& table) { read_joint(table); });
    tables_.each("force", [this](TableReader& table) { read_force(table); });
    return std::move(out_);
  }

 private:
  void read_body(TableReader& table) {
    PlanarBody body;
    body.name = tables_.new_body(table, most_repeats);
    body.place = table.place_of("name");
    body.mass = tables_.positive(table, "mass");
    body.inertia = tables_.positive(table, "inertia");
    body.position = tables_.numbers<2>(table, "position");
    body.angle = tables_.number(table, "angle");
    body.velocity = tables_.numbers<2>(table, "velocity");
    body.angular_velocity = tables_.number(table, "angular_velocity");
    out_.bodies.push_back(std::move(body));
  }

  /// A direction, of unit length.
  void read_axis(TableReader& table, PlanarElement& element) {
    const bool by_normal = table.has("normal");
    const auto axis = tables_.numbers<2>(table, "axis"),
               normal = tables_.numbers<2>(table, "normal");
    if (axis && normal) table.fail("normal", "and axis are given: one of them says the line");
    if (!axis && !normal) table.fail("axis is missing: the direction of the line, [x, y]");
    const auto given = by_normal ? *normal : *axis;
    const double length = std::hypot(given[0], given[1]);
    if (!(length > 0)) table.fail(by_normal ? "normal" : "axis", "has no length");
    const std::array<double, 2> unit{given[0] / length, given[1] / length};
    element.axis = by_normal ? std::array<double, 2>{unit[1], -unit[0]} : unit;
  }

  void read_joint(TableReader& table) {
    PlanarElement joint = tables_.begin<PlanarElement>(table, joint_types);
    if (joint.type == "constraint" || joint.type == "velocity") {
      joint.expressions = tables_.expressions(table, joint.type == "constraint" ? "g" : "w");
      const auto name = table.text("name");
      joint.name = name ? *name : joint.type;
      out_.joints.push_back(std::move(joint));
      return;
    }
    tables_.read_ends<2>(table, joint, joint.type != "angle");
    if (joint.type == "point_on_line" || joint.type == "prismatic" || joint.type == "rolling") {
      read_axis(table, joint);
    }
    if (joint.type == "prismatic" || joint.type == "fixed")
      joint.angle = tables_.number(table, "angle");
    if (joint.type == "distance") joint.length = tables_.positive(table, "length");
    if (joint.type == "rolling") joint.radius = tables_.positive(table, "radius");
    if (joint.type == "angle") {
      joint.expressions = tables_.expressions(table, "value");
    } else if (table.has("driven")) {
      if (joint.type != "revolute" && joint.type != "prismatic") {
        table.fail("driven",
                   fmt::format("is for revolute and prismatic joints, not {}", joint.type));
      }
      joint.expressions = tables_.expressions(table, "driven");
    }
    if (joint.expressions.size() > 1) {
      table.fail(joint.type == "angle" ? "value" : "driven", "must be one expression");
    }
    tables_.read_name(table, joint);
    out_.joints.push_back(std::move(joint));
  }

  void read_force(TableReader& table) {
    PlanarElement force = tables_.begin<PlanarElement>(table, force_types);
    if (force.type == "spring_damper" || force.type == "torsion_spring") {
      tables_.read_ends<2>(table, force, force.type == "spring_damper");
      force.stiffness = tables_.not_negative(table, "k");
      force.damping = tables_.not_negative(table, "c");
      if (force.type == "spring_damper") force.length = tables_.not_negative(table, "length");
      if (force.type == "torsion_spring") force.angle = tables_.number(table, "angle").value_or(0);
    } else {
      force.second.body = tables_.body_named(table, "on", table.needed_text("on"));
      if (force.second.body == ground) table.fail("on", "names the ground, which does not move");
      const auto reaction = table.text("reaction");
      force.first.body = reaction ? tables_.body_named(table, "reaction", *reaction) : ground;
      force.expressions = tables_.expressions(table, "value");
      const std::size_t wanted = force.type == "force" ? 2 : 1;
      if (force.expressions.size() != wanted) {
        table.fail("value", wanted == 2 ? "must be two expressions, [fx, fy] in N"
                                        : "must be one expression, in N m");
      }
      if (force.type == "force") {
        if (const Value* at = table.value("at")) {
          force.second.at = tables_.vector<2>(table, "at", *at);
        }
        const std::string frame = table.text("frame").value_or("ground");
        if (frame != "ground" && frame != "body") {
          table.fail("frame", fmt::format("= '{}': must be ground or body", frame));
        }
        force.in_body_frame = frame == "body";
      }
    }
    tables_.read_name(table, force);
    out_.forces.push_back(std::move(force));
  }

  MechanismTables tables_;
  PlanarMechanism out_;
};

}  // namespace

PlanarMechanism read_planar(TableReader& file, Parameters& parameters) {
  return PlanarReading(file, parameters).all();
}

}  // namespace daewave::models
