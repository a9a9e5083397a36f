#pragma once
// A planar chain of rods in absolute coordinates: a problem of any size whose linear algebra is
// O(n).

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "core/chain_kkt.hpp"
#include "core/sine_cosine.hpp"
#include "core/terms.hpp"
#include "core/types.hpp"

namespace daewave::problems {

/// Uniform rods of mass 1 kg and length 1 m hang in a chain from the origin.
///
///   q = (x_0, y_0, phi_0, ...): centre of mass, angle from the horizontal; 3 n coordinates;
///   M = diag(1, 1, 1/12, ...),   f = (0, -g, 0, ...);   with c_i = cos(phi_i) / 2 and s_i alike
///   0 = (x_0 - c_0, y_0 - s_0),
///   0 = (x_i - c_i - x_{i-1} - c_{i-1},  y_i - s_i - y_{i-1} - s_{i-1}),   i >= 1.
///
/// Starts at rest with phi_i = -pi/2 + 0.4 cos(pi (i + 1/2) / n). SI units; energy in J.
struct Chain {
  using Position = VecX;
  using Multiplier = VecX;
  using Kkt = ChainKkt;

  int rods = 16;     ///< >= 1.
  double g0 = 9.81;  ///< Gravity, m / s^2.
  double t_end = 2;  ///< s.

  std::string name() const { return "chain"; }
  Interval interval() const { return {0, t_end}; }
  VecX start() const;

  Eigen::DiagonalMatrix<double, Dynamic> M(const VecX&) const {
    Eigen::DiagonalMatrix<double, Dynamic> mass(3 * rods);
    fill_mass(mass.diagonal());
    return mass;
  }
  VecX f(const VecX&, const VecX&, double) const {
    VecX force(3 * rods);
    fill_force(force);
    return force;
  }
  VecX g(const VecX& q, double) const;
  ChainJacobian G(const VecX& q, double) const;
  VecX g_t(const VecX&, double) const { return VecX::Zero(2 * rods); }
  VecX curvature(const VecX& q, const VecX& v, double) const;
  /// Allocates where `at` has not the sizes yet.
  void terms(const VecX& q, const VecX& v, double t, MultibodyTerms<Chain>& at) const;

  double energy(const VecX& q, const VecX& v) const {
    double energy = 0;
    for (int i = 0; i < rods; ++i) {
      const auto rate = v.segment<3>(3 * i);
      energy += (rate[0] * rate[0] + rate[1] * rate[1] + rate[2] * rate[2] / 12) / 2;
      energy += g0 * q[3 * i + 1];
    }
    return energy;
  }

 private:
  void fill_mass(VecX& diagonal) const {
    double* m = diagonal.data();
    for (int i = 0; i < rods; ++i, m += 3) {
      m[0] = m[1] = 1;
      m[2] = 1.0 / 12;
    }
  }
  void fill_force(VecX& force) const {
    double* f = force.data();
    for (int i = 0; i < rods; ++i, f += 3) {
      f[0] = f[2] = 0;
      f[1] = -g0;
    }
  }

  /// Half a rod, (c_i, s_i).
  static Vec<2> half_rod(double phi) {
    const SineCosine of = sine_cosine(phi);
    return {of.cosine / 2, of.sine / 2};
  }
  /// d(-c, -s) / dphi, of the joints at both ends of a rod.
  static Vec<2> turned(const Vec<2>& half) { return {half[1], -half[0]}; }
};

inline VecX Chain::start() const {
  VecX z = VecX::Zero(6 * rods);
  Vec<2> joint = Vec<2>::Zero();
  for (int i = 0; i < rods; ++i) {
    const double phi = -std::numbers::pi / 2 + 0.4 * std::cos(std::numbers::pi * (i + 0.5) / rods);
    const Vec<2> half = half_rod(phi);
    z.segment<3>(3 * i) << joint + half, phi;
    joint = z.segment<2>(3 * i) + half;
  }
  return z;
}

inline VecX Chain::g(const VecX& q, double) const {
  VecX residual(2 * rods);
  Vec<2> joint = Vec<2>::Zero();
  for (int i = 0; i < rods; ++i) {
    const Vec<2> half = half_rod(q[3 * i + 2]);
    residual.segment<2>(2 * i) = q.segment<2>(3 * i) - half - joint;
    joint = q.segment<2>(3 * i) + half;
  }
  return residual;
}

inline ChainJacobian Chain::G(const VecX& q, double) const {
  ChainJacobian jacobian;
  jacobian.resize(rods);
  for (int i = 0; i < rods; ++i) {
    const Vec<2> half = half_rod(q[3 * i + 2]);
    jacobian.own[i] = turned(half);
    if (i + 1 < rods) jacobian.before[i + 1] = turned(half);
  }
  return jacobian;
}

inline VecX Chain::curvature(const VecX& q, const VecX& v, double) const {
  VecX gamma(2 * rods);
  Vec<2> before = Vec<2>::Zero();
  for (int i = 0; i < rods; ++i) {
    const Vec<2> bend = half_rod(q[3 * i + 2]) * (v[3 * i + 2] * v[3 * i + 2]);
    gamma.segment<2>(2 * i) = bend + before;
    before = bend;
  }
  return gamma;
}

inline void Chain::terms(const VecX& q, const VecX& v, double, MultibodyTerms<Chain>& at) const {
  if (at.G.bodies() != rods) {
    at.M.resize(3 * rods);
    at.f.resize(3 * rods);
    at.G.resize(rods);
    at.position.resize(2 * rods);
    at.curvature.resize(2 * rods);
    at.g_t.setZero(2 * rods);
    fill_mass(at.M.diagonal());
  }
  constexpr int most = 16;
  double sine[most], cosine[most];
  for (int first = 0; first < rods; first += most) {
    const int count = std::min(most, rods - first);
    sines_and_cosines(q.data() + 3 * first + 2, 3, count, sine, cosine);
    for (int k = 0; k < count; ++k) {
      const int i = first + k;
      const Vec<2> half{cosine[k] / 2, sine[k] / 2};
      at.G.own[i] = turned(half);
      if (i + 1 < rods) at.G.before[i + 1] = turned(half);
    }
  }
  fill_force(at.f);
  const double *x = q.data(), *rate = v.data();
  double *position = at.position.data(), *curvature = at.curvature.data();
  double joint_x = 0, joint_y = 0, before_x = 0, before_y = 0;
  for (int i = 0; i < rods; ++i, x += 3, rate += 3, position += 2, curvature += 2) {
    const double half_x = -at.G.own[i][1], half_y = at.G.own[i][0];
    const double squared = rate[2] * rate[2];
    const double bend_x = half_x * squared, bend_y = half_y * squared;
    position[0] = x[0] - half_x - joint_x;
    position[1] = x[1] - half_y - joint_y;
    curvature[0] = bend_x + before_x;
    curvature[1] = bend_y + before_y;
    joint_x = x[0] + half_x;
    joint_y = x[1] + half_y;
    before_x = bend_x;
    before_y = bend_y;
  }
}

}  // namespace daewave::problems
