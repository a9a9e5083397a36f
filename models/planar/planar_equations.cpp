#include "models/planar/planar_equations.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "models/expression/substitution.hpp"
#include "models/mechanism/state_names.hpp"
#include "models/mechanism/written_rows.hpp"
#include "models/planar/planar_guess.hpp"
#include "models/planar/planar_names.hpp"

namespace daewave::models {
namespace {

struct Pair {
  Ref x, y;
};

/// A body, or the ground, in expressions.
struct Pose {
  Ref x, y, phi, cosine, sine, rate_x, rate_y, rate;
};

class Building {
 public:
  Building(const PlanarMechanism& mechanism, const TextSource& source, const Parameters& parameters,
           double t_begin)
      : of_(mechanism),
        source_(source),
        graph_(out_.equations.graph),
        variables_{3 * count(), 3 * count(), 0},
        names_(graph_, parameters, planar_state_names(mechanism), variables_),
        rows_(out_, source, variables_),
        t_begin_(t_begin) {}

  MechanismEquations all() {
    out_.guess = planar_guess(of_);
    out_.stated = [stated = planar_velocities(of_)](const VecX&) { return stated; };
    Equations& e = out_.equations;
    e.kind = Kind::multibody;
    e.nq = 3 * count();
    e.f.assign(static_cast<std::size_t>(e.nq), zero());
    energy_ = zero();
    for (int b = 0; b < count(); ++b) add_body(b);
    for (const PlanarElement& force : of_.forces) add_force(force);
    for (const PlanarElement& joint : of_.joints) {
      if (joint.type != "velocity") add_joint(joint);
    }
    for (const PlanarElement& joint : of_.joints) {
      if (joint.type == "velocity") add_velocity_rows(joint);
    }
    if (conservative_ && rows_.do_no_work()) e.energy = energy_;
    return std::move(out_);
  }

 private:
  int count() const { return static_cast<int>(of_.bodies.size()); }
  Ref number(double value) { return graph_.number(value); }
  Ref zero() { return number(0); }
  Ref scaled(double factor, Ref of) { return graph_.multiply(number(factor), of); }

  Pose pose(int body) {
    if (body == ground) {
      return {zero(), zero(), zero(), number(1), zero(), zero(), zero(), zero()};
    }
    const auto q = [&](int k) { return graph_.variable(variables_.q(3 * body + k)); };
    const auto v = [&](int k) { return graph_.variable(variables_.v(3 * body + k)); };
    return {q(0), q(1), q(2), graph_.cosine(q(2)), graph_.sine(q(2)), v(0), v(1), v(2)};
  }

  /// A vector of a body's frame, in that of the ground.
  Pair turned(const Pose& by, const std::array<double, 2>& of) {
    return {graph_.subtract(scaled(of[0], by.cosine), scaled(of[1], by.sine)),
            graph_.add(scaled(of[0], by.sine), scaled(of[1], by.cosine))};
  }
  Pair point(const BodyPoint& of) {
    const Pose at = pose(of.body);
    const Pair arm = turned(at, of.at);
    return {graph_.add(at.x, arm.x), graph_.add(at.y, arm.y)};
  }
  Pair velocity(const BodyPoint& of) {
    const Pose at = pose(of.body);
    const Pair arm = turned(at, of.at);
    return {graph_.subtract(at.rate_x, graph_.multiply(at.rate, arm.y)),
            graph_.add(at.rate_y, graph_.multiply(at.rate, arm.x))};
  }
  Pair minus(const Pair& a, const Pair& b) {
    return {graph_.subtract(a.x, b.x), graph_.subtract(a.y, b.y)};
  }
  Ref dot(const Pair& a, const Pair& b) {
    return graph_.add(graph_.multiply(a.x, b.x), graph_.multiply(a.y, b.y));
  }
  Pair times(Ref factor, const Pair& of) {
    return {graph_.multiply(factor, of.x), graph_.multiply(factor, of.y)};
  }
  Pair between(const PlanarElement& of) { return minus(point(of.second), point(of.first)); }
  Ref angle_between(const PlanarElement& of) {
    return graph_.subtract(pose(of.second.body).phi, pose(of.first.body).phi);
  }
  Ref rate_between(const PlanarElement& of) {
    return graph_.subtract(pose(of.second.body).rate, pose(of.first.body).rate);
  }
  Pair axis(const PlanarElement& of) { return turned(pose(of.first.body), of.axis); }
  Pair normal(const PlanarElement& of) {
    return turned(pose(of.first.body), {-of.axis[1], of.axis[0]});
  }

