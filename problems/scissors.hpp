#pragma once
// A scissors lift in absolute coordinates: closed loops, of any number, that leave one degree of
// freedom.

#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/kkt/joint_kkt.hpp"
#include "core/machine/sine_cosine.hpp"
#include "core/problem/terms.hpp"
#include "core/types.hpp"

namespace daewave::problems {

/// Cells of two uniform rods, 1 kg and 1 m each, pinned in their middles, stand on each other,
/// pinned end to end. One foot is pinned to the origin, the other slides along y = 0; a spring
/// between the rods of each cell holds the lift up.
///
///   q = (x_0, y_0, phi_0, ...): centre of mass, angle from the horizontal; rods 2 i and 2 i + 1 of
///   cell i, at angles phi and pi - phi; 6 n coordinates, 6 n - 1 constraints;
///   M = diag(1, 1, 1/12, ...),   f = (0, -g, +-n^2 k (phi_{2i+1} - phi_{2i} - pi + 1.8), ...),
///   0 = p_2i - u_2i - p_{2i-1} - u_{2i-1},   0 = p_{2i+1} - u_{2i+1} - p_{2i-2} - u_{2i-2},
///   0 = p_2i - p_{2i+1},    p = (x, y),   u = (cos phi, sin phi) / 2,
///
/// rods -1, -2 being the ground: p = u = 0, and of the slide the row of y alone. The constraints
/// are independent for 0 < phi < pi/2. Starts at rest with phi = 0.6; without gravity phi = 0.9
/// would be its rest. SI units; energy in J.
class Scissors {
 public:
  using Position = VecX;
  using Multiplier = VecX;
  using Jacobian = JointJacobian<3, 2>;
  using Mass = Eigen::DiagonalMatrix<double, Dynamic>;
  using Kkt = JointKkt<3, 2>;

  double g0 = 9.81;       ///< Gravity, m / s^2.
  double stiffness = 10;  ///< k, N m.
  double t_end = 2;       ///< s.

  /// Copies share the pattern of joints. @throws InvalidProblem  cells < 1.
  explicit Scissors(int cells = 4);

  int cells() const { return cells_; }
  const JointPattern& pattern() const { return *pattern_; }
  std::string name() const { return "scissors"; }
  Interval interval() const { return {0, t_end}; }
  VecX start() const { return at_rest(start_angle); }
  /// Without motion, all cells with this phi.
  VecX at_rest(double phi) const;

  static constexpr bool mass_constant = true;
  Mass M(const VecX&) const;
  VecX f(const VecX& q, const VecX&, double) const;
  VecX g(const VecX& q, double) const;
  Jacobian G(const VecX& q, double) const;
  VecX g_t(const VecX&, double) const { return VecX::Zero(6 * cells_ - 1); }
  VecX curvature(const VecX& q, const VecX& v, double) const;
  /// Allocates where `at` has not the sizes yet.
  void terms(const VecX& q, const VecX& v, double t, MultibodyTerms<Scissors>& at) const;
  /// G, position and g_t of them.
  void constraint_terms(const VecX& q, double t, MultibodyTerms<Scissors>& at) const;

  double energy(const VecX& q, const VecX& v) const;

 private:
  static constexpr double start_angle = 0.6, rest_angle = 0.9;
  struct Point {
    double x = 0, y = 0;
  };

  /// Sizes, and what is the same everywhere.
  void prepare(MultibodyTerms<Scissors>& at) const;
  void set_units(Jacobian& G) const;
  /// The columns of angles.
  void turn(const VecX& q, Jacobian& G) const;
  void fill_force(const VecX& q, VecX& force) const;
  void fill_position(const VecX& q, const Jacobian& G, VecX& residual) const;
  void fill_curvature(const VecX& q, const VecX& v, const Jacobian& G, VecX& gamma) const;

