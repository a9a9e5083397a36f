#pragma once
// A wheelset on a straight track: rolling contact whose creep forces depend on the multipliers, and
// whose contact points are unknowns of index 1 beside them.

#include <cmath>
#include <string>

#include "core/problem/dae.hpp"
#include "core/types.hpp"
#include "problems/wheelset_contact.hpp"
#include "problems/wheelset_creep.hpp"

namespace daewave::problems {

/// Where the wheelset starts, at rest beside its rolling.
enum class WheelsetStart {
  consistent,  ///< y and roll such that both wheels touch.
  published,   ///< Five digits: gaps of 5e-10 m.
};

/// A rigid wheelset with two conical wheels on two rails of circular profile, rolling at v0, with
/// lateral and longitudinal springs to a frame without mass.
/// Simeon, Fuehrer, Rentrop, Surveys on Mathematics for Industry 1 (1991); "wheel" of the Test Set
/// for IVP Solvers; the wheelset of [Eich] section 1.2 on a straight track.
///
///   z = (x, y, z, yaw, roll; their rates; beta),  beta the spin beside v0 / rN;
///   w = (psiR, xiR, psiL, xiL, lambdaL, lambdaR): contact points, right before left, and
///       multipliers in 1e4 N, left before right;
///   r = (tangency right, tangency left, gapL'', gapR''),  h = (gapL, gapR, gapL', gapR').
///
/// Contact forces are - G^T lambda, G = d(gap)/dp, lambda < 0 as long as the wheels press. They
/// enter the creep forces, and so f, by more than a linear term. h has the contact points in closed
/// form. The right side has kinks where friction saturates, 64 for each wheel in 10 s; it is NaN
/// for a wheel beside its rail. SI units.
struct Wheelset {
  using State = Vec<11>;
  using Algebraic = Vec<6>;
  using Invariant = Vec<4>;

  double m = 16.08;    ///< kg.
  double I1 = 0.0605;  ///< About the axle, kg m^2.
  double I2 = 0.366;   ///< About the two other axes.
  double g0 = 9.81;
  double v0 = 30;    ///< m/s.
  double cx = 6400;  ///< Lateral springs, N/m.
  double cz = 6400;  ///< Longitudinal ones.
  double xl = 0.19;  ///< Their lever arm, m.
  WheelAndRail profile{};
  CreepData creep{};
  WheelsetStart from = WheelsetStart::consistent;
  double t_end = 10;

  static constexpr double unit = 1e4;  ///< Of the multipliers, N.

  std::string name() const { return "wheelset"; }
  Interval interval() const { return {0, t_end}; }
  State start() const;
  /// Contact points of the start, and the multipliers as published.
  Algebraic start_algebraic() const {
    Algebraic w = touching(start());
    w.tail<2>() << -8.3593e-3, -7.4144e-3;
    return w;
  }

  template <class T>
  VecOf<T, 11> f(const VecOf<T, 11>& z, const VecOf<T, 6>& w, T) const {
    return motion(z, w).slope;
  }
  State f(const State& z, const Algebraic& w, double) const { return motion(z, w).slope; }

  template <class T>
  VecOf<T, 6> r(const VecOf<T, 11>& z, const VecOf<T, 6>& w, T) const;

  template <class T>
  VecOf<T, 4> h(const VecOf<T, 11>& z, T) const;

  /// Contact points of equal tangents at a state, and zero multipliers.
  Algebraic touching(const State& z) const;

  /// Why f is not finite, where it is for a wheel beside its rail; else empty.
  std::string failure(const State& z, const Algebraic& w, double t) const;

  int position_invariants() const { return 2; }
  int positions() const { return 5; }

  template <class T>
  struct Motion {
    Attitude<T> turned;
    WheelContact<T> contact[2];  ///< Left, right.
    CreepForce<T> creeping[2];
    VecOf<T, 11> slope;  ///< z'.
  };
  /// All at one state with the contact points and multipliers of w.
  template <class T>
  Motion<T> motion(const VecOf<T, 11>& z, const VecOf<T, 6>& w) const;

