#pragma once
// A planar chain of rods in absolute coordinates: a problem of any size whose linear algebra is
// O(n).

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <type_traits>

#include "core/kkt/chain_kkt.hpp"
#include "core/machine/sine_cosine.hpp"
#include "core/problem/chain_lane_terms.hpp"
#include "core/problem/terms.hpp"
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
///
/// @tparam N  rods, where their number is known when the program is written: short chains are
///            faster then. Chain takes it when the program runs.
template <int N>
struct ChainOf {
  using Position = Vec<N == Dynamic ? Dynamic : 3 * N>;
  using Multiplier = Vec<N == Dynamic ? Dynamic : 2 * N>;
  using Start = Vec<N == Dynamic ? Dynamic : 6 * N>;
  using Jacobian = ChainJacobianOf<N>;
  using Mass = Eigen::DiagonalMatrix<double, Position::RowsAtCompileTime>;
  using Kkt = ChainKktOf<N>;
  using Rods = std::conditional_t<N == Dynamic, int, std::integral_constant<int, N>>;

  Rods rods{std::integral_constant<int, (N == Dynamic ? 16 : N)>()};  ///< >= 1.
  double g0 = 9.81;                                                   ///< Gravity, m / s^2.
  double t_end = 2;                                                   ///< s.

  std::string name() const { return "chain"; }
  Interval interval() const { return {0, t_end}; }
  Start start() const;

  static constexpr bool mass_constant = true;
  Mass M(const Position&) const {
    Mass mass;
    mass.resize(3 * rods);
    fill_mass(mass.diagonal());
    return mass;
  }
  Position f(const Position&, const Position&, double) const {
    Position force(3 * rods);
    fill_force(force);
    return force;
  }
  Multiplier g(const Position& q, double) const;
  Jacobian G(const Position& q, double) const;
  Multiplier g_t(const Position&, double) const { return Multiplier::Zero(2 * rods); }
  Multiplier curvature(const Position& q, const Position& v, double) const;
  /// Allocates where `at` has not the sizes yet.
  void terms(const Position& q, const Position& v, double t, MultibodyTerms<ChainOf>& at) const;
  /// The same of many points, in lanes.
  template <class T>
  void chain_terms(const T* q, const T* v, const T& t, const ChainLaneTerms<T>& at) const;
  /// G, position and g_t of them.
  void constraint_terms(const Position& q, double t, MultibodyTerms<ChainOf>& at) const;

  double energy(const Position& q, const Position& v) const {
    double energy = 0;
    for (int i = 0; i < rods; ++i) {
      const auto rate = v.template segment<3>(3 * i);
      energy += (rate[0] * rate[0] + rate[1] * rate[1] + rate[2] * rate[2] / 12) / 2;
      energy += g0 * q[3 * i + 1];
    }
    return energy;
  }

 private:
  using Terms = MultibodyTerms<ChainOf>;

  /// Sizes, and what is the same everywhere.
  void prepare(Terms& at) const;
  void turn(const Position& q, Jacobian& G) const;

