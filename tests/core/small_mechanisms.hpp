#pragma once
// Small problems whose constraints are templates on their scalar, with derivatives by hand to
// compare with.

#include <cmath>

#include "core/adapt/problem_of.hpp"
#include "core/derivatives/autodiff.hpp"
#include "core/types.hpp"

namespace daewave::testing {

/// A pendulum of length 1 and mass 1; lambda = |v|^2 - 9.81 q2 on the constraint.
struct Pendulum {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  static constexpr double gravity = 9.81;

  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, -gravity}; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T) const {
    return VecOf<T, 1>((q.squaredNorm() - 1.0) / 2.0);
  }
};

/// A pendulum whose support moves along (sin t, cos(t^2)) and whose length is e^(-t).
struct DrivenPendulum : Pendulum {
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T t) const {
    using std::cos;
    using std::exp;
    using std::sin;
    const T dx = q[0] - sin(t), dy = q[1] - cos(t * t);
    return VecOf<T, 1>(dx * dx + dy * dy - exp(-2.0 * t));
  }

  /// By hand.
  struct Derivatives;
};

struct DrivenPendulum::Derivatives : DrivenPendulum {
  Mat<1, 2> G(const Position& q, double t) const {
    return {2 * (q[0] - std::sin(t)), 2 * (q[1] - std::cos(t * t))};
  }
  Multiplier g_t(const Position& q, double t) const {
    return Multiplier{-2 * (q[0] - std::sin(t)) * std::cos(t) +
                      4 * t * (q[1] - std::cos(t * t)) * std::sin(t * t) + 2 * std::exp(-2 * t)};
  }
  /// g = |r|^2 - e^(-2t), r = q - support: g'' = 2 |r'|^2 - 2 r . support'' - 4 e^(-2t) at v' = 0.
  Multiplier curvature(const Position& q, const Position& v, double t) const {
    const double s = std::sin(t * t), c = std::cos(t * t);
    const Position r{q[0] - std::sin(t), q[1] - c};
    const Position rate{v[0] - std::cos(t), v[1] + 2 * t * s};
    const Position bend{std::sin(t), 2 * s + 4 * t * t * c};  // - support''.
    return Multiplier{2 * rate.squaredNorm() + 2 * r.dot(bend) - 4 * std::exp(-2 * t)};
  }
};

/// A skate of mass 1 and moment of inertia 2 at (x, y) with angle phi, which does not slip
/// sideways on ice that moves: 0 = x' sin phi - y' cos phi - t^2. Its height is bound to its place.
struct Skate {
  using Position = Vec<4>;  // x, y, z, phi.
  using Multiplier = Vec<1>;
  using VelocityMultiplier = Vec<1>;

  Eigen::DiagonalMatrix<double, 4> M(const Position&) const {
    return Eigen::DiagonalMatrix<double, 4>(Position{1, 1, 1, 2});
  }
  Position f(const Position&, const Position&, double) const { return {0, 0, -9.81, 0.1}; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 4>& q, T) const {
    using std::sin;
    return VecOf<T, 1>(q[2] - sin(q[0]) * q[1]);
  }
  template <class T>
  VecOf<T, 1> w(const VecOf<T, 4>& q, const VecOf<T, 4>& v, T t) const {
    using std::cos;
    using std::sin;
    return VecOf<T, 1>(v[0] * sin(q[3]) - v[1] * cos(q[3]) - t * t);
  }

  struct Derivatives;
};

struct Skate::Derivatives : Skate {
  Mat<1, 4> G(const Position& q, double) const {
    return {-std::cos(q[0]) * q[1], -std::sin(q[0]), 1, 0};
  }
  Multiplier g_t(const Position&, double) const { return Multiplier{0}; }
  Multiplier curvature(const Position& q, const Position& v, double) const {
    return Multiplier{std::sin(q[0]) * q[1] * v[0] * v[0] - 2 * std::cos(q[0]) * v[0] * v[1]};
  }
  Mat<1, 4> K(const Position& q, double) const { return {std::sin(q[3]), -std::cos(q[3]), 0, 0}; }
  VelocityMultiplier k(const Position&, double t) const { return VelocityMultiplier{-t * t}; }
  VelocityMultiplier w_curvature(const Position& q, const Position& v, double t) const {
    return VelocityMultiplier{(v[0] * std::cos(q[3]) + v[1] * std::sin(q[3])) * v[3] - 2 * t};
  }
};