 private:
  template <class T>
  void accelerate(const VecOf<T, 11>& z, const T lambda[2], Motion<T>& at) const;
};

namespace detail {

/// The moments of a creep force about the axes of yaw's, roll's and the spin's equations.
template <class T>
VecOf<T, 3> moments(const WheelContact<T>& at, const Attitude<T>& turned,
                    const VecOf<T, 3>& force) {
  const T &s = turned.s_yaw, &c = turned.c_yaw, &sr = turned.s_roll, &cr = turned.c_roll;
  const T &sp = at.s_psi, &cp = at.c_psi, &R = at.R, &xi = at.xi;
  const T &T1 = force[0], &T2 = force[1], &T3 = force[2];
  VecOf<T, 3> moment;
  moment[0] = -(xi * s + R * sp * c * cr) * T1 - R * sp * sr * T2 + (R * sp * s * cr - xi * c) * T3;
  moment[1] = (R * cp * c * cr - xi * c * sr) * T1 + (xi * cr + R * cp * sr) * T2 +
              (xi * s * sr - R * cp * s * cr) * T3;
  moment[2] = -R * (cp * s + sp * c * sr) * T1 + R * sp * cr * T2 - R * (cp * c - sp * s * sr) * T3;
  return moment;
}

}  // namespace detail

template <class T>
Wheelset::Motion<T> Wheelset::motion(const VecOf<T, 11>& z, const VecOf<T, 6>& w) const {
  const VecOf<T, 5> p = z.template head<5>(), v = z.template segment<5>(5);
  const Attitude<T> turned(p[3], p[4]);
  Motion<T> at{turned,
               {WheelContact<T>::of(profile, 1, p, turned, w[2], w[3]),
                WheelContact<T>::of(profile, -1, p, turned, w[0], w[1])},
               {},
               {}};
  const T spin = v0 / profile.rN + z[10];
  const T lambda[2] = {unit * w[4], unit * w[5]};
  for (int i = 0; i < 2; ++i) {
    const Creepage<T> creepage(at.contact[i], turned, p[3], v, spin, v0);
    at.creeping[i] = creep_force(creep, profile, at.contact[i], creepage, lambda[i]);
  }
  accelerate(z, lambda, at);
  return at;
}

template <class T>
void Wheelset::accelerate(const VecOf<T, 11>& z, const T lambda[2], Motion<T>& at) const {
  const Attitude<T>& turned = at.turned;
  const T &sr = turned.s_roll, &cr = turned.c_roll, &yaw1 = z[8], &roll1 = z[9];
  const T W = v0 / profile.rN + z[10];
  VecOf<T, 5> force;
  force << -2 * cx * z[0], T(-m * g0), -2 * cz * z[2],
      (2 * I2 - I1) * yaw1 * roll1 * sr - I1 * W * roll1 - 2 * xl * xl * cz * z[3] * cr,
      I1 * W * yaw1 * cr + (I1 - I2) * yaw1 * yaw1 * sr * cr;
  T axle = -I1 * yaw1 * roll1 * cr - 2 * xl * xl * cz * z[3] * sr;
  for (int i = 0; i < 2; ++i) {
    const VecOf<T, 3> moment = detail::moments(at.contact[i], turned, at.creeping[i].force);
    const VecOf<T, 5> row = at.contact[i].G(turned);
    for (int j = 0; j < 5; ++j) {
      const T creeps = j < 3 ? at.creeping[i].force[j] : moment[j - 3];
      force[j] = force[j] + creeps - lambda[i] * row[j];
    }
    axle = axle + moment[2];
  }
  at.slope.template head<5>() = z.template segment<5>(5);
  for (int j = 0; j < 3; ++j) at.slope[5 + j] = force[j] / m;
  at.slope[8] = force[3] / (I2 * cr);
  at.slope[9] = force[4] / I2;
  at.slope[10] = axle / I1 - sr * at.slope[8];
}

template <class T>
VecOf<T, 6> Wheelset::r(const VecOf<T, 11>& z, const VecOf<T, 6>& w, T) const {
  const Motion<T> at = motion(z, w);
  const VecOf<T, 5> v = z.template segment<5>(5), acceleration = at.slope.template segment<5>(5);
  VecOf<T, 6> residual;
  residual.template head<2>() = at.contact[1].tangency(at.turned);
  residual.template segment<2>(2) = at.contact[0].tangency(at.turned);
  for (int i = 0; i < 2; ++i) {
    const VecOf<T, 5> row = at.contact[i].G(at.turned);
    T sum = at.contact[i].curvature(at.turned, v);
    for (int j = 0; j < 5; ++j) sum = sum + row[j] * acceleration[j];
    residual[4 + i] = sum;
  }
  return residual;
}

template <class T>
VecOf<T, 4> Wheelset::h(const VecOf<T, 11>& z, T) const {
  const VecOf<T, 5> p = z.template head<5>(), v = z.template segment<5>(5);
  const Attitude<T> turned(p[3], p[4]);
  VecOf<T, 4> invariant;
  for (int i = 0; i < 2; ++i) {
    const WheelContact<T> at = WheelContact<T>::touching(profile, i == 0 ? 1 : -1, p, turned);
    const VecOf<T, 5> row = at.G(turned);
    T sum = row[0] * v[0];
    for (int j = 1; j < 5; ++j) sum = sum + row[j] * v[j];
    invariant[i] = at.gap;
    invariant[2 + i] = sum;
  }
  return invariant;
}

inline Wheelset::Algebraic Wheelset::touching(const State& z) const {
  const Vec<5> p = z.head<5>();
  const Attitude<double> turned(p[3], p[4]);
  const auto right = WheelContact<double>::touching(profile, -1, p, turned);
  const auto left = WheelContact<double>::touching(profile, 1, p, turned);
  Algebraic w;
  w << right.psi, right.xi, left.psi, left.xi, 0, 0;
  return w;
}

/// Newton for y and roll, the others kept.
inline Wheelset::State Wheelset::start() const {
  State z = State::Zero();
  z.head<5>() << 0.14941e-2, 0.40089e-6, 0.11241e-5, -0.28573e-3, 0.26459e-3;
  if (from == WheelsetStart::published) return z;
  for (int iteration = 0; iteration < 4; ++iteration) {
    const Vec<5> p = z.head<5>();
    const Attitude<double> turned(p[3], p[4]);
    const auto left = WheelContact<double>::touching(profile, 1, p, turned);
    const auto right = WheelContact<double>::touching(profile, -1, p, turned);
    // gap = y + ... : both rows have a one for y.
    const double roll = (left.gap - right.gap) / (left.G(turned)[4] - right.G(turned)[4]);
    z[4] -= roll;
    z[1] -= left.gap - left.G(turned)[4] * roll;
  }
  return z;
}

inline std::string Wheelset::failure(const State& z, const Algebraic& w, double) const {
  const Motion<double> at = motion<double>(z, w);
  for (const WheelContact<double>& contact : at.contact) {
    const double across = std::abs(contact.side * contact.X - profile.centre());
    if (across < profile.rho - profile.least) continue;
    return std::string("derailment: the ") + (contact.side > 0 ? "left" : "right") +
           " wheel touches " + std::to_string(across) +
           " m beside the centre of the rail, whose radius is " + std::to_string(profile.rho);
  }
  return {};
}

}  // namespace daewave::problems
