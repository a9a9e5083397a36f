#pragma once
// Random plane mechanisms of rods, each with (x, y) of its middle and its angle: chains with
// springs, dampers and drives, closed loops, loops through singular configurations, constraints
// stated twice, and a skate. For each there is a way to know its motion: where constraints become
// dependent or are redundant, the same motion by others that are neither.

#include <cmath>
#include <string>
#include <vector>

#include "core/problem/dae_problem.hpp"
#include "core/types.hpp"

namespace daewave::testing {

/// One row of g, or two.
struct JointRow {
  /// pin: a point of rod i is that of rod j, -1 the ground. slide: it has that height.
  /// turn: the angle of i is `sign` times that of j, and more: offset + rate t + swing sin(t).
  enum class Kind { pin, slide, turn } kind;
  int i = 0, j = -1;
  double at_i = 0, at_j = 0;  ///< Along the rods, from their middle.
  double x = 0, y = 0;        ///< On the ground.
  double sign = 1, offset = 0, rate = 0, swing = 0;

  int rows() const { return kind == Kind::pin ? 2 : 1; }
};

/// Between a point of rod i and the ground.
struct GroundSpring {
  int i = 0;
  double at = 0, x = 0, y = 0, stiffness = 0, damping = 0;
};

struct PlaneMechanism {
  using Position = VecX;
  using Multiplier = VecX;
  template <class T>
  using Like = Eigen::Matrix<T, Dynamic, 1>;

  std::vector<double> mass, inertia;
  std::vector<JointRow> joints;
  std::vector<int> again;  ///< Rows that are stated once more, twice as large.
  std::vector<GroundSpring> springs;
  double gravity = 9.81, torque = 0;  ///< The torque on the first rod, times cos(2 t).
  double friction = 0;                ///< Of each angle.

  int bodies() const { return static_cast<int>(mass.size()); }

  MatX M(const Position&) const {
    VecX diagonal(3 * bodies());
    for (int i = 0; i < bodies(); ++i) {
      diagonal.segment(3 * i, 3) << mass[static_cast<std::size_t>(i)],
          mass[static_cast<std::size_t>(i)], inertia[static_cast<std::size_t>(i)];
    }
    return diagonal.asDiagonal();
  }
  Position f(const Position& q, const Position& v, double t) const;
  template <class T>
  Like<T> g(const Like<T>& q, T t) const {
    using std::cos;
    using std::sin;
    std::vector<T> rows;
    const auto point = [&](int i, double at, T& x, T& y) {
      x = q[3 * i] + at * cos(q[3 * i + 2]);
      y = q[3 * i + 1] + at * sin(q[3 * i + 2]);
    };
    for (const JointRow& joint : joints) {
      T x = T(0.0) * q[0], y = x, other_x = x + joint.x, other_y = x + joint.y;
      point(joint.i, joint.at_i, x, y);
      switch (joint.kind) {
        case JointRow::Kind::pin:
          if (joint.j >= 0) point(joint.j, joint.at_j, other_x, other_y);
          rows.push_back(x - other_x);
          rows.push_back(y - other_y);
          break;
        case JointRow::Kind::slide:
          rows.push_back(y - joint.y);
          break;
        case JointRow::Kind::turn: {
          T angle = q[3 * joint.i + 2] - joint.offset - joint.rate * t - joint.swing * sin(t);
          if (joint.j >= 0) angle -= joint.sign * q[3 * joint.j + 2];
          rows.push_back(angle);
        }
      }
    }
    for (const int row : again) rows.push_back(2.0 * rows[static_cast<std::size_t>(row)]);
    Like<T> all(static_cast<int>(rows.size()));
    for (int i = 0; i < all.size(); ++i) all[i] = rows[static_cast<std::size_t>(i)];
    return all;
  }
};

/// The first rod is a skate: its middle does not slip sideways.
struct SkatingMechanism : PlaneMechanism {
  using VelocityMultiplier = Vec<1>;
  template <class T>
  VecOf<T, 1> w(const Like<T>& q, const Like<T>& v, T) const {
    using std::cos;
    using std::sin;
    return VecOf<T, 1>(v[0] * sin(q[2]) - v[1] * cos(q[2]));
  }
};

struct RandomMechanism {
  std::string name;
  DaeProblemPtr problem;  ///< What is to be solved.
  DaeProblemPtr regular;  ///< The same motion; the same problem where that is regular.
  VecX start;
  double end = 0;
};

/// The same for the same seed.
RandomMechanism random_mechanism(unsigned seed);

}  // namespace daewave::testing
