#pragma once
// The two-link planar robotic arm of [ACPR] Example 2, its free end on a given path.

#include <cmath>
#include <numbers>
#include <string>

#include "core/machine/sine_cosine.hpp"
#include "core/problem/terms.hpp"
#include "core/types.hpp"

namespace daewave::problems {

/// What the free end (x2, y2) of the arm is led along.
enum class ArmPath {
  parabola,  ///< Case I: y2 = x2^2 - beta, beta = 4 cos^2 70 deg.
  sine,      ///< Case II: y2 = sin^2(omega t).
};

/// Two uniform rods of 36 kg and 1 m under gravity; theta1 from the horizontal, theta2 of rod 2
/// relative to rod 1.                                                        [ACPR] Example 2
///
///   M = (m1 l1^2/3 + m2 (l1^2 + l2^2/3 + l1 l2 c2),  .;  m2 (l2^2/3 + l1 l2 c2/2),  m2 l2^2/3),
///   f = (-m1 g l1 c1/2 - m2 g (l1 c1 + l2 c12/2) + m2 l1 l2 s2 (2 theta1' theta2' + theta2'^2)/2,
///        -m2 g l2 c12/2 - m2 l1 l2 s2 theta1'^2/2),
///   x2 = l1 c1 + l2 c12,  y2 = l1 s1 + l2 s12;  0 = y2 - x2^2 + beta  or  0 = y2 - sin^2(omega t).
///
/// Starts at rest at theta = (70, -140) degrees. SI units, rad; energy in J.
template <ArmPath path>
struct TwoLinkArm {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;

  double m1 = 36, m2 = 36;                             ///< kg.
  double l1 = 1, l2 = 1;                               ///< m.
  double g0 = 9.81;                                    ///< Gravity, m / s^2.
  double omega = 0.5;                                  ///< rad / s; not used on the parabola.
  double t_end = path == ArmPath::parabola ? 40 : 10;  ///< s.

  std::string name() const {
    return path == ArmPath::parabola ? "acpr-example2-case1" : "acpr-example2-case2";
  }
  Interval interval() const { return {0, t_end}; }
  Vec<4> start() const { return {theta1_start, theta2_start, 0, 0}; }

  Mat<2, 2> M(const Position& q) const { return mass(std::cos(q[1])); }
  Position f(const Position& q, const Position& v, double) const {
    return force(std::sin(q[1]), std::cos(q[0]), std::cos(q[0] + q[1]), v);
  }

  template <class Q, class Time>
  VecOf<typename Q::Scalar, 1> g(const Q& q, const Time& t) const {
    using std::cos, std::sin;
    using T = typename Q::Scalar;
    const T y = l1 * sin(q[0]) + l2 * sin(q[0] + q[1]);
    VecOf<T, 1> residual;
    if constexpr (path == ArmPath::parabola) {
      const T x = l1 * cos(q[0]) + l2 * cos(q[0] + q[1]);
      residual[0] = y - x * x + beta();
    } else {
      const Time height = sin(omega * t);
      residual[0] = y - height * height;
    }
    return residual;
  }

  Mat<1, 2> G(const Position& q, double) const { return end_of(q).G; }
  Multiplier g_t(const Position&, double t) const { return Multiplier{path_at(t).rate}; }
  Multiplier curvature(const Position& q, const Position& v, double t) const {
    return Multiplier{end_of(q).bend(v) + path_at(t).acceleration};
  }

  /// Of numbers, or of lanes.
  template <class T, class Terms>
  void terms(const VecOf<T, 2>& q, const VecOf<T, 2>& v, const T& t, Terms& at) const {
    const Path<T> moved = path_at(t);  // First, as nothing in it waits for q.
    const End<T> end = end_of(q);
    at.M = mass(end.c2);
    at.f = force(end.s2, end.c1, end.c12, v);
    at.G = end.G;
    if constexpr (path == ArmPath::parabola) {
      at.position[0] = end.y - end.x * end.x + beta();
      at.g_t[0] = T(0);
      at.curvature[0] = end.bend(v);
    } else {
      at.position[0] = end.y - moved.height;
      at.g_t[0] = moved.rate;
      at.curvature[0] = end.bend(v) + moved.acceleration;
    }
  }