  Ref meaning(const PlanarElement& element, std::size_t which) {
    names_.set_index(element.index);
    return models::meaning(source_, element.expressions[which], graph_, names_);
  }

  /// At the start, as the file states it.
  double at_start(Ref of) {
    return value_at(graph_, of, [this](int variable) {
      return variable == Variables::t ? t_begin_ : out_.guess[variable - 1];
    });
  }

  void add_body(int b) {
    const PlanarBody& body = of_.bodies[static_cast<std::size_t>(b)];
    const Pose at = pose(b);
    Equations& e = out_.equations;
    for (const double entry : {body.mass, body.mass, body.inertia}) e.M.push_back(number(entry));
    apply(b, {number(body.mass * of_.gravity[0]), number(body.mass * of_.gravity[1])}, {});
    const auto square = [this](Ref x) { return graph_.multiply(x, x); };
    add_energy(scaled(body.mass / 2, graph_.add(square(at.rate_x), square(at.rate_y))));
    add_energy(scaled(body.inertia / 2, square(at.rate)));
    add_energy(scaled(-body.mass * of_.gravity[0], at.x));
    add_energy(scaled(-body.mass * of_.gravity[1], at.y));
  }

  void add_energy(Ref part) { energy_ = graph_.add(energy_, part); }

  /// A force on a body, at an arm from its centre.
  void apply(int body, const Pair& force, const std::optional<Pair>& arm) {
    if (body == ground) return;
    const auto row = static_cast<std::size_t>(3 * body);
    std::vector<Ref>& f = out_.equations.f;
    f[row] = graph_.add(f[row], force.x);
    f[row + 1] = graph_.add(f[row + 1], force.y);
    if (!arm) return;
    add_torque(body,
               graph_.subtract(graph_.multiply(arm->x, force.y), graph_.multiply(arm->y, force.x)));
  }
  void add_torque(int body, Ref torque) {
    if (body == ground) return;
    const auto row = static_cast<std::size_t>(3 * body + 2);
    out_.equations.f[row] = graph_.add(out_.equations.f[row], torque);
  }
  Pair arm(const BodyPoint& of) { return turned(pose(of.body), of.at); }

  void add_force(const PlanarElement& force) {
    if (force.type == "spring_damper") return add_spring(force);
    if (force.type == "torsion_spring") return add_torsion_spring(force);
    conservative_ = false;
    const int on = force.second.body, reaction = force.first.body;
    if (force.type == "torque") {
      const Ref torque = meaning(force, 0);
      add_torque(on, torque);
      return add_torque(reaction, graph_.negate(torque));
    }
    Pair value{meaning(force, 0), meaning(force, 1)};
    if (force.in_body_frame) {
      const Pose frame = pose(on);
      value = {
          graph_.subtract(graph_.multiply(frame.cosine, value.x),
                          graph_.multiply(frame.sine, value.y)),
          graph_.add(graph_.multiply(frame.sine, value.x), graph_.multiply(frame.cosine, value.y))};
    }
    apply(on, value, arm(force.second));
    if (reaction == ground) return;
    const Pose other = pose(reaction);
    apply(reaction, {graph_.negate(value.x), graph_.negate(value.y)},
          minus(point(force.second), {other.x, other.y}));
  }