/// A skate on a plane: no position constraint at all.
struct PlaneSkate {
  using Position = Vec<3>;  // x, y, phi.
  using Multiplier = Vec<0>;
  using VelocityMultiplier = Vec<1>;

  Mat<3, 3> M(const Position&) const { return Mat<3, 3>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {1, 0, 0}; }
  template <class T>
  VecOf<T, 0> g(const VecOf<T, 3>&, T) const {
    return {};
  }
  template <class T>
  VecOf<T, 1> w(const VecOf<T, 3>& q, const VecOf<T, 3>& v, T) const {
    using std::cos;
    using std::sin;
    return VecOf<T, 1>(v[0] * sin(q[2]) - v[1] * cos(q[2]));
  }
};

/// n points on a line, each at a distance from the one before it that grows with time; the size is
/// known at run time: V is SmallVec or VecX.
template <class V>
struct PointsOnLine {
  using Position = V;
  using Multiplier = V;
  template <class T>
  using Like = Eigen::Matrix<T, Dynamic, 1, Eigen::ColMajor, V::MaxRowsAtCompileTime, 1>;

  MatX M(const Position& q) const { return MatX::Identity(q.size(), q.size()); }
  Position f(const Position& q, const Position&, double) const { return -q; }
  template <class T>
  Like<T> g(const Like<T>& q, T t) const {
    Like<T> residual(q.size() - 1);
    for (int i = 0; i + 1 < q.size(); ++i) {
      const T gap = q[i + 1] - q[i];
      residual[i] = gap * gap * q[0] - (1.0 + t) * (1.0 + i);
    }
    return residual;
  }
};

/// x'' = f - B y with a B that is not G^T, in a form that is known by hand:
/// x = (cos t, sin t), y = e^t, B = (x1, 2 x2), g = (x1^2 + x2^2 - 1) / 2.
struct OnCircle {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;

  Position f(const Position& x, const Position&, double t) const {
    const double y = std::exp(t);
    return {-std::cos(t) + x[0] * y, -std::sin(t) + 2 * x[1] * y};
  }
  Vec<2> B(const Position& x, double) const { return {x[0], 2 * x[1]}; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& x, T) const {
    return VecOf<T, 1>((x.squaredNorm() - 1.0) / 2.0);
  }
  Vec<4> z_exact(double t) const { return {std::cos(t), std::sin(t), -std::sin(t), std::cos(t)}; }
};

/// The constraint of [AL2] Example 6.1 as a template.
struct Al2Example61Template {
  using State = Vec<2>;
  using Multiplier = Vec<1>;

  State f(const State&, double t) const {
    return {1 - std::exp(-t), std::cos(t) + std::exp(t) * std::sin(t)};
  }
  State B(const State& x, double) const { return x; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& x, T t) const {
    using std::exp;
    using std::sin;
    const T s = sin(t);
    return VecOf<T, 1>((x.squaredNorm() - exp(-2.0 * t) - s * s) / 2.0);
  }
};

}  // namespace daewave::testing

// As a DaeProblem each is compiled once.
namespace daewave {

extern template DaeProblemPtr problem_of(WithAutodiff<testing::Pendulum>);
extern template DaeProblemPtr problem_of(WithAutodiff<testing::DrivenPendulum>);
extern template DaeProblemPtr problem_of(WithAutodiff<testing::Skate>);
extern template DaeProblemPtr problem_of(WithAutodiff<testing::PlaneSkate>);
extern template DaeProblemPtr problem_of(WithAutodiff<testing::OnCircle>);
extern template DaeProblemPtr problem_of(WithAutodiff<testing::PointsOnLine<SmallVec>>, const VecX&,
                                         double);

}  // namespace daewave
