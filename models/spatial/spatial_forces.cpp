#include "models/spatial/spatial_forces.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "models/expression/substitution.hpp"
#include "models/problem/state_functions.hpp"

namespace daewave::models {
namespace {

Vector<Term> times(const std::array<Numbers3, 3>& matrix, const Vector<Term>& of) {
  const auto row = [&](std::size_t i) { return dot(vector_of<Term>(matrix[i]), of); };
  return {row(0), row(1), row(2)};
}

bool is_ball(const std::array<Numbers3, 3>& J) {
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      if (J[i][j] != (i == j ? J[0][0] : 0)) return false;
    }
  }
  return true;
}

Quaternion<Term> operator+(const Quaternion<Term>& a, const Quaternion<Term>& b) {
  return {a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z};
}
Quaternion<Term> scaled(const Term& factor, const Quaternion<Term>& a) {
  return {factor * a.w, factor * a.x, factor * a.y, factor * a.z};
}
Quaternion<Term> without_scalar(const Vector<Term>& a) { return {Term(0), a.x, a.y, a.z}; }

}  // namespace

void SpatialForces::set_mass(int row, int column, const Term& value) {
  Equations& e = out_.equations;
  const Ref ref = value.in(e.graph);
  e.M[static_cast<std::size_t>(row + column * e.nq)] = ref;
  e.M[static_cast<std::size_t>(column + row * e.nq)] = ref;
}

void SpatialForces::add_to(int row, const Term& force) {
  Ref& f = out_.equations.f[static_cast<std::size_t>(row)];
  Graph& graph = out_.equations.graph;
  f = graph.add(f, force.in(graph));
}

void SpatialForces::add_mass(int body, const SpatialBody& of) {
  const SpatialPose& pose = poses_[body];
  const int first = of_spatial_body * body;
  const double J0 = (of.inertia[0][0] + of.inertia[1][1] + of.inertia[2][2]) / 3;
  for (int k = 0; k < 3; ++k) set_mass(first + k, first + k, of.mass);
  if (is_ball(of.inertia)) {
    for (int k = 3; k < of_spatial_body; ++k) set_mass(first + k, first + k, 4 * J0);
    energy_ += Term(2 * J0) * squared_norm(pose.e_rate);
    return;
  }
  for (int k = 0; k < 4; ++k) {
    const auto entry = [k](int i) { return Term(i == k ? 1 : 0); };
    const Quaternion<Term> L_k =
        conjugate(pose.e) * Quaternion<Term>{entry(0), entry(1), entry(2), entry(3)};
    const Vector<Term> turned_part = times(of.inertia, vector_part(L_k));
    const Quaternion<Term> column = scaled(
        4,
        pose.e * Quaternion<Term>{Term(J0) * L_k.w, turned_part.x, turned_part.y, turned_part.z});
    const std::array<Term, 4> entries{column.w, column.x, column.y, column.z};
    for (int i = k; i < 4; ++i) {
      set_mass(first + 3 + i, first + 3 + k, entries[static_cast<std::size_t>(i)]);
    }
  }
  const Vector<Term> momentum = times(of.inertia, pose.spin);
  const Quaternion<Term> inertial = scaled(-4, pose.e_rate * without_scalar(momentum)) +
                                    scaled(Term(-4 * J0) * squared_norm(pose.e_rate), pose.e);
  add_to(first + 3, inertial.w);
  add_to(first + 4, inertial.x);
  add_to(first + 5, inertial.y);
  add_to(first + 6, inertial.z);
  const Term radial = pose.e.w * pose.e_rate.w + pose.e.x * pose.e_rate.x +
                      pose.e.y * pose.e_rate.y + pose.e.z * pose.e_rate.z;
  energy_ += Term(0.5) * dot(pose.spin, momentum) + Term(2 * J0) * radial * radial;
}

void SpatialForces::add_body(int body, const SpatialBody& of, const Vector<double>& gravity) {
  const SpatialPose& pose = poses_[body];
  add_mass(body, of);
  energy_ += Term(of.mass / 2) * dot(pose.velocity, pose.velocity);
  const Vector<Term> weight{of.mass * gravity.x, of.mass * gravity.y, of.mass * gravity.z};
  apply(body, weight, {});
  energy_ += -dot(weight, pose.position);
}

void SpatialForces::apply(int body, const Vector<Term>& force, const Vector<Term>& arm) {
  if (body == ground) return;
  const int row = of_spatial_body * body;
  add_to(row, force.x);
  add_to(row + 1, force.y);
  add_to(row + 2, force.z);
  apply_torque(body, cross(arm, force));
}

