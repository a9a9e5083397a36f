#include "tests/ivp/random_mechanism.hpp"

#include <algorithm>
#include <random>
#include <stdexcept>

#include "core/adapt/problem_of.hpp"
#include "core/derivatives/autodiff.hpp"
#include "core/start/problem_start.hpp"

namespace daewave::testing {
namespace {

constexpr double pi = 3.14159265358979323846;

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}
  double between(double low, double high) {
    return low + (high - low) * (static_cast<double>(random_() % 1'000'003) / 1'000'003);
  }
  int below(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  bool chance(double part) { return between(0, 1) < part; }

 private:
  std::mt19937 random_;
};

/// A rod of that length, its ends at -length/2 and length/2.
void add_rod(PlaneMechanism& rods, double length, Draw& draw) {
  const double mass = draw.between(0.3, 2);
  rods.mass.push_back(mass);
  rods.inertia.push_back(mass * length * length / 12 * draw.between(0.8, 1.5));
}

JointRow pin(int i, double at_i, int j, double at_j) {
  return {.kind = JointRow::Kind::pin, .i = i, .j = j, .at_i = at_i, .at_j = at_j};
}
JointRow pin_to_ground(int i, double at_i, double x, double y) {
  return {.kind = JointRow::Kind::pin, .i = i, .at_i = at_i, .x = x, .y = y};
}
JointRow turn(int i, int j, double sign, double offset) {
  return {.kind = JointRow::Kind::turn, .i = i, .j = j, .sign = sign, .offset = offset};
}

/// Middle, angle, and rates, of a rod whose first end is at (x, y) and moves with (u, v).
struct Placed {
  VecX q, v;
  void rod(int i, double length, double x, double y, double u, double w, double angle,
           double rate) {
    const double c = std::cos(angle), s = std::sin(angle);
    q.segment(3 * i, 3) << x + length / 2 * c, y + length / 2 * s, angle;
    v.segment(3 * i, 3) << u - length / 2 * s * rate, w + length / 2 * c * rate, rate;
  }
  VecX state() const {
    VecX z(q.size() + v.size());
    z << q, v;
    return z;
  }
};

Placed places(int bodies) { return {VecX::Zero(3 * bodies), VecX::Zero(3 * bodies)}; }

void add_forces(PlaneMechanism& rods, Draw& draw) {
  if (draw.chance(0.5)) {
    rods.springs.push_back({.i = draw.below(rods.bodies()),
                            .at = draw.between(-0.2, 0.2),
                            .x = draw.between(-1, 2),
                            .y = draw.between(-2, 1),
                            .stiffness = draw.between(1, 50),
                            .damping = draw.chance(0.5) ? draw.between(0.1, 2) : 0});
  }
  if (draw.chance(0.3)) rods.friction = draw.between(0.05, 0.5);
  if (draw.chance(0.3)) rods.torque = draw.between(-3, 3);
}

void state_again(PlaneMechanism& rods, Draw& draw) {
  int rows = 0;
  for (const JointRow& joint : rods.joints) rows += joint.rows();
  rods.again.push_back(draw.below(rows));
  if (draw.chance(0.3)) rods.again.push_back(draw.below(rows));
}

template <class Rods>
DaeProblemPtr problem(const Rods& rods, const VecX& start) {
  return problem_of(with_autodiff(rods), start, 0.0);
}

/// To rounding, which is what a reference needs.
VecX on_constraints(const DaeProblem& problem, VecX start) {
  const StartRepair repair = repair_start(problem, start, 0, 1e-13);
  if (!repair.ok) throw std::runtime_error("a random start: " + repair.failure);
  return start;
}

PlaneMechanism chain(int links, double driven, Draw& draw, Placed& at) {
  PlaneMechanism rods;
  at = places(links);
  double x = 0, y = 0, u = 0, w = 0, before = 0;
  for (int i = 0; i < links; ++i) {
    const double length = draw.between(0.4, 1.2);
    add_rod(rods, length, draw);
    rods.joints.push_back(i == 0 ? pin_to_ground(0, -length / 2, 0, 0)
                                 : pin(i, -length / 2, i - 1, before / 2));
    const double angle = draw.between(-pi, pi), rate = draw.between(-3, 3);
    at.rod(i, length, x, y, u, w, angle, rate);
    x += length * std::cos(angle);
    y += length * std::sin(angle);
    u -= length * std::sin(angle) * rate;
    w += length * std::cos(angle) * rate;
    before = length;
  }
  if (driven > 0) {
    JointRow drive = turn(0, -1, 1, at.q[2]);
    drive.rate = draw.between(-2, 2);
    drive.swing = draw.between(-1, 1);
    rods.joints.push_back(drive);
  }
  return rods;
}

/// A crank that turns all the way around, a coupler and a rocker: no singular configuration.
PlaneMechanism four_bar(Draw& draw, Placed& at) {
  PlaneMechanism rods;
  const double a = draw.between(0.2, 0.5), b = draw.between(0.9, 1.2), c = draw.between(0.8, 1.1);
  const double ground = draw.between(0.8, 1.1);
  for (const double length : {a, b, c}) add_rod(rods, length, draw);
  rods.joints = {pin_to_ground(0, -a / 2, 0, 0), pin(1, -b / 2, 0, a / 2),
                 pin_to_ground(2, -c / 2, ground, 0), pin(1, b / 2, 2, c / 2)};
  at = places(3);
  const double angle = draw.between(-pi, pi), rate = draw.between(-4, 4);
  const double x = a * std::cos(angle), y = a * std::sin(angle);
  const double gap = std::hypot(ground - x, y), towards = std::atan2(-y, ground - x);
  const double inside = std::acos((b * b + gap * gap - c * c) / (2 * b * gap));
  const double coupler = towards + (draw.chance(0.5) ? inside : -inside);
  const double end_x = x + b * std::cos(coupler), end_y = y + b * std::sin(coupler);
  const double rocker = std::atan2(end_y, end_x - ground);
  // Rates of coupler and rocker from that of the crank.
  Mat<2, 2> A;
  A << -b * std::sin(coupler), c * std::sin(rocker), b * std::cos(coupler), -c * std::cos(rocker);
  const Vec<2> rates =
      A.inverse() * Vec<2>(a * std::sin(angle) * rate, -a * std::cos(angle) * rate);
  at.rod(0, a, 0, 0, 0, 0, angle, rate);
  at.rod(1, b, x, y, -y * rate, x * rate, coupler, rates[0]);
  at.rod(2, c, ground, 0, 0, 0, rocker, rates[1]);
  return rods;
}

/// Singular where all lie in a line.
PlaneMechanism parallelogram(Draw& draw, Placed& at, PlaneMechanism& regular) {
  PlaneMechanism rods;
  const double a = draw.between(0.4, 1.1), ground = draw.between(0.5, 1.3);
  for (const double length : {a, ground, a}) add_rod(rods, length, draw);
  rods.joints = {pin_to_ground(0, -a / 2, 0, 0), pin(1, -ground / 2, 0, a / 2),
                 pin_to_ground(2, -a / 2, ground, 0), pin(1, ground / 2, 2, a / 2)};
  add_forces(rods, draw);
  at = places(3);
  const double angle = draw.between(-pi, pi), rate = draw.between(-8, 8);
  at.rod(0, a, 0, 0, 0, 0, angle, rate);
  at.rod(1, ground, a * std::cos(angle), a * std::sin(angle), -a * std::sin(angle) * rate,
         a * std::cos(angle) * rate, 0, 0);
  at.rod(2, a, ground, 0, 0, 0, angle, rate);
  regular = rods;
  regular.joints.pop_back();
  regular.joints.push_back(turn(1, -1, 1, 0));
  regular.joints.push_back(turn(2, 0, 1, 0));
  return rods;
}

/// Crank and rod of one length: singular where they lie upon each other.
PlaneMechanism slider(Draw& draw, Placed& at, PlaneMechanism& regular) {
  PlaneMechanism rods;
  const double a = draw.between(0.4, 1.2);
  for (const double length : {a, a}) add_rod(rods, length, draw);
  JointRow slide{.kind = JointRow::Kind::slide, .i = 1, .at_i = a / 2};
  rods.joints = {pin_to_ground(0, -a / 2, 0, 0), pin(1, -a / 2, 0, a / 2), slide};
  add_forces(rods, draw);
  at = places(2);
  const double angle = draw.between(-pi, pi), rate = draw.between(-8, 8);
  at.rod(0, a, 0, 0, 0, 0, angle, rate);
  at.rod(1, a, a * std::cos(angle), a * std::sin(angle), -a * std::sin(angle) * rate,
         a * std::cos(angle) * rate, -angle, -rate);
  regular = rods;
  regular.joints.back() = turn(1, 0, -1, 0);
  return rods;
}

RandomMechanism finished(std::string name, const PlaneMechanism& rods,
                         const PlaneMechanism& regular, const Placed& at, double end) {
  RandomMechanism made;
  made.name = std::move(name);
  const VecX start = at.state();
  made.problem = problem(rods, start);
  made.regular = problem(regular, start);
  made.start = on_constraints(*made.regular, start);
  made.end = end;
  return made;
}

}  // namespace