  /// Joints 3 i, 3 i + 1 hold the rods of cell i at their lower ends, 3 i + 2 in the middle.
  static int lower_joint(int rod) { return 3 * (rod / 2) + rod % 2; }
  /// Where the upper end of a rod is pinned: rods change sides from cell to cell.
  static int upper_joint(int rod) { return 3 * (rod / 2) + 4 - rod % 2; }
  static Point half(double phi) {
    const SineCosine of = sine_cosine(phi);
    return {of.cosine / 2, of.sine / 2};
  }
  /// u of a rod at q, from G but for the foot that slides: its row has not all of it.
  static Point half_rod(const VecX& q, const Jacobian& G, int rod) {
    if (rod == 1) return half(q[5]);
    const auto& block = G.end(2 * lower_joint(rod));
    return {-block(1, 2), block(0, 2)};
  }

  double spring() const { return stiffness * cells_ * cells_; }
  /// How far the angle between the rods of a cell is from that of the spring at rest.
  static double opened(const VecX& q, int cell) {
    return q[6 * cell + 5] - q[6 * cell + 2] - (std::numbers::pi - 2 * rest_angle);
  }

  int cells_;
  JointPatternPtr pattern_;
};

inline Scissors::Scissors(int cells) : cells_(cells) {
  if (cells < 1) {
    throw InvalidProblem("Scissors: cells = " + std::to_string(cells) + ": must be >= 1");
  }
  std::vector<Joint> joints;
  for (int i = 0; i < cells; ++i) {
    const int a = 2 * i, b = a + 1;
    joints.push_back({2, a, i == 0 ? Joint::ground : b - 2});
    joints.push_back({i == 0 ? 1 : 2, b, i == 0 ? Joint::ground : a - 2});
    joints.push_back({2, a, b});
  }
  pattern_ = std::make_shared<const JointPattern>(2 * cells, std::move(joints));
}

inline VecX Scissors::at_rest(double phi) const {
  VecX z = VecX::Zero(12 * cells_);
  const Point u = half(phi);
  for (int i = 0; i < cells_; ++i) {
    const double y = (2 * i + 1) * u.y;
    z.segment<6>(6 * i) << u.x, y, phi, u.x, y, std::numbers::pi - phi;
  }
  return z;
}

inline Scissors::Mass Scissors::M(const VecX&) const {
  Mass mass(6 * cells_);
  for (int i = 0; i < 2 * cells_; ++i) mass.diagonal().segment<3>(3 * i) << 1, 1, 1.0 / 12;
  return mass;
}

inline VecX Scissors::f(const VecX& q, const VecX&, double) const {
  VecX force(6 * cells_);
  fill_force(q, force);
  return force;
}

inline VecX Scissors::g(const VecX& q, double t) const {
  VecX residual(6 * cells_ - 1);
  fill_position(q, G(q, t), residual);
  return residual;
}

inline Scissors::Jacobian Scissors::G(const VecX& q, double) const {
  Jacobian jacobian(pattern_);
  set_units(jacobian);
  turn(q, jacobian);
  return jacobian;
}

inline VecX Scissors::curvature(const VecX& q, const VecX& v, double t) const {
  VecX gamma(6 * cells_ - 1);
  fill_curvature(q, v, G(q, t), gamma);
  return gamma;
}

inline double Scissors::energy(const VecX& q, const VecX& v) const {
  double energy = 0;
  for (int i = 0; i < 2 * cells_; ++i) {
    const auto rate = v.segment<3>(3 * i);
    energy += (rate[0] * rate[0] + rate[1] * rate[1] + rate[2] * rate[2] / 12) / 2;
    energy += g0 * q[3 * i + 1];
  }
  for (int i = 0; i < cells_; ++i) energy += spring() * opened(q, i) * opened(q, i) / 2;
  return energy;
}

inline void Scissors::terms(const VecX& q, const VecX& v, double,
                            MultibodyTerms<Scissors>& at) const {
  prepare(at);
  turn(q, at.G);
  fill_force(q, at.f);
  fill_position(q, at.G, at.position);
  fill_curvature(q, v, at.G, at.curvature);
}

inline void Scissors::constraint_terms(const VecX& q, double, MultibodyTerms<Scissors>& at) const {
  prepare(at);
  turn(q, at.G);
  fill_position(q, at.G, at.position);
}

inline void Scissors::prepare(MultibodyTerms<Scissors>& at) const {
  if (at.G.pattern() == pattern_) return;
  const int constraints = 6 * cells_ - 1;
  at.M = M({});
  at.f.resize(6 * cells_);
  at.G.reset(pattern_);
  set_units(at.G);
  at.position.resize(constraints);
  at.g_t.setZero(constraints);
  at.curvature.resize(constraints);
}

inline void Scissors::set_units(Jacobian& G) const {
  for (int e = 0; e < 2 * G.joints(); ++e) {
    if (G.body(e) != Joint::ground) G.end(e)(0, 0) = G.end(e)(1, 1) = e % 2 == 0 ? 1 : -1;
  }
  G.end(2) << 0, 1, 0, 0, 0, 0;
}

/// d(p - u) / dphi at the lower end, first rod of its joint; d(-p - u) / dphi at the upper one.
inline void Scissors::turn(const VecX& q, Jacobian& G) const {
  for (int rod = 0; rod < 2 * cells_; ++rod) {
    const Point u = half(q[3 * rod + 2]);
    if (rod == 1) {
      G.end(2)(0, 2) = -u.x;
    } else {
      auto& lower = G.end(2 * lower_joint(rod));
      lower(0, 2) = u.y;
      lower(1, 2) = -u.x;
    }
    if (rod + 2 >= 2 * cells_) continue;
    auto& upper = G.end(2 * upper_joint(rod) + 1);
    upper(0, 2) = u.y;
    upper(1, 2) = -u.x;
  }
}

inline void Scissors::fill_force(const VecX& q, VecX& force) const {
  double* of_cell = force.data();
  for (int i = 0; i < cells_; ++i, of_cell += 6) {
    const double torque = spring() * opened(q, i);
    of_cell[0] = of_cell[3] = 0;
    of_cell[1] = of_cell[4] = -g0;
    of_cell[2] = torque;
    of_cell[5] = -torque;
  }
}

inline void Scissors::fill_position(const VecX& q, const Jacobian& G, VecX& residual) const {
  std::array<Point, 2> below{};  ///< Upper ends of the rods that the next two are pinned to.
  double* out = residual.data();
  for (int i = 0; i < cells_; ++i) {
    const Point u = half_rod(q, G, 2 * i), w = half_rod(q, G, 2 * i + 1);
    const double *const p = q.data() + 6 * i, *const r = p + 3;
    *out++ = p[0] - u.x - below[0].x;
    *out++ = p[1] - u.y - below[0].y;
    if (i > 0) *out++ = r[0] - w.x - below[1].x;
    *out++ = r[1] - w.y - below[1].y;
    *out++ = p[0] - r[0];
    *out++ = p[1] - r[1];
    below = {Point{r[0] + w.x, r[1] + w.y}, Point{p[0] + u.x, p[1] + u.y}};
  }
}

inline void Scissors::fill_curvature(const VecX& q, const VecX& v, const Jacobian& G,
                                     VecX& gamma) const {
  std::array<Point, 2> below{};
  double* out = gamma.data();
  for (int i = 0; i < cells_; ++i) {
    const Point u = half_rod(q, G, 2 * i), w = half_rod(q, G, 2 * i + 1);
    const double first = v[6 * i + 2] * v[6 * i + 2], second = v[6 * i + 5] * v[6 * i + 5];
    const Point bend{u.x * first, u.y * first}, other{w.x * second, w.y * second};
    *out++ = bend.x + below[0].x;
    *out++ = bend.y + below[0].y;
    if (i > 0) *out++ = other.x + below[1].x;
    *out++ = other.y + below[1].y;
    *out++ = 0;
    *out++ = 0;
    below = {other, bend};
  }
}

}  // namespace daewave::problems
