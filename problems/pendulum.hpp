#pragma once
// The planar pendulum in Cartesian coordinates, with its exact solution.

#include <cmath>
#include <string>

#include "core/problem/dae.hpp"
#include "core/types.hpp"
#include "problems/jacobi_elliptic.hpp"

namespace daewave::problems {

/// A point of mass 1 on a massless rod of length 1, released from the horizontal at rest. [Eich]
///
///   x'' = -lambda x,  y'' = -g - lambda y,  0 = (x^2 + y^2 - 1) / 2;   (x, y) = (1, 0) at t = 0.
///
/// With S, C, D = sn, cn, dn of u = sqrt(g) t, m = 1/2,
///
///   x = C / D^2,  y = -S^2 / (2 D^2),  x' = -sqrt(g) S^3 / (2 D^3),  y' = -sqrt(g) S C / D^3,
///   lambda = 3 g S^2 / (2 D^2);  period 4 K / sqrt(g), K = K(1/2) = 1.854...
///
/// The source has lambda with the other sign. Lengths in m with g in m / s^2; energy in J.
struct Pendulum {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;

  double g0 = 9.81;   ///< Gravity.
  double t_end = 10;  ///< s.

  /// The gravity of a given period, and 50 periods to integrate: of_period(2) are the data of
  /// [Eich], g = 4 K^2 = 13.7503716360407 (printed with an error in the tenth digit).
  static Pendulum of_period(double period) {
    const double w = 4 * elliptic_quarter_period(0.5) / period;
    return {.g0 = w * w, .t_end = 50 * period};
  }
  double period() const { return 4 * elliptic_quarter_period(0.5) / std::sqrt(g0); }

  std::string name() const { return "pendulum"; }
  Interval interval() const { return {0, t_end}; }
  Vec<4> start() const { return {1, 0, 0, 0}; }

  static constexpr bool mass_constant = true;
  template <class T>
  Eigen::DiagonalMatrix<T, 2> M(const VecOf<T, 2>&) const {
    return Eigen::DiagonalMatrix<T, 2>(T(1), T(1));
  }
  template <class T>
  VecOf<T, 2> f(const VecOf<T, 2>&, const VecOf<T, 2>&, const T&) const {
    return {T(0), T(-g0)};
  }

  template <class Q, class Time>
  VecOf<typename Q::Scalar, 1> g(const Q& q, const Time&) const {
    using T = typename Q::Scalar;
    return VecOf<T, 1>(T((q[0] * q[0] + q[1] * q[1] - 1.0) / 2.0));
  }
  template <class T>
  MatOf<T, 1, 2> G(const VecOf<T, 2>& q, const T&) const {
    return q.transpose();
  }
  template <class T>
  VecOf<T, 1> g_t(const VecOf<T, 2>&, const T&) const {
    return VecOf<T, 1>(T(0));
  }
  template <class T>
  VecOf<T, 1> curvature(const VecOf<T, 2>&, const VecOf<T, 2>& v, const T&) const {
    return VecOf<T, 1>(T(v[0] * v[0] + v[1] * v[1]));
  }

  double energy(const Position& q, const Position& v) const {
    return v.squaredNorm() / 2 + g0 * q[1];
  }

  Vec<4> z_exact(double t) const {
    const double w = std::sqrt(g0);
    const auto [S, C, D] = jacobi_elliptic(w * t, 0.5);
    const double D2 = D * D, D3 = D2 * D;
    return {C / D2, -S * S / (2 * D2), -w * S * S * S / (2 * D3), -w * S * C / D3};
  }
  Multiplier y_exact(double t) const {
    const JacobiElliptic at = jacobi_elliptic(std::sqrt(g0) * t, 0.5);
    return Multiplier{1.5 * g0 * at.sn * at.sn / (at.dn * at.dn)};
  }
};

}  // namespace daewave::problems
