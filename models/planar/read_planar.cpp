#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <set>
#include <utility>

#include "core/nearest_names.hpp"
#include "models/file/repetition.hpp"
#include "models/planar/mechanism.hpp"

namespace daewave::models {
namespace {

const std::vector<std::string> joint_types = {"revolute", "point_on_line", "prismatic",
                                              "fixed",    "distance",      "rolling",
                                              "angle",    "constraint",    "velocity"};
const std::vector<std::string> force_types = {"spring_damper", "torsion_spring", "force", "torque"};

class PlanarReading {
 public:
  PlanarReading(TableReader& file, Parameters& parameters)
      : file_(file), source_(file.source()), parameters_(parameters), names_(graph_, parameters) {}

  PlanarMechanism all() {
    if (const auto gravity = file_.expressions("gravity", 2))
      out_.gravity = pair(*gravity, "gravity");
    each("body", [this](TableReader& table) { read_body(table); });
    if (out_.bodies.empty()) {
      file_.fail("no body: write [[body]] with a name, a mass and an inertia");
    }
    each("joint", [this](TableReader& table) { read_joint(table); });
    each("force", [this](TableReader& table) { read_force(table); });
    return std::move(out_);
  }

 private:
  double number(const Written& of, const std::string& what) {
    return models::number(source_, of, graph_, names_, what);
  }
  std::optional<double> number(TableReader& table, const std::string& key) {
    const auto found = table.expression(key);
    if (!found) return {};
    return number(*found, fmt::format("{}: {}", table.what(), key));
  }
  double positive(TableReader& table, const std::string& key) {
    const std::optional<double> value = number(table, key);
    if (!value) table.fail(fmt::format("{} is missing", key));
    if (!(*value > 0)) table.fail(key, fmt::format("= {:g}: must be above 0", *value));
    return *value;
  }
  double not_negative(TableReader& table, const std::string& key) {
    const double value = number(table, key).value_or(0);
    if (value < 0) table.fail(key, fmt::format("= {:g}: must be 0 or above", value));
    return value;
  }
  std::array<double, 2> pair(const std::vector<Written>& of, const std::string& what) {
    return {number(of[0], what), number(of[1], what)};
  }

  /// Each table of an array of them, as often as it is repeated.
  template <class F>
  void each(const std::string& key, F read) {
    for (const Value* table : file_.tables(key)) {
      TableReader once(source_, *table, key);
      if (!once.has("repeat")) {
        read_one(key, *table, read);
        continue;
      }
      const int count = repeats_of(once, parameters_);
      for (int i = 1; i <= count; ++i) {
        names_.set_index(i);
        read_one(key, numbered(*table, i), read);
      }
      names_.set_index(0);
    }
  }

  template <class F>
  void read_one(const std::string& key, const Value& table, F read) {
    TableReader one(source_, table, key);
    one.value("repeat");
    read(one);
    one.finish();
  }

  /// Names that do not say where the number goes have it at their end: link1, link2, ...
  Value numbered(const Value& table, int i) {
    Value copy = with_index(source_, table, parameters_, i);
    const Value* const name = table.find("name");
    const bool says = name == nullptr || name->text.find('{') != std::string::npos;
    for (auto& [key, value] : copy.table) {
      if (key != "name" || says) continue;
      repeated_.insert(value.text);
      value.text += std::to_string(i);
    }
    return copy;
  }

  void read_body(TableReader& table) {
    PlanarBody body;
    body.name = table.needed_text("name");
    body.place = table.place_of("name");
    check_name(table, body.name);
    body.mass = positive(table, "mass");
    body.inertia = positive(table, "inertia");
    if (const auto at = table.expressions("position", 2)) body.position = pair(*at, "position");
    body.angle = number(table, "angle").value_or(0);
    if (const auto v = table.expressions("velocity", 2)) {
      const auto xy = pair(*v, "velocity");
      body.velocity = {xy[0], xy[1], 0};
    }
    body.velocity[2] = number(table, "angular_velocity").value_or(0);
    if (static_cast<int>(out_.bodies.size()) >= most_repeats) {
      table.fail(fmt::format("more than {} bodies", most_repeats));
    }
    body_of_name_[body.name] = static_cast<int>(out_.bodies.size());
    out_.bodies.push_back(std::move(body));
  }