void SpatialForces::apply_torque(int body, const Vector<Term>& torque) {
  if (body == ground) return;
  const int row = of_spatial_body * body + 3;
  const Quaternion<Term> of = scaled(2, without_scalar(torque) * poses_[body].e);
  add_to(row, of.w);
  add_to(row + 1, of.x);
  add_to(row + 2, of.y);
  add_to(row + 3, of.z);
}

void SpatialForces::add(const SpatialElement& force, const std::vector<Ref>& values) {
  if (force.type == "spring_damper") return add_spring(force);
  if (force.type == "torsion_spring") return add_torsion_spring(force);
  add_load(force, values);
}

void SpatialForces::add_load(const SpatialElement& load, const std::vector<Ref>& values) {
  conservative_ = false;
  Graph& graph = out_.equations.graph;
  Vector<Term> value{Term(graph, values[0]), Term(graph, values[1]), Term(graph, values[2])};
  const int on = load.second.body, reaction = load.first.body;
  if (load.in_body_frame) value = poses_[on].in_ground(value);
  if (load.type == "torque") {
    apply_torque(on, value);
    return apply_torque(reaction, -value);
  }
  apply(on, value, poses_.arm(load.second));
  if (reaction == ground) return;
  apply(reaction, -value, poses_.point(load.second) - poses_[reaction].position);
}

void SpatialForces::add_spring(const SpatialElement& spring) {
  const Vector<Term> d = poses_.point(spring.second) - poses_.point(spring.first);
  const Term square = dot(d, d), k = spring.stiffness;
  conservative_ = conservative_ && spring.damping == 0;
  // Force over length, so that a spring that is to vanish has none at all.
  Term per_length = k;
  if (spring.length > 0) {
    const Term length = sqrt(square), stretched = length - Term(spring.length);
    per_length = k * stretched / length;
    energy_ += Term(spring.stiffness / 2) * stretched * stretched;
  } else {
    energy_ += Term(spring.stiffness / 2) * square;
  }
  if (spring.damping > 0) {
    const Term closing = dot(d, poses_.velocity(spring.second) - poses_.velocity(spring.first));
    per_length += Term(spring.damping) * closing / square;
  }
  const Vector<Term> on_first = per_length * d;
  apply(spring.first.body, on_first, poses_.arm(spring.first));
  apply(spring.second.body, -on_first, poses_.arm(spring.second));
}

void SpatialForces::add_torsion_spring(const SpatialElement& spring) {
  conservative_ = conservative_ && spring.damping == 0;
  Graph& graph = out_.equations.graph;
  const Quaternion<Term> p = turn_between(poses_, spring);
  // Of p and -p, which are one turn, that within half a turn at the start.
  const double at_start = value_at(graph, p.w.in(graph), [this](int variable) {
    return variable == Variables::t ? t_begin_ : out_.guess[variable - 1];
  });
  const Term side = at_start < 0 ? -1 : 1;
  const Term angle = Term(2) * atan2(side * p.z, side * p.w);
  end_before_a_turn(spring, angle);
  const Term wound = angle - Term(spring.angle);
  const Vector<Term> axis = poses_.direction(spring.first.body, spring.axis_of_first);
  const Vector<Term> relative =
      poses_[spring.second.body].angular_velocity - poses_[spring.first.body].angular_velocity;
  const Term torque = Term(spring.stiffness) * wound + Term(spring.damping) * dot(axis, relative);
  energy_ += Term(spring.stiffness / 2) * wound * wound;
  apply_torque(spring.first.body, torque * axis);
  apply_torque(spring.second.body, -(torque * axis));
}

/// An orientation tells the angle but for two turns: beyond a turn to the one side it would be that
/// a turn to the other. What turns its sign there alone is no function of the orientation, so that
/// the end is a little before: as much as a step is seen to dip into.
void SpatialForces::end_before_a_turn(const SpatialElement& spring, const Term& angle) {
  constexpr double before = 0.2;
  const Term left = cos(Term(0.5) * angle) + Term(std::cos(before / 2));
  const int entries = out_.equations.nq;
  const auto function = std::make_shared<const StateFunctions>(
      out_.equations.graph, std::vector<Ref>{left.in(out_.equations.graph)},
      Variables{entries, entries, 0});
  out_.ends.push_back(
      {.name = fmt::format("{} wound by {:.4g} rad, beyond a turn its angle is not known",
                           spring.name, 2 * std::acos(-1.0) - before),
       .advice = "two springs of twice k one behind the other, with a light body between that a "
                 "joint lets turn too",
       .left = [function](double t, const VecX& state) { return (*function)(t, state)[0]; }});
}

}  // namespace daewave::models
