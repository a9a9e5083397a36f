#pragma once
// Problems with known solutions for the tests of sequential regularization: constraints that move,
// B that is oblique to G^T, a mass matrix that turns, and a nonholonomic constraint. As a
// DaeProblem each is compiled once.

#include <Eigen/Cholesky>
#include <cmath>

#include "core/adapt/problem_of.hpp"
#include "core/problem/terms.hpp"
#include "core/types.hpp"

namespace daewave {

/// x'' = a(t) + B(x) y(t) - B(x) y, |x| = r(t), B = x + 0.4 (-x2, x1): GB = |x|^2.
struct MovingCircle {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;

  template <class T>
  static T radius(const T& t) {
    using std::sin;
    return 1 + 0.2 * sin(t);
  }
  /// Angle t + t^2/4.
  Vec<4> z_exact(double t) const {
    const double r = radius(t), r1 = 0.2 * std::cos(t), a = t + t * t / 4, a1 = 1 + t / 2;
    const double c = std::cos(a), s = std::sin(a);
    return {r * c, r * s, r1 * c - r * a1 * s, r1 * s + r * a1 * c};
  }
  Multiplier y_exact(double t) const { return Multiplier{1 + std::sin(t) / 2}; }
  Position By_exact(double t) const { return B(z_exact(t).head<2>(), t) * y_exact(t); }

  Position f(const Position& x, const Position&, double t) const {
    const double r = radius(t), r1 = 0.2 * std::cos(t), r2 = -0.2 * std::sin(t);
    const double a = t + t * t / 4, a1 = 1 + t / 2;
    const double c = std::cos(a), s = std::sin(a);
    const double along = r2 - r * a1 * a1, across = 2 * r1 * a1 + r / 2;
    return Position{along * c - across * s, along * s + across * c} + B(x, t) * y_exact(t)[0];
  }
  Position B(const Position& x, double) const { return {x[0] - 0.4 * x[1], x[1] + 0.4 * x[0]}; }
  Multiplier g(const Position& x, double t) const {
    return Multiplier{(x.squaredNorm() - radius(t) * radius(t)) / 2};
  }
  Mat<1, 2> G(const Position& x, double) const { return x.transpose(); }
  Multiplier g_t(const Position&, double t) const {
    return Multiplier{-radius(t) * 0.2 * std::cos(t)};
  }
  Multiplier curvature(const Position&, const Position& v, double t) const {
    const double r1 = 0.2 * std::cos(t), r2 = -0.2 * std::sin(t);
    return Multiplier{v.squaredNorm() - r1 * r1 - radius(t) * r2};
  }
};

/// A particle of three coordinates on a moving cylinder, with a knife edge below it:
///
///   0 = (q1^2 + q2^2 - r(t)^2) / 2,   0 = K(q) v + k(t),  K = (0.6 sin q3, 0.6 cos q3, 1),
///
/// the force being such that the exact solution is known. M is dense and depends on q3.
struct MovingCylinder {
  using Position = Vec<3>;
  using Multiplier = Vec<1>;
  using VelocityMultiplier = Vec<1>;

  /// q, and its first two derivatives, at t: the third coordinate is sin t.
  static void motion(double t, Position& q, Position& v, Position& a) {
    const MovingCircle circle;
    const Vec<4> plane = circle.z_exact(t);
    const Vec<2> zero = Vec<2>::Zero();
    const Vec<2> push = circle.f(zero, zero, t);  // B(0) = 0: the acceleration alone.
    q << plane[0], plane[1], std::sin(t);
    v << plane[2], plane[3], std::cos(t);
    a << push[0], push[1], -std::sin(t);
  }
  Vec<6> z_exact(double t) const {
    Position q, v, a;
    motion(t, q, v, a);
    Vec<6> z;
    z << q, v;
    return z;
  }
  /// Of g, then of w.
  Vec<2> y_exact(double t) const { return {1 + std::sin(t) / 2, std::cos(t)}; }

  Position By_exact(double t) const {
    const Position q = z_exact(t).head<3>();
    const Vec<2> y = y_exact(t);
    return M(q).inverse() * (G(q, t).transpose() * y[0] + K(q, t).transpose() * y[1]);
  }

  Mat<3, 3> M(const Position& q) const {
    const Position u(0.5 * std::sin(q[2]), 0.5 * std::cos(q[2]), 0.3);
    Mat<3, 3> M = u * u.transpose();
    M.diagonal() += Position(1, 1.2, 1.5);
    return M;
  }
  Position f(const Position& q, const Position&, double t) const {
    Position path, rate, acceleration;
    motion(t, path, rate, acceleration);
    const Vec<2> y = y_exact(t);
    return M(q) * acceleration + G(q, t).transpose() * y[0] + K(q, t).transpose() * y[1];
  }
  Multiplier g(const Position& q, double t) const {
    const double r = MovingCircle::radius(t);
    return Multiplier{(q.head<2>().squaredNorm() - r * r) / 2};
  }
  Mat<1, 3> G(const Position& q, double) const { return {q[0], q[1], 0}; }
  Multiplier g_t(const Position&, double t) const {
    return Multiplier{-MovingCircle::radius(t) * 0.2 * std::cos(t)};
  }
  Multiplier curvature(const Position& q, const Position& v, double t) const {
    return MovingCircle().curvature(q.head<2>(), v.head<2>(), t);
  }
  VelocityMultiplier w(const Position& q, const Position& v, double t) const {
    return K(q, t) * v + k(q, t);
  }
  Mat<1, 3> K(const Position& q, double) const {
    return {0.6 * std::sin(q[2]), 0.6 * std::cos(q[2]), 1};
  }
  VelocityMultiplier k(const Position&, double t) const {
    Position q, v, a;
    motion(t, q, v, a);
    return -K(q, t) * v;
  }
  /// K_q v v + k'(t).
  VelocityMultiplier w_curvature(const Position& q, const Position& v, double t) const {
    Position path, rate, acceleration;
    motion(t, path, rate, acceleration);
    const auto turn = [](const Position& at, const Position& speed) {
      return 0.6 * speed[2] * (std::cos(at[2]) * speed[0] - std::sin(at[2]) * speed[1]);
    };
    return VelocityMultiplier{turn(q, v) - turn(path, rate) - (K(path, t) * acceleration)[0]};
  }
};

extern template class ProblemOf<MovingCircle>;
extern template DaeProblemPtr problem_of(MovingCircle);
extern template DaeProblemPtr problem_of(MovingCircle, const VecX&, double);
extern template DaeProblemPtr detail::problem_by_reference(const MovingCircle&, const VecX*, double,
                                                           int);

extern template DaeProblemPtr problem_of(MovingCylinder);
extern template DaeProblemPtr problem_of(MovingCylinder, const VecX&, double);

}  // namespace daewave