  void check_name(const TableReader& table, const std::string& name) const {
    bool good = name != "t" && name != "ground" && parameters_.find(name) == nullptr;
    try {
      good = good && parse(name).kind == Syntax::Kind::name &&
             name.find('.') == std::string::npos && name.back() != '\'';
    } catch (const ExpressionError&) {
      good = false;
    }
    if (!good) {
      table.fail("name", fmt::format("= '{}': letters, digits and _, and not ground, t or the name "
                                     "of a parameter",
                                     name));
    }
    if (body_of_name_.contains(name)) {
      table.fail("name", fmt::format("= '{}': there is a body of this name already", name));
    }
  }

  int body_named(const TableReader& table, const std::string& key, const std::string& name) const {
    if (name == "ground") return ground;
    const auto found = body_of_name_.find(name);
    if (found != body_of_name_.end()) return found->second;
    // The one before the first of a row is what the row hangs from.
    if (name.size() > 1 && name.back() == '0' &&
        repeated_.contains(name.substr(0, name.size() - 1))) {
      return ground;
    }
    std::vector<std::string> known{"ground"};
    for (const PlanarBody& body : out_.bodies) known.push_back(body.name);
    std::string near = did_you_mean(name, known);
    if (near.empty()) near = "; bodies are written above the joints that name them";
    table.fail(key, fmt::format("names '{}', and there is no such body{}", name, near));
  }

  std::array<double, 2> point(const TableReader& table, const Value& value) {
    if (value.kind != Value::Kind::array || value.array.size() != 2) {
      source_.fail(value.place,
                   fmt::format("{}: a point is [x, y], not {}", table.what(), words_for(value)));
    }
    return pair({written(source_, value.array[0]), written(source_, value.array[1])},
                table.what() + ": at");
  }

  PlanarElement begin_element(TableReader& table, const std::vector<std::string>& types) {
    PlanarElement element;
    element.type = table.needed_text("type");
    element.place = table.place();
    element.index = names_.index();
    for (const std::string& type : types) {
      if (type == element.type) return element;
    }
    std::string near = did_you_mean(element.type, types);
    if (near.empty()) near = fmt::format("; there are {}", fmt::join(types, ", "));
    table.fail("type", fmt::format("= '{}' is not known{}", element.type, near));
  }

  std::string name_of(int body) const {
    return body == ground ? "ground" : out_.bodies[static_cast<std::size_t>(body)].name;
  }

  void end_element(TableReader& table, PlanarElement& element) const {
    const auto name = table.text("name");
    element.name = name ? *name
                        : fmt::format("{} {}-{}", element.type, name_of(element.first.body),
                                      name_of(element.second.body));
  }

  /// Both bodies, and where on them.
  void read_ends(TableReader& table, PlanarElement& element, bool has_points) {
    const auto between = table.texts("between", 2);
    if (!between) table.fail("between is missing: the two bodies, or ground and a body");
    element.first.body = body_named(table, "between", (*between)[0]);
    element.second.body = body_named(table, "between", (*between)[1]);
    if (element.first.body == element.second.body) {
      table.fail("between", fmt::format("names {} twice", (*between)[0]));
    }
    if (!has_points) return;
    const Value* const at = table.value("at");
    if (at == nullptr) return;
    if (at->kind != Value::Kind::array || at->array.size() != 2) {
      table.fail("at", "must be two points, [[x, y], [x, y]], each in the frame of its body");
    }
    element.first.at = point(table, at->array[0]);
    element.second.at = point(table, at->array[1]);
  }

