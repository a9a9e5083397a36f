#pragma once
// Problems that state their functions as templates on the scalar, and so have SIMD lanes: one of
// each kind of sizes, for what measures lanes, and for what tests them.

#include <cmath>

#include "core/problem/dae.hpp"
#include "core/types.hpp"
#include "problems/andrews.hpp"

namespace daewave::bench {

/// A pendulum with a mass of its own.
struct HeavyPendulum {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double mass = 1.5, length = 1, gravity = 9.81;

  template <class T>
  Eigen::DiagonalMatrix<T, 2> M(const VecOf<T, 2>&) const {
    return Eigen::DiagonalMatrix<T, 2>(T(mass), T(mass));
  }
  template <class T>
  VecOf<T, 2> f(const VecOf<T, 2>&, const VecOf<T, 2>& v, T) const {
    return {-0.01 * v[0], -mass * gravity - 0.01 * v[1]};
  }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T) const {
    return VecOf<T, 1>(0.5 * (q.squaredNorm() - length * length));
  }
  Vec<4> start() const { return {length, 0, 0, 0}; }
};

/// An arm of two bars with a motor at its shoulder, whose hand is led along a line that moves.
struct LedArm {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double m1 = 1, m2 = 0.7, l1 = 1, l2 = 0.8, gravity = 9.81;

  template <class T>
  MatOf<T, 2, 2> M(const VecOf<T, 2>& q) const {
    using std::cos;
    const T coupled = 0.5 * m2 * l1 * l2 * cos(q[0] - q[1]);
    MatOf<T, 2, 2> mass;
    mass << T((m1 / 3 + m2) * l1 * l1), coupled, coupled, T(m2 * l2 * l2 / 3);
    return mass;
  }
  template <class T>
  VecOf<T, 2> f(const VecOf<T, 2>& q, const VecOf<T, 2>& v, T t) const {
    using std::cos, std::sin;
    const T turning = 0.5 * m2 * l1 * l2 * sin(q[0] - q[1]);
    return {-turning * v[1] * v[1] - (0.5 * m1 + m2) * gravity * l1 * cos(q[0]) + sin(2.0 * t),
            turning * v[0] * v[0] - 0.5 * m2 * gravity * l2 * cos(q[1])};
  }
  /// The height of the hand.
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T t) const {
    using std::sin;
    return VecOf<T, 1>(l1 * sin(q[0]) + l2 * sin(q[1]) - 0.3 * sin(t));
  }
  Vec<4> start() const {
    // sin q0 = 0.4, sin q1 = -0.5; the rates are those of the line.
    const double a = std::asin(0.4), b = std::asin(-0.5);
    return {a, b, 0, 0.3 / (l2 * std::cos(b))};
  }
};

/// Andrews' mechanism (problems/andrews.hpp), its functions as templates and nothing more.
struct SevenBodies {
  using Position = Vec<7>;
  using Multiplier = Vec<6>;
  using A = problems::Andrews;