  /// On the parabola; the moving path of the other case does work.
  double energy(const Position& q, const Position& v) const requires(path == ArmPath::parabola) {
    const double s1 = std::sin(q[0]), s12 = std::sin(q[0] + q[1]);
    return v.dot(M(q) * v) / 2 + m1 * g0 * l1 * s1 / 2 + m2 * g0 * (l1 * s1 + l2 * s12 / 2);
  }

 private:
  static constexpr double degree = std::numbers::pi / 180;
  static constexpr double theta1_start = 70 * degree, theta2_start = -140 * degree;

  /// So that the start is on the parabola: 4 cos^2 70 deg for rods of length 1.
  double beta() const {
    const double x = l1 * std::cos(theta1_start) + l2 * std::cos(theta1_start + theta2_start);
    const double y = l1 * std::sin(theta1_start) + l2 * std::sin(theta1_start + theta2_start);
    return x * x - y;
  }

  template <class T>
  MatOf<T, 2, 2> mass(const T& c2) const {
    const double inner = m2 * l2 * l2 / 3;
    const T coupling = m2 * l1 * l2 * c2;
    MatOf<T, 2, 2> M;
    M(0, 0) = m1 * l1 * l1 / 3 + m2 * l1 * l1 + inner + coupling;
    M(0, 1) = M(1, 0) = inner + coupling / 2.0;
    M(1, 1) = T(inner);
    return M;
  }
  template <class T>
  VecOf<T, 2> force(const T& s2, const T& c1, const T& c12, const VecOf<T, 2>& v) const {
    const T coriolis = m2 * l1 * l2 * s2 / 2.0;
    return {-m1 * g0 * l1 * c1 / 2.0 - m2 * g0 * (l1 * c1 + l2 * c12 / 2.0) +
                coriolis * (2.0 * v[0] * v[1] + v[1] * v[1]),
            -m2 * g0 * l2 * c12 / 2.0 - coriolis * v[0] * v[0]};
  }

  /// The free end, and the constraint's derivatives that come from it.
  template <class T>
  struct End {
    T s1, c1, s2, c2, s12, c12;
    T x, y, x1, y1, x12, y12;  ///< End; the part of rod 1; the part of rod 2.
    MatOf<T, 1, 2> G;

    T bend(const VecOf<T, 2>& v) const {
      const T w1 = v[0] * v[0], w12 = (v[0] + v[1]) * (v[0] + v[1]);
      const T bend_y = -y1 * w1 - y12 * w12;
      if constexpr (path == ArmPath::sine) return bend_y;
      const T x_rate = -y1 * v[0] - y12 * (v[0] + v[1]);
      const T bend_x = -x1 * w1 - x12 * w12;
      return bend_y - 2.0 * x_rate * x_rate - 2.0 * x * bend_x;
    }
  };
  template <class T>
  End<T> end_of(const VecOf<T, 2>& q) const {
    End<T> end;
    sine_and_cosine(q[0], end.s1, end.c1);
    sine_and_cosine(q[1], end.s2, end.c2);
    end.s12 = end.s1 * end.c2 + end.c1 * end.s2;
    end.c12 = end.c1 * end.c2 - end.s1 * end.s2;
    end.x1 = l1 * end.c1;
    end.y1 = l1 * end.s1;
    end.x12 = l2 * end.c12;
    end.y12 = l2 * end.s12;
    end.x = end.x1 + end.x12;
    end.y = end.y1 + end.y12;
    const T slope = path == ArmPath::parabola ? T(2.0 * end.x) : T(0);
    end.G << end.x + slope * end.y, end.x12 + slope * end.y12;
    return end;
  }

  /// sin^2(omega t), and minus its derivatives: they are added to those of y2.
  template <class T>
  struct Path {
    T height, rate, acceleration;
  };
  template <class T>
  Path<T> path_at(const T& t) const {
    if constexpr (path == ArmPath::parabola) return {T(0), T(0), T(0)};
    T s, c;
    sine_and_cosine(T(omega * t), s, c);
    return {s * s, -2 * omega * s * c, -2 * omega * omega * (c * c - s * s)};
  }
};

using AcprCase1 = TwoLinkArm<ArmPath::parabola>;
using AcprCase2 = TwoLinkArm<ArmPath::sine>;

}  // namespace daewave::problems