  /// A direction, of unit length.
  void read_axis(TableReader& table, PlanarElement& element) {
    const bool by_normal = table.has("normal");
    const auto axis = table.expressions("axis", 2), normal = table.expressions("normal", 2);
    if (axis && normal) table.fail("normal", "and axis are given: one of them says the line");
    if (!axis && !normal) table.fail("axis is missing: the direction of the line, [x, y]");
    const auto given = pair(by_normal ? *normal : *axis, by_normal ? "normal" : "axis");
    const double length = std::hypot(given[0], given[1]);
    if (!(length > 0)) table.fail(by_normal ? "normal" : "axis", "has no length");
    const std::array<double, 2> unit{given[0] / length, given[1] / length};
    element.axis = by_normal ? std::array<double, 2>{unit[1], -unit[0]} : unit;
  }

  void read_expressions(TableReader& table, const std::string& key, PlanarElement& element) {
    const Value* const value = table.value(key);
    if (value == nullptr) table.fail(fmt::format("{} is missing", key));
    if (value->kind == Value::Kind::array) {
      element.expressions = *table.expressions(key, 0);
    } else {
      element.expressions = {*table.expression(key)};
    }
  }

  void read_joint(TableReader& table) {
    PlanarElement joint = begin_element(table, joint_types);
    if (joint.type == "constraint" || joint.type == "velocity") {
      read_expressions(table, joint.type == "constraint" ? "g" : "w", joint);
      const auto name = table.text("name");
      joint.name = name ? *name : joint.type;
      out_.joints.push_back(std::move(joint));
      return;
    }
    read_ends(table, joint, joint.type != "angle");
    if (joint.type == "point_on_line" || joint.type == "prismatic" || joint.type == "rolling") {
      read_axis(table, joint);
    }
    if (joint.type == "prismatic" || joint.type == "fixed") joint.angle = number(table, "angle");
    if (joint.type == "distance") joint.length = positive(table, "length");
    if (joint.type == "rolling") joint.radius = positive(table, "radius");
    if (joint.type == "angle") {
      read_expressions(table, "value", joint);
    } else if (table.has("driven")) {
      if (joint.type != "revolute" && joint.type != "prismatic") {
        table.fail("driven",
                   fmt::format("is for revolute and prismatic joints, not {}", joint.type));
      }
      read_expressions(table, "driven", joint);
    }
    if (joint.expressions.size() > 1) {
      table.fail(joint.type == "angle" ? "value" : "driven", "must be one expression");
    }
    end_element(table, joint);
    out_.joints.push_back(std::move(joint));
  }

  void read_force(TableReader& table) {
    PlanarElement force = begin_element(table, force_types);
    if (force.type == "spring_damper" || force.type == "torsion_spring") {
      read_ends(table, force, force.type == "spring_damper");
      force.stiffness = not_negative(table, "k");
      force.damping = not_negative(table, "c");
      if (force.type == "spring_damper") force.length = not_negative(table, "length");
      if (force.type == "torsion_spring") force.angle = number(table, "angle").value_or(0);
    } else {
      force.second.body = body_named(table, "on", table.needed_text("on"));
      if (force.second.body == ground) table.fail("on", "names the ground, which does not move");
      const auto reaction = table.text("reaction");
      force.first.body = reaction ? body_named(table, "reaction", *reaction) : ground;
      read_expressions(table, "value", force);
      const std::size_t wanted = force.type == "force" ? 2 : 1;
      if (force.expressions.size() != wanted) {
        table.fail("value", wanted == 2 ? "must be two expressions, [fx, fy] in N"
                                        : "must be one expression, in N m");
      }
      if (force.type == "force") {
        if (const Value* at = table.value("at")) force.second.at = point(table, *at);
        const std::string frame = table.text("frame").value_or("ground");
        if (frame != "ground" && frame != "body") {
          table.fail("frame", fmt::format("= '{}': must be ground or body", frame));
        }
        force.in_body_frame = frame == "body";
      }
    }
    end_element(table, force);
    out_.forces.push_back(std::move(force));
  }

  TableReader& file_;
  const TextSource& source_;
  Parameters& parameters_;
  Graph graph_;
  NumberNames names_;
  PlanarMechanism out_;
  std::map<std::string, int> body_of_name_;
  std::set<std::string> repeated_;
};

}  // namespace

PlanarMechanism read_planar(TableReader& file, Parameters& parameters) {
  return PlanarReading(file, parameters).all();
}

}  // namespace daewave::models