  template <class T>
  MatOf<T, 7, 7> M(const VecOf<T, 7>& q) const {
    using std::cos, std::sin;
    constexpr double k = A::e - A::ea, h = A::zf - A::fa;
    const T c_theta = cos(q[1]), s_Phi = sin(q[3]), s_Omega = sin(q[5]);
    MatOf<T, 7, 7> M = MatOf<T, 7, 7>::Zero();
    const T second = T(A::m2 * A::da * A::da + A::I2);
    const T between = second - A::m2 * A::da * A::rr * c_theta;
    M(0, 0) = A::m1 * A::ra * A::ra + A::m2 * (A::rr * A::rr + A::da * A::da) + A::I1 + A::I2 -
              2 * A::m2 * A::da * A::rr * c_theta;
    M(0, 1) = M(1, 0) = between;
    M(1, 1) = second;
    M(2, 2) = T(A::m3 * (A::sa * A::sa + A::sb * A::sb) + A::I3);
    M(3, 3) = T(A::m4 * k * k + A::I4);
    M(3, 4) = M(4, 3) = A::m4 * k * k + A::I4 + A::m4 * A::zt * k * s_Phi;
    M(4, 4) = A::m4 * (A::zt * A::zt + k * k) + A::m5 * (A::ta * A::ta + A::tb * A::tb) + A::I4 +
              A::I5 + 2 * A::m4 * A::zt * k * s_Phi;
    M(5, 5) = T(A::m6 * h * h + A::I6);
    M(5, 6) = M(6, 5) = A::m6 * h * h + A::I6 - A::m6 * A::u * h * s_Omega;
    M(6, 6) = A::m6 * (h * h + A::u * A::u) + A::m7 * (A::ua * A::ua + A::ub * A::ub) + A::I6 +
              A::I7 - 2 * A::m6 * A::u * h * s_Omega;
    return M;
  }
  template <class T>
  VecOf<T, 7> f(const VecOf<T, 7>& q, const VecOf<T, 7>& v, T) const {
    using std::cos, std::sin, std::sqrt;
    constexpr double k = A::e - A::ea, h = A::zf - A::fa;
    const T s_theta = sin(q[1]), c_Phi = cos(q[3]), c_Omega = cos(q[5]);
    const T s_gamma = sin(q[2]), c_gamma = cos(q[2]);
    const T x = A::sd * c_gamma + A::sc * s_gamma + A::xb - A::xc;
    const T y = A::sd * s_gamma - A::sc * c_gamma + A::yb - A::yc;
    const T length = sqrt(x * x + y * y);
    const T pull = -A::c0 * (length - A::l0) / length;
    VecOf<T, 7> f;
    f[0] = A::mom - A::m2 * A::da * A::rr * v[1] * (v[1] + 2.0 * v[0]) * s_theta;
    f[1] = A::m2 * A::da * A::rr * v[0] * v[0] * s_theta;
    f[2] =
        pull * (x * (A::sc * c_gamma - A::sd * s_gamma) + y * (A::sd * c_gamma + A::sc * s_gamma));
    f[3] = A::m4 * A::zt * k * v[4] * v[4] * c_Phi;
    f[4] = -A::m4 * A::zt * k * v[3] * (v[3] + 2.0 * v[4]) * c_Phi;
    f[5] = -A::m6 * A::u * h * v[6] * v[6] * c_Omega;
    f[6] = A::m6 * A::u * h * v[5] * (v[5] + 2.0 * v[6]) * c_Omega;
    return f;
  }
  template <class T>
  VecOf<T, 6> g(const VecOf<T, 7>& q, T) const {
    using std::cos, std::sin;
    const T bt = q[0] + q[1], pd = q[3] + q[4], oe = q[5] + q[6];
    const T X = A::rr * cos(q[0]) - A::d * cos(bt), Y = A::rr * sin(q[0]) - A::d * sin(bt);
    VecOf<T, 6> g;
    g[0] = X - A::ss * sin(q[2]) - A::xb;
    g[1] = Y + A::ss * cos(q[2]) - A::yb;
    g[2] = X - A::e * sin(pd) - A::zt * cos(q[4]) - A::xa;
    g[3] = Y + A::e * cos(pd) - A::zt * sin(q[4]) - A::ya;
    g[4] = X - A::zf * cos(oe) - A::u * sin(q[6]) - A::xa;
    g[5] = Y - A::zf * sin(oe) + A::u * cos(q[6]) - A::ya;
    return g;
  }
  Vec<14> start() const { return A().start(); }
};

/// Index 2: two constraints, one of which moves; B is not G^T.
struct Turning {
  using State = Vec<4>;
  using Multiplier = Vec<2>;
  double speed = 1.3;

  template <class T>
  VecOf<T, 4> f(const VecOf<T, 4>& x, T t) const {
    using std::cos, std::sin;
    return {speed * x[1] + cos(t), -x[0], x[3], -x[2] + sin(t)};
  }
  template <class T>
  MatOf<T, 4, 2> B(const VecOf<T, 4>& x, T) const {
    MatOf<T, 4, 2> columns;
    columns << x[0], T(0.2), x[1], T(0), T(0), T(1), T(0.3), 0.5 * x[3];
    return columns;
  }
  template <class T>
  VecOf<T, 2> g(const VecOf<T, 4>& x, T t) const {
    using std::sin;
    return {0.5 * (x[0] * x[0] + x[1] * x[1] - 1.0), x[2] - x[0] * x[1] - sin(t)};
  }
  Vec<4> start() const { return {0.6, 0.8, 0.48, 0.2}; }
};

/// n points of mass 1 on a string of links, sizes known at run time.
struct LooseString {
  using Position = SmallVec;
  using Multiplier = SmallVec;
  int n = 3;

  template <class T>
  using Column = Eigen::Matrix<T, Dynamic, 1, Eigen::ColMajor, most_on_stack, 1>;
  template <class T>
  Eigen::DiagonalMatrix<T, Dynamic, most_on_stack> M(const Column<T>& q) const {
    Eigen::DiagonalMatrix<T, Dynamic, most_on_stack> mass(q.size());
    for (int i = 0; i < q.size(); ++i) mass.diagonal()[i] = T(1);
    return mass;
  }
  template <class T>
  Column<T> f(const Column<T>& q, const Column<T>& v, T) const {
    Column<T> force(q.size());
    for (int i = 0; i < q.size(); ++i) force[i] = i % 2 == 0 ? -0.1 * v[i] : T(-9.81);
    return force;
  }
  template <class T>
  Column<T> g(const Column<T>& q, T) const {
    Column<T> links(n);
    for (int i = 0; i < n; ++i) {
      const T dx = i == 0 ? q[0] : T(q[2 * i] - q[2 * i - 2]);
      const T dy = i == 0 ? q[1] : T(q[2 * i + 1] - q[2 * i - 1]);
      links[i] = 0.5 * (dx * dx + dy * dy - 1.0);
    }
    return links;
  }
  VecX start() const {
    VecX z = VecX::Zero(4 * n);
    for (int i = 0; i < n; ++i) z[2 * i] = i + 1;
    return z;
  }
};

}  // namespace daewave::bench
