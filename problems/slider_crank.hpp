#pragma once
// The planar slider-crank with two equal bars of [AL2] section 5 and Example 6.5.

#include <cmath>
#include <numbers>
#include <string>

#include "core/machine/sine_cosine.hpp"
#include "core/problem/terms.hpp"
#include "core/types.hpp"

namespace daewave::problems {

/// Where the slider-crank starts; both are on the branch phi2 = 2 pi - phi1.
enum class SliderCrankStart {
  at_rest,  ///< phi1 = 7 pi / 4, hanging swing about phi1 = 3 pi / 2 of period 3.0381382.
  turning,  ///< phi1 = pi / 4, phi1' = 2 sqrt 2: the crank goes round.
};

/// Two uniform bars of length L and mass m: bar 1 turns about the origin, bar 2 joins its end to a
/// slider on the x axis; gravity along -y.                            [AL2] section 5, Example 6.5
///
///   q = (x1, y1, phi1, x2, y2, phi2): centre of mass and angle of each bar, m and rad;
///   M = diag(m, m, m L^2/12, m, m, m L^2/12),   f = (0, -m g, 0, 0, -m g, 0),
///   0 = (x1 - L/2 c1,  y1 - L/2 s1,  x2 - L c1 - L/2 c2,  y2 - L s1 - L/2 s2,  L (s1 + s2)).
///
/// The last row of G vanishes where the bars lie on each other: at (phi1, phi2) = (pi/2, 3 pi/2)
/// and (3 pi/2, pi/2); the solution passes through smoothly. The source gives no L, m, g: the
/// defaults are chosen. Energy in J.
///
/// @tparam Number  of the parameters: double, or lanes of an ensemble in which they differ.
template <class Number>
struct SliderCrankOf {
  using Position = Vec<6>;
  using Multiplier = Vec<5>;

  Number L = 1;      ///< m.
  Number m = 1;      ///< kg.
  Number g0 = 9.81;  ///< Gravity, m / s^2.
  SliderCrankStart from = SliderCrankStart::at_rest;

  std::string name() const { return "slider-crank"; }
  Interval interval() const { return {0, from == SliderCrankStart::at_rest ? 70.0 : 10.0}; }

  double phi1_start() const {
    return (from == SliderCrankStart::at_rest ? 1.75 : 0.25) * std::numbers::pi;
  }
  double rate_start() const {
    return from == SliderCrankStart::at_rest ? 0 : 2 * std::numbers::sqrt2;
  }
  Vec<12> start() const { return state(phi1_start(), rate_start()); }

  /// (q, v) of the mechanism at crank angle phi1 and rate phi1', with phi2 = 2 pi - phi1.
  Vec<12> state(double phi1, double rate) const {
    using std::cos, std::sin;
    const double s = sin(phi1), c = cos(phi1), l = L / 2, w = rate;
    Vec<12> z;
    z << l * c, l * s, phi1, 3 * l * c, l * s, 2 * std::numbers::pi - phi1,  //
        -l * s * w, l * c * w, w, -3 * l * s * w, l * c * w, -w;
    return z;
  }

  static constexpr bool mass_constant = true;
  template <class T>
  Eigen::DiagonalMatrix<T, 6> M(const VecOf<T, 6>&) const {
    const T bar(m), J(inertia());
    return Eigen::DiagonalMatrix<T, 6>(VecOf<T, 6>{bar, bar, J, bar, bar, J});
  }
  template <class T>
  VecOf<T, 6> f(const VecOf<T, 6>&, const VecOf<T, 6>&, const T&) const {
    const T weight(-m * g0);
    return {T(0), weight, T(0), T(0), weight, T(0)};
  }