  void fill_mass(Position& diagonal) const {
    double* m = diagonal.data();
    for (int i = 0; i < rods; ++i, m += 3) {
      m[0] = m[1] = 1;
      m[2] = 1.0 / 12;
    }
  }
  void fill_force(Position& force) const {
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

template <int N>
auto ChainOf<N>::start() const -> Start {
  Start z = Start::Zero(6 * rods);
  Vec<2> joint = Vec<2>::Zero();
  for (int i = 0; i < rods; ++i) {
    const double phi = -std::numbers::pi / 2 + 0.4 * std::cos(std::numbers::pi * (i + 0.5) / rods);
    const Vec<2> half = half_rod(phi);
    z.template segment<3>(3 * i) << joint + half, phi;
    joint = z.template segment<2>(3 * i) + half;
  }
  return z;
}

template <int N>
auto ChainOf<N>::g(const Position& q, double) const -> Multiplier {
  Multiplier residual(2 * rods);
  Vec<2> joint = Vec<2>::Zero();
  for (int i = 0; i < rods; ++i) {
    const Vec<2> half = half_rod(q[3 * i + 2]);
    residual.template segment<2>(2 * i) = q.template segment<2>(3 * i) - half - joint;
    joint = q.template segment<2>(3 * i) + half;
  }
  return residual;
}

template <int N>
auto ChainOf<N>::G(const Position& q, double) const -> Jacobian {
  Jacobian jacobian;
  jacobian.resize(rods);
  for (int i = 0; i < rods; ++i) {
    const Vec<2> half = half_rod(q[3 * i + 2]);
    jacobian.own[i] = turned(half);
    if (i + 1 < rods) jacobian.before[i + 1] = turned(half);
  }
  return jacobian;
}

template <int N>
auto ChainOf<N>::curvature(const Position& q, const Position& v, double) const -> Multiplier {
  Multiplier gamma(2 * rods);
  Vec<2> before = Vec<2>::Zero();
  for (int i = 0; i < rods; ++i) {
    const Vec<2> bend = half_rod(q[3 * i + 2]) * (v[3 * i + 2] * v[3 * i + 2]);
    gamma.template segment<2>(2 * i) = bend + before;
    before = bend;
  }
  return gamma;
}

template <int N>
void ChainOf<N>::prepare(Terms& at) const {
  if constexpr (N == Dynamic) {
    if (at.G.bodies() == rods) return;
    at.M.resize(3 * rods);
    at.f.resize(3 * rods);
    at.G.resize(rods);
    at.position.resize(2 * rods);
    at.curvature.resize(2 * rods);
  }
  at.g_t.setZero(2 * rods);
  fill_mass(at.M.diagonal());
}

template <int N>
void ChainOf<N>::turn(const Position& q, Jacobian& G) const {
  constexpr int most = 16;
  double sine[most], cosine[most];
  for (int first = 0; first < rods; first += most) {
    const int count = std::min<int>(most, rods - first);
    sines_and_cosines(q.data() + 3 * first + 2, 3, count, sine, cosine);
    for (int k = 0; k < count; ++k) {
      const int i = first + k;
      const Vec<2> half{cosine[k] / 2, sine[k] / 2};
      G.own[i] = turned(half);
      if (i + 1 < rods) G.before[i + 1] = turned(half);
    }
  }
}

template <int N>
void ChainOf<N>::terms(const Position& q, const Position& v, double, Terms& at) const {
  prepare(at);
  turn(q, at.G);
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

template <int N>
template <class T>
void ChainOf<N>::chain_terms(const T* q, const T* v, const T&, const ChainLaneTerms<T>& at) const {
  T joint_x(0), joint_y(0), bend_x(0), bend_y(0), half_x(0), half_y(0);
  for (int i = 0; i < rods; ++i, q += 3, v += 3) {
    const T before_x = half_x, before_y = half_y;
    half_x = 0.5 * cos(q[2]);
    half_y = 0.5 * sin(q[2]);
    if (at.f != nullptr) at.f[3 * i] = at.f[3 * i + 2] = T(0), at.f[3 * i + 1] = T(-g0);
    if (at.M != nullptr) at.M[3 * i] = at.M[3 * i + 1] = T(1), at.M[3 * i + 2] = T(1.0 / 12);
    if (at.G != nullptr) {
      T* const turn = at.G + 4 * i;
      turn[0] = half_y, turn[1] = -half_x, turn[2] = before_y, turn[3] = -before_x;
    }
    if (at.g != nullptr) {
      at.g[2 * i] = q[0] - half_x - joint_x;
      at.g[2 * i + 1] = q[1] - half_y - joint_y;
    }
    joint_x = q[0] + half_x;
    joint_y = q[1] + half_y;
    if (at.g_t != nullptr) at.g_t[2 * i] = at.g_t[2 * i + 1] = T(0);
    if (at.curvature == nullptr) continue;
    const T squared = v[2] * v[2], held_x = bend_x, held_y = bend_y;
    bend_x = half_x * squared;
    bend_y = half_y * squared;
    at.curvature[2 * i] = bend_x + held_x;
    at.curvature[2 * i + 1] = bend_y + held_y;
  }
}

template <int N>
void ChainOf<N>::constraint_terms(const Position& q, double, Terms& at) const {
  prepare(at);
  turn(q, at.G);
  const double* x = q.data();
  double* position = at.position.data();
  double joint_x = 0, joint_y = 0;
  for (int i = 0; i < rods; ++i, x += 3, position += 2) {
    const double half_x = -at.G.own[i][1], half_y = at.G.own[i][0];
    position[0] = x[0] - half_x - joint_x;
    position[1] = x[1] - half_y - joint_y;
    joint_x = x[0] + half_x;
    joint_y = x[1] + half_y;
  }
}

/// Of any number of rods.
using Chain = ChainOf<Dynamic>;

}  // namespace daewave::problems