  void add_spring(const PlanarElement& spring) {
    const Pair d = between(spring);
    const Ref square = dot(d, d), k = number(spring.stiffness);
    conservative_ = conservative_ && spring.damping == 0;
    // Force over length, so that a spring that is to vanish has none at all.
    Ref per_length = k;
    if (spring.length > 0) {
      const Ref length = graph_.square_root(square);
      const Ref stretched = graph_.subtract(length, number(spring.length));
      per_length = graph_.divide(graph_.multiply(k, stretched), length);
      add_energy(scaled(spring.stiffness / 2, graph_.multiply(stretched, stretched)));
    } else {
      add_energy(scaled(spring.stiffness / 2, square));
    }
    if (spring.damping > 0) {
      const Ref closing = dot(d, minus(velocity(spring.second), velocity(spring.first)));
      per_length = graph_.add(per_length, graph_.divide(scaled(spring.damping, closing), square));
    }
    const Pair on_first = times(per_length, d);
    apply(spring.first.body, on_first, arm(spring.first));
    apply(spring.second.body, {graph_.negate(on_first.x), graph_.negate(on_first.y)},
          arm(spring.second));
  }

  void add_torsion_spring(const PlanarElement& spring) {
    conservative_ = conservative_ && spring.damping == 0;
    const Ref turned = graph_.subtract(angle_between(spring), number(*spring.angle));
    const Ref torque =
        graph_.add(scaled(spring.stiffness, turned), scaled(spring.damping, rate_between(spring)));
    add_energy(scaled(spring.stiffness / 2, graph_.multiply(turned, turned)));
    add_torque(spring.first.body, torque);
    add_torque(spring.second.body, graph_.negate(torque));
  }

  void add_row(Ref row) { out_.equations.g.push_back(row); }
  void add_angle_row(const PlanarElement& joint) {
    const Ref angle = angle_between(joint);
    add_row(graph_.subtract(angle, number(joint.angle ? *joint.angle : at_start(angle))));
  }
  void add_point_rows(const PlanarElement& joint) {
    const Pair d = between(joint);
    add_row(d.x);
    add_row(d.y);
  }

  void add_joint(const PlanarElement& joint) {
    const auto first = static_cast<int>(out_.equations.g.size());
    if (joint.type == "revolute" || joint.type == "fixed") add_point_rows(joint);
    if (joint.type == "prismatic" || joint.type == "fixed") add_angle_row(joint);
    if (joint.type == "prismatic" || joint.type == "point_on_line") {
      add_row(dot(normal(joint), between(joint)));
    }
    if (joint.type == "distance") {
      const Pair d = between(joint);
      add_row(scaled(0.5 / joint.length,
                     graph_.subtract(dot(d, d), number(joint.length * joint.length))));
    }
    if (joint.type == "rolling") {
      const Pair d = between(joint);
      add_row(graph_.subtract(dot(normal(joint), d), number(joint.radius)));
      const Ref rolled =
          graph_.add(dot(axis(joint), d), scaled(joint.radius, angle_between(joint)));
      add_row(graph_.subtract(rolled, number(at_start(rolled))));
    }
    if (joint.type == "constraint") {
      for (std::size_t i = 0; i < joint.expressions.size(); ++i) {
        rows_.add_position_row(joint.name, joint.expressions[i], meaning(joint, i));
      }
    } else if (!joint.expressions.empty()) {
      const Ref moved =
          joint.type == "prismatic" ? dot(axis(joint), between(joint)) : angle_between(joint);
      rows_.add_position_row(joint.name, joint.expressions[0],
                             graph_.subtract(moved, meaning(joint, 0)));
    }
    out_.joints.push_back(
        {joint.name, first, static_cast<int>(out_.equations.g.size()) - first, 0, joint.place});
  }

  void add_velocity_rows(const PlanarElement& joint) {
    std::vector<Ref> rows;
    for (std::size_t i = 0; i < joint.expressions.size(); ++i) rows.push_back(meaning(joint, i));
    rows_.add_velocity_rows(joint.name, joint.place, joint.expressions, rows);
  }

  const PlanarMechanism& of_;
  const TextSource& source_;
  MechanismEquations out_;
  Graph& graph_;
  Variables variables_;
  StateNames names_;
  WrittenRows rows_;
  double t_begin_;
  Ref energy_ = -1;
  bool conservative_ = true;
};

}  // namespace

MechanismEquations planar_equations(const PlanarMechanism& mechanism, const TextSource& source,
                                    const Parameters& parameters, double t_begin) {
  return Building(mechanism, source, parameters, t_begin).all();
}

}  // namespace daewave::models