  template <class T>
  VecOf<T, 5> g(const VecOf<T, 6>& q, const T&) const {
    VecOf<T, 5> residual;
    fill_residual(Angles<T>(q), q, residual);
    return residual;
  }
  template <class T>
  MatOf<T, 5, 6> G(const VecOf<T, 6>& q, const T&) const {
    MatOf<T, 5, 6> jacobian;
    fill_jacobian(Angles<T>(q), jacobian);
    return jacobian;
  }
  template <class T>
  VecOf<T, 5> g_t(const VecOf<T, 6>&, const T&) const {
    return VecOf<T, 5>::Zero();
  }
  template <class T>
  VecOf<T, 5> curvature(const VecOf<T, 6>& q, const VecOf<T, 6>& v, const T&) const {
    VecOf<T, 5> gamma;
    fill_curvature(Angles<T>(q), v, gamma);
    return gamma;
  }

  template <class T, class Terms>
  void terms(const VecOf<T, 6>& q, const VecOf<T, 6>& v, const T&, Terms& at) const {
    const Angles<T> angles(q);
    const T bar(m), J(inertia()), weight(-m * g0);
    at.M.diagonal() << bar, bar, J, bar, bar, J;
    at.f << T(0), weight, T(0), T(0), weight, T(0);
    fill_residual(angles, q, at.position);
    at.g_t.setZero();
    fill_jacobian(angles, at.G);
    fill_curvature(angles, v, at.curvature);
  }

  /// J.
  double energy(const Position& q, const Position& v) const {
    return v.dot(M(q) * v) / 2 + m * g0 * (q[1] + q[4]);
  }

  /// What may differ from lane to lane.
  template <class Lanes, class Member, class F>
  static void each_parameter(Lanes& lanes, const Member& member, F f) {
    f(lanes.L, member.L);
    f(lanes.m, member.m);
    f(lanes.g0, member.g0);
  }

 private:
  template <class T>
  struct Angles {
    explicit Angles(const VecOf<T, 6>& q) : Angles(q[2], q[5]) {}
    Angles(const T& phi1, const T& phi2) {
      sine_and_cosine(phi1, s1, c1);
      sine_and_cosine(phi2, s2, c2);
    }
    T s1, c1, s2, c2;
  };

  Number inertia() const { return m * L * L / 12; }

  template <class T>
  void fill_residual(const Angles<T>& at, const VecOf<T, 6>& q, VecOf<T, 5>& residual) const {
    const Number l = L / 2;
    residual[0] = q[0] - l * at.c1;
    residual[1] = q[1] - l * at.s1;
    residual[2] = q[3] - L * at.c1 - l * at.c2;
    residual[3] = q[4] - L * at.s1 - l * at.s2;
    residual[4] = L * (at.s1 + at.s2);
  }
  template <class T>
  void fill_jacobian(const Angles<T>& at, MatOf<T, 5, 6>& jacobian) const {
    const Number l = L / 2;
    jacobian.setZero();
    jacobian(0, 0) = jacobian(1, 1) = jacobian(2, 3) = jacobian(3, 4) = T(1);
    jacobian(0, 2) = l * at.s1;
    jacobian(1, 2) = -l * at.c1;
    jacobian(2, 2) = L * at.s1;
    jacobian(2, 5) = l * at.s2;
    jacobian(3, 2) = -L * at.c1;
    jacobian(3, 5) = -l * at.c2;
    jacobian(4, 2) = L * at.c1;
    jacobian(4, 5) = L * at.c2;
  }
  template <class T>
  void fill_curvature(const Angles<T>& at, const VecOf<T, 6>& v, VecOf<T, 5>& gamma) const {
    const Number l = L / 2;
    const T w1 = v[2] * v[2], w2 = v[5] * v[5];
    gamma[0] = l * at.c1 * w1;
    gamma[1] = l * at.s1 * w1;
    gamma[2] = L * at.c1 * w1 + l * at.c2 * w2;
    gamma[3] = L * at.s1 * w1 + l * at.s2 * w2;
    gamma[4] = -L * (at.s1 * w1 + at.s2 * w2);
  }
};

using SliderCrank = SliderCrankOf<double>;

}  // namespace daewave::problems
