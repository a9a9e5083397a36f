#include "models/spatial/spatial_joints.hpp"

#include "models/spatial/orientation.hpp"

namespace daewave::models {
namespace {

/// Two directions normal to one, and to each other.
std::array<Vector<double>, 2> normals_of(const Vector<double>& axis) {
  const Quaternion<double> turn = shortest_turn({0, 0, 1}, axis);
  return {turned(turn, {1, 0, 0}), turned(turn, {0, 1, 0})};
}

}  // namespace

void SpatialJoints::add_row(const Term& row) {
  out_.equations.g.push_back(row.in(out_.equations.graph));
}

void SpatialJoints::add_rows(const Vector<Term>& rows) {
  add_row(rows.x);
  add_row(rows.y);
  add_row(rows.z);
}

void SpatialJoints::add_norm(int body, const SpatialBody& of) {
  const auto row = static_cast<int>(out_.equations.g.size());
  out_.joints.push_back({"Euler parameters of " + of.name, row, 1, 0, of.place});
  add_row(Term(0.5) * (squared_norm(poses_[body].e) - Term(1)));
}

Vector<Term> SpatialJoints::between(const SpatialElement& joint) const {
  return poses_.point(joint.second) - poses_.point(joint.first);
}

void SpatialJoints::add_point_rows(const SpatialElement& joint) { add_rows(between(joint)); }

/// Nothing turns but as the joint says.
void SpatialJoints::add_turn_rows(const SpatialElement& joint) {
  const Quaternion<Term> p = conjugate(poses_[joint.first.body].e) * poses_[joint.second.body].e *
                             quaternion_of<Term>(conjugate(joint.turn));
  add_rows(Term(2) * vector_part(p));
}

void SpatialJoints::add_axis_rows(const SpatialElement& joint) {
  const Quaternion<Term> p = turn_between(poses_, joint);
  add_row(Term(2) * p.x);
  add_row(Term(2) * p.y);
}

void SpatialJoints::add_line_rows(const SpatialElement& joint) {
  const Vector<Term> d = between(joint);
  for (const Vector<double>& normal : normals_of(joint.axis_of_first)) {
    add_row(dot(poses_.direction(joint.first.body, normal), d));
  }
}

void SpatialJoints::add_distance_row(const SpatialElement& joint) {
  const Vector<Term> d = between(joint);
  add_row(Term(0.5 / joint.length) * (dot(d, d) - Term(joint.length * joint.length)));
}

Vector<Term> SpatialJoints::to_contact(const SpatialElement& joint) const {
  const Vector<Term> normal = poses_.direction(joint.first.body, joint.axis_of_first);
  if (joint.is_ball) return Term(-joint.radius) * normal;
  const Vector<Term> axis = poses_.direction(joint.second.body, joint.axis_of_second);
  const Term c = dot(normal, axis);
  return (Term(-joint.radius) / sqrt(Term(1) - c * c)) * (normal - c * axis);
}

void SpatialJoints::add_rolling_row(const SpatialElement& joint) {
  const Vector<Term> normal = poses_.direction(joint.first.body, joint.axis_of_first);
  add_row(dot(normal, between(joint) + to_contact(joint)));
}

void SpatialJoints::add_driven_row(const SpatialElement& joint, Ref value) {
  Graph& graph = out_.equations.graph;
  const Term wanted(graph, value);
  if (joint.type == "prismatic") {
    const Term way = dot(poses_.direction(joint.first.body, joint.axis_of_first), between(joint));
    return written_.add_position_row(joint.name, joint.expressions[0], (way - wanted).in(graph));
  }
  const Quaternion<Term> p = turn_between(poses_, joint);
  const Term half = Term(0.5) * wanted;
  const Term row = Term(2) * (p.z * cos(half) - p.w * sin(half));
  written_.add_position_row(joint.name, joint.expressions[0], row.in(graph));
}

void SpatialJoints::add(const SpatialElement& joint, const std::vector<Ref>& values) {
  const auto first = static_cast<int>(out_.equations.g.size());
  const std::string& type = joint.type;
  if (type == "constraint") {
    for (std::size_t i = 0; i < values.size(); ++i) {
      written_.add_position_row(joint.name, joint.expressions[i], values[i]);
    }
  } else if (type == "distance") {
    add_distance_row(joint);
  } else if (type == "rolling") {
    add_rolling_row(joint);
  } else if (type == "point_on_plane") {
    add_row(dot(poses_.direction(joint.first.body, joint.axis_of_first), between(joint)));
  } else if (type == "cylindrical" || type == "prismatic" || type == "point_on_line") {
    add_line_rows(joint);
  } else {
    add_point_rows(joint);
  }
  if (type == "revolute" || type == "cylindrical") add_axis_rows(joint);
  if (type == "fixed" || type == "prismatic") add_turn_rows(joint);
  if (type == "universal") {
    add_row(dot(poses_.direction(joint.first.body, joint.axis_of_first),
                poses_.direction(joint.second.body, joint.axis_of_second)));
  }
  if (type != "constraint" && !values.empty()) add_driven_row(joint, values[0]);
  out_.joints.push_back(
      {joint.name, first, static_cast<int>(out_.equations.g.size()) - first, 0, joint.place});
}

void SpatialJoints::add_rolling_velocities(const SpatialElement& joint) {
  Equations& e = out_.equations;
  const SpatialPose& first = poses_[joint.first.body];
  const SpatialPose& second = poses_[joint.second.body];
  const Vector<Term> contact = to_contact(joint);
  const Vector<Term> of_disk =
      poses_.velocity(joint.second) + cross(second.angular_velocity, contact);
  const Vector<Term> of_plane =
      first.velocity +
      cross(first.angular_velocity, poses_.point(joint.second) + contact - first.position);
  const auto begin = static_cast<int>(e.g.size() + e.w.size());
  for (const Vector<double>& along : normals_of(joint.axis_of_first)) {
    const Term slip = dot(poses_.direction(joint.first.body, along), of_disk - of_plane);
    e.w.push_back(slip.in(e.graph));
  }
  out_.joints.push_back({joint.name + " without sliding", begin, 2, 0, joint.place});
}

}  // namespace daewave::models
