#pragma once
// The creep force of a rolling wheel: friction that saturates, in the contact plane.

#include <cmath>
#include <numbers>

#include "problems/wheelset_contact.hpp"

namespace daewave::problems {

/// Friction and elasticity.
struct CreepData {
  double mu = 0.12;         ///< Friction coefficient.
  double E = 1.3537956;     ///< Hertz.
  double K = 0.7115218;     ///< Hertz.
  double nu = 0.28;         ///< Poisson's ratio.
  double S = 7.92e10;       ///< Shear modulus, N/m^2.
  double C11 = 4.72772197;  ///< Kalker's coefficients.
  double C22 = 4.27526987;
  double C23 = 1.97203505;
};

/// Normal force N and creep force at a contact point, N.
template <class T>
struct CreepForce {
  T normal;
  VecOf<T, 3> force;  ///< Lateral, vertical, longitudinal.
};

/// Velocities of the body at a contact point, and the creepages from them.
template <class T>
struct Creepage {
  T longitudinal, lateral, spin;
  T s, c;    ///< Of yaw / cos delta: the directions of the contact plane.
  T sd, cd;  ///< Of the inclination delta.

  /// @param v     (x', y', z', yaw', roll').  @param spin_rate  about the axle, rad/s.
  /// @param v0    forward speed, m/s.
  Creepage(const WheelContact<T>& at, const Attitude<T>& turned, const T& yaw, const VecOf<T, 5>& v,
           const T& spin_rate, double v0) {
    using std::cos, std::sin, std::sqrt;
    const double side = at.side;
    // tan delta = side H': no angle is needed.
    cd = 1.0 / sqrt(1.0 + at.dH * at.dH);
    sd = side * at.dH * cd;
    const T along = yaw / cd;
    s = sin(along);
    c = cos(along);
    const T &sr = turned.s_roll, &cr = turned.c_roll;
    const T &sp = at.s_psi, &cp = at.c_psi, &R = at.R, &xi = at.xi, &W = spin_rate;
    const T arm = xi * sr - R * cr * cp;
    const T w1 = v[0] - W * R * (s * cp + c * sr * sp) -
                 v[3] * (R * (s * sr * cp + c * sp) + xi * s * cr) - v[4] * c * arm;
    const T w2 = v[1] + W * R * cr * sp + v[4] * (xi * cr + R * sr * cp);
    const T w3 = v0 + v[2] - W * R * (c * cp - s * sr * sp) -
                 v[3] * (R * (c * sr * cp - s * sp) + xi * c * cr) + v[4] * s * arm;
    const T u1 = w1 - 2.0 * v[0], u2 = w2 - 2.0 * v[1], u3 = w3 - 2.0 * v[2] - 2.0 * v0;
    const T rolling = 0.5 * sqrt(u1 * u1 + u2 * u2 + u3 * u3);
    longitudinal = (s * w1 + c * w3) / rolling;
    lateral = (c * cd * w1 + side * sd * w2 - s * cd * w3) / rolling;
    spin = (-side * sd * W + cd * v[3]) / rolling;
  }
};

/// The creep force under the multiplier lambda < 0 (N): linear in the creepages while they are
/// small, never more than mu times the normal force.
template <class T>
CreepForce<T> creep_force(const CreepData& data, const WheelAndRail& profile,
                          const WheelContact<T>& at, const Creepage<T>& creep, const T& lambda) {
  using std::abs, std::pow, std::sqrt, std::tanh;
  CreepForce<T> result;
  result.normal = -lambda / creep.cd;
  const T curvatures = 1.0 / (2.0 * at.R * std::sqrt(1 + at.slope * at.slope)) + 0.5 / profile.rho;
  const T load = abs(result.normal);
  const T c = pow(
      T(load * (3 * (1 - data.nu) * data.E / (2 * std::numbers::pi * data.S * std::sqrt(data.K))) /
        curvatures),
      1.0 / 3.0);
  const T F = data.mu * result.normal;
  const T stiffness = data.S * c * c / F;
  T Tx = -F * tanh(T(stiffness * data.C11 * creep.longitudinal));
  T Ty = -F * tanh(T(stiffness * (data.C22 * creep.lateral + c * data.C23 * creep.spin)));
  const T size = Tx * Tx + Ty * Ty, most = F * F;
  if (size > most) {
    const T shrink = sqrt(T(most / size));
    Tx = Tx * shrink;
    Ty = Ty * shrink;
  }
  result.force[0] = creep.s * Tx + creep.c * creep.cd * Ty;
  result.force[1] = at.side * creep.sd * Ty;
  result.force[2] = creep.c * Tx - creep.s * creep.cd * Ty;
  return result;
}

}  // namespace daewave::problems