PlaneMechanism::Position PlaneMechanism::f(const Position& q, const Position& v, double t) const {
  Position force = Position::Zero(q.size());
  for (int i = 0; i < bodies(); ++i) {
    force[3 * i + 1] = -gravity * mass[static_cast<std::size_t>(i)];
    force[3 * i + 2] = -friction * v[3 * i + 2];
  }
  force[2] += torque * std::cos(2 * t);
  for (const GroundSpring& spring : springs) {
    const int k = 3 * spring.i;
    const double c = spring.at * std::cos(q[k + 2]), s = spring.at * std::sin(q[k + 2]);
    const double x =
        -spring.stiffness * (q[k] + c - spring.x) - spring.damping * (v[k] - s * v[k + 2]);
    const double y =
        -spring.stiffness * (q[k + 1] + s - spring.y) - spring.damping * (v[k + 1] + c * v[k + 2]);
    force[k] += x;
    force[k + 1] += y;
    force[k + 2] += c * y - s * x;
  }
  return force;
}

RandomMechanism random_mechanism(unsigned seed) {
  Draw draw(seed);
  const double end = draw.between(0.5, 4);
  Placed at;
  PlaneMechanism regular;
  const int kind = draw.below(8);
  switch (kind) {
    case 0: {
      const PlaneMechanism rods = [&] {
        PlaneMechanism made = chain(1 + draw.below(4), 0, draw, at);
        add_forces(made, draw);
        return made;
      }();
      return finished("chain", rods, rods, at, end);
    }
    case 1: {
      PlaneMechanism rods = chain(2 + draw.below(2), 1, draw, at);
      add_forces(rods, draw);
      return finished("driven chain", rods, rods, at, end);
    }
    case 2: {
      PlaneMechanism rods = four_bar(draw, at);
      add_forces(rods, draw);
      return finished("four-bar", rods, rods, at, end);
    }
    case 3: {
      regular = draw.chance(0.5) ? four_bar(draw, at) : chain(1 + draw.below(3), 0, draw, at);
      add_forces(regular, draw);
      PlaneMechanism rods = regular;
      state_again(rods, draw);
      return finished("redundant", rods, regular, at, end);
    }
    case 4: {
      const PlaneMechanism rods = parallelogram(draw, at, regular);
      return finished("parallelogram", rods, regular, at, end);
    }
    case 5: {
      const PlaneMechanism rods = slider(draw, at, regular);
      return finished("slider-crank", rods, regular, at, end);
    }
    case 6: {
      PlaneMechanism rods =
          draw.chance(0.5) ? parallelogram(draw, at, regular) : slider(draw, at, regular);
      state_again(rods, draw);
      return finished("singular and redundant", rods, regular, at, end);
    }
    default: {
      // A skate on a slope, and what it draws.
      SkatingMechanism rods;
      static_cast<PlaneMechanism&>(rods) = chain(1 + draw.below(3), 0, draw, at);
      rods.joints.erase(rods.joints.begin());
      rods.gravity = draw.between(0, 2);
      add_forces(rods, draw);
      RandomMechanism made;
      made.name = "skate";
      made.problem = made.regular = problem(rods, at.state());
      made.start = on_constraints(*made.problem, at.state());
      made.end = end;
      return made;
    }
  }
}

}  // namespace daewave::testing
