#pragma once
// The planar slider-crank with two equal bars of [AL2] section 5 and Example 6.5.

#include <cmath>
#include <numbers>
#include <string>

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
/// @tparam T  double, or lanes (ivp/lanes/lane_problem.hpp).
template <class T>
struct SliderCrankOf {
  using Position = VecOf<T, 6>;
  using Multiplier = VecOf<T, 5>;
  using Jacobian = MatOf<T, 5, 6>;

  T L = 1;      ///< m.
  T m = 1;      ///< kg.
  T g0 = 9.81;  ///< Gravity, m / s^2.
  SliderCrankStart from = SliderCrankStart::at_rest;

  std::string name() const { return "slider-crank"; }
  Interval interval() const { return {0, from == SliderCrankStart::at_rest ? 70.0 : 10.0}; }

  double phi1_start() const {
    return (from == SliderCrankStart::at_rest ? 1.75 : 0.25) * std::numbers::pi;
  }
  double rate_start() const {
    return from == SliderCrankStart::at_rest ? 0 : 2 * std::numbers::sqrt2;
  }
  VecOf<T, 12> start() const { return state(phi1_start(), rate_start()); }

  /// (q, v) of the mechanism at crank angle phi1 and rate phi1', with phi2 = 2 pi - phi1.
  VecOf<T, 12> state(T phi1, T rate) const {
    using std::cos, std::sin;
    const T s = sin(phi1), c = cos(phi1), l = L / 2, w = rate;
    VecOf<T, 12> z;
    z << l * c, l * s, phi1, 3 * l * c, l * s, 2 * std::numbers::pi - phi1,  //
        -l * s * w, l * c * w, w, -3 * l * s * w, l * c * w, -w;
    return z;
  }

  Eigen::DiagonalMatrix<T, 6> M(const Position&) const {
    const T J = m * L * L / 12;
    return Eigen::DiagonalMatrix<T, 6>(Position{m, m, J, m, m, J});
  }
  Position f(const Position&, const Position&, const T&) const {
    return {T(0), -m * g0, T(0), T(0), -m * g0, T(0)};
  }

  template <class Q, class Time>
  VecOf<typename Q::Scalar, 5> g(const Q& q, const Time&) const {
    using std::cos, std::sin;
    using S = typename Q::Scalar;
    const S s1 = sin(q[2]), c1 = cos(q[2]), s2 = sin(q[5]), c2 = cos(q[5]);
    const T l = L / 2;
    VecOf<S, 5> residual;
    residual[0] = q[0] - l * c1;
    residual[1] = q[1] - l * s1;
    residual[2] = q[3] - L * c1 - l * c2;
    residual[3] = q[4] - L * s1 - l * s2;
    residual[4] = L * (s1 + s2);
    return residual;
  }

  Jacobian G(const Position& q, const T&) const {
    using std::cos, std::sin;
    Jacobian jacobian;
    fill_jacobian(sin(q[2]), cos(q[2]), sin(q[5]), cos(q[5]), jacobian);
    return jacobian;
  }
  Multiplier g_t(const Position&, const T&) const { return Multiplier::Zero(); }
  Multiplier curvature(const Position& q, const Position& v, const T&) const {
    using std::cos, std::sin;
    Multiplier gamma;
    fill_curvature(sin(q[2]), cos(q[2]), sin(q[5]), cos(q[5]), v, gamma);
    return gamma;
  }

  void terms(const Position& q, const Position& v, const T&,
             MultibodyTerms<SliderCrankOf>& at) const {
    using std::cos, std::sin;
    const T s1 = sin(q[2]), c1 = cos(q[2]), s2 = sin(q[5]), c2 = cos(q[5]);
    const T l = L / 2, J = m * L * L / 12;
    at.M.diagonal() << m, m, J, m, m, J;
    at.f << 0, -m * g0, 0, 0, -m * g0, 0;
    at.position << q[0] - l * c1, q[1] - l * s1, q[3] - L * c1 - l * c2, q[4] - L * s1 - l * s2,
        L * (s1 + s2);
    at.g_t.setZero();
    fill_jacobian(s1, c1, s2, c2, at.G);
    fill_curvature(s1, c1, s2, c2, v, at.curvature);
  }

  /// J.
  T energy(const Position& q, const Position& v) const {
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
  void fill_jacobian(const T& s1, const T& c1, const T& s2, const T& c2, Jacobian& jacobian) const {
    const T l = L / 2;
    jacobian << 1, 0, l * s1, 0, 0, 0,  //
        0, 1, -l * c1, 0, 0, 0,         //
        0, 0, L * s1, 1, 0, l * s2,     //
        0, 0, -L * c1, 0, 1, -l * c2,   //
        0, 0, L * c1, 0, 0, L * c2;
  }
  void fill_curvature(const T& s1, const T& c1, const T& s2, const T& c2, const Position& v,
                      Multiplier& gamma) const {
    const T l = L / 2, w1 = v[2] * v[2], w2 = v[5] * v[5];
    gamma << l * c1 * w1, l * s1 * w1, L * c1 * w1 + l * c2 * w2, L * s1 * w1 + l * s2 * w2,
        -L * (s1 * w1 + s2 * w2);
  }
};

using SliderCrank = SliderCrankOf<double>;

}  // namespace daewave::problems
