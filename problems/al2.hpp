#pragma once
// Problems of [AL2]: Example 3.1 and the Examples 6.1 to 6.4. In two of them the paper's data
// contradict its exact solution; the comments there say what is printed.

#include <cmath>
#include <numbers>
#include <string>

#include "core/problem/terms.hpp"
#include "core/types.hpp"

namespace daewave::problems {

/// [AL2] Example 3.1, index 2: G = B^T vanishes at t = pi/2, where y is unbounded and P = B G / (G
/// B), smooth along the solution, has no derivative with respect to x.
///
///   x' = (sin x2, 2 sin x2 - sin x1)^T / (sin x2 - sin x1) - (sin x1, sin x2)^T y,
///   0 = -cos x1 - cos x2;   x = (t - pi/2, t + pi/2),  y = 1 / (2 cos t),  B y = (-1/2, 1/2).
///
/// f itself is 0/0 at t = pi/2. The interval goes well beyond it. The paper prints sin x1 as the
/// first numerator.
struct Al2Example31 {
  using State = Vec<2>;
  using Multiplier = Vec<1>;

  std::string name() const { return "al2-example3.1"; }
  Interval interval() const { return {0, 3}; }
  State start() const { return z_exact(0); }

  State f(const State& x, double) const {
    const double s1 = std::sin(x[0]), s2 = std::sin(x[1]);
    return State{s2, 2 * s2 - s1} / (s2 - s1);
  }
  State B(const State& x, double) const { return {std::sin(x[0]), std::sin(x[1])}; }
  Multiplier g(const State& x, double) const {
    return Multiplier{-std::cos(x[0]) - std::cos(x[1])};
  }
  Mat<1, 2> G(const State& x, double) const { return {std::sin(x[0]), std::sin(x[1])}; }
  Multiplier g_t(const State&, double) const { return Multiplier{0}; }

  State z_exact(double t) const { return {t - std::numbers::pi / 2, t + std::numbers::pi / 2}; }
  State By_exact(double) const { return {-0.5, 0.5}; }
};

/// [AL2] Example 6.1, index 2, without singularity.
///
///   x' = (1 - exp(-t), cos t + e^t sin t)^T - x y,   0 = (x1^2 + x2^2 - exp(-2t) - sin^2 t) / 2;
///   x = (exp(-t), sin t),  y = e^t. The paper prints 1 - e^t.
struct Al2Example61 {
  using State = Vec<2>;
  using Multiplier = Vec<1>;

  std::string name() const { return "al2-example6.1"; }
  Interval interval() const { return {0, 1}; }
  State start() const { return {1, 0}; }

  State f(const State&, double t) const {
    return {1 - std::exp(-t), std::cos(t) + std::exp(t) * std::sin(t)};
  }
  State B(const State& x, double) const { return x; }
  Multiplier g(const State& x, double t) const {
    const double s = std::sin(t);
    return Multiplier{(x.squaredNorm() - std::exp(-2 * t) - s * s) / 2};
  }
  Mat<1, 2> G(const State& x, double) const { return x.transpose(); }
  Multiplier g_t(const State&, double t) const {
    return Multiplier{std::exp(-2 * t) - std::sin(t) * std::cos(t)};
  }

  State z_exact(double t) const { return {std::exp(-t), std::sin(t)}; }
  Multiplier y_exact(double t) const { return Multiplier{std::exp(t)}; }
  State By_exact(double t) const { return z_exact(t) * std::exp(t); }
};

/// [AL2] Example 6.2, index 2: G = B^T = x^T vanishes at t = 1/2; y stays bounded.
///
///   x' = (1 + a e^t, 2t + b e^t)^T - x y,   0 = (x1^2 + x2^2 - a^2 - b^2) / 2,
///   a = t - 1/2, b = t^2 - 1/4;   x = (a, b),  y = e^t.
struct Al2Example62 {
  using State = Vec<2>;
  using Multiplier = Vec<1>;

  std::string name() const { return "al2-example6.2"; }
  Interval interval() const { return {0, 1}; }
  State start() const { return z_exact(0); }

  State f(const State&, double t) const { return State{1, 2 * t} + std::exp(t) * z_exact(t); }
  State B(const State& x, double) const { return x; }
  Multiplier g(const State& x, double t) const {
    return Multiplier{(x.squaredNorm() - z_exact(t).squaredNorm()) / 2};
  }
  Mat<1, 2> G(const State& x, double) const { return x.transpose(); }
  Multiplier g_t(const State&, double t) const {
    const State path = z_exact(t);
    return Multiplier{-path[0] - 2 * t * path[1]};
  }

  State z_exact(double t) const { return {t - 0.5, t * t - 0.25}; }
  Multiplier y_exact(double t) const { return Multiplier{std::exp(t)}; }
  State By_exact(double t) const { return z_exact(t) * std::exp(t); }
};

/// [AL2] Example 6.3, index 2: G B = x1^2 vanishes at t = 1/2, where y is unbounded, B y smooth.
///
///   x1' = -x1 + x2 - sin t - (1 + 2t),   x2' = -x1 y,   0 = x1 (x1 + x2 - sin t - 1 + 2t);
///   x = (1 - 2t, sin t),  y = -cos t / (1 - 2t),  B y = (0, -cos t).
struct Al2Example63 {
  using State = Vec<2>;
  using Multiplier = Vec<1>;

  std::string name() const { return "al2-example6.3"; }
  Interval interval() const { return {0, 1}; }
  State start() const { return {1, 0}; }

  State f(const State& x, double t) const { return {-x[0] + x[1] - std::sin(t) - (1 + 2 * t), 0}; }
  State B(const State& x, double) const { return {0, x[0]}; }
  Multiplier g(const State& x, double t) const {
    return Multiplier{x[0] * (x[0] + x[1] - std::sin(t) - 1 + 2 * t)};
  }
  Mat<1, 2> G(const State& x, double t) const {
    return {2 * x[0] + x[1] - std::sin(t) - 1 + 2 * t, x[0]};
  }
  Multiplier g_t(const State& x, double t) const { return Multiplier{x[0] * (2 - std::cos(t))}; }

  State z_exact(double t) const { return {1 - 2 * t, std::sin(t)}; }
  State By_exact(double t) const { return {0, -std::cos(t)}; }
};

/// [AL2] Example 6.4, index 3: two rods of length 1 and mass 3, angles theta1 and theta2
/// (relative), the free end on the line y = 0. The force is made so that the solution is known.
///
///   M = (5 + 3 c2, 1 + 1.5 c2; 1 + 1.5 c2, 1),  0 = sin theta1 + sin(theta1 + theta2),
///   f = ((c1 + c12) cos t - 3 sin t, c12 cos t + (1 - 1.5 c2) sin t);
///   theta1 = sin t,  theta2 = -2 sin t,  lambda = cos t.
struct Al2Example64 {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;

  std::string name() const { return "al2-example6.4"; }
  Interval interval() const { return {0, 1}; }
  Vec<4> start() const { return z_exact(0); }

  Mat<2, 2> M(const Position& q) const {
    const double c2 = std::cos(q[1]);
    return Mat<2, 2>{{5 + 3 * c2, 1 + 1.5 * c2}, {1 + 1.5 * c2, 1}};
  }
  Position f(const Position& q, const Position&, double t) const {
    const double c1 = std::cos(q[0]), c2 = std::cos(q[1]), c12 = std::cos(q[0] + q[1]);
    const double c = std::cos(t), s = std::sin(t);
    return {(c1 + c12) * c - 3 * s, c12 * c + (1 - 1.5 * c2) * s};
  }
  Multiplier g(const Position& q, double) const {
    return Multiplier{std::sin(q[0]) + std::sin(q[0] + q[1])};
  }
  Mat<1, 2> G(const Position& q, double) const {
    const double c12 = std::cos(q[0] + q[1]);
    return {std::cos(q[0]) + c12, c12};
  }
  Multiplier g_t(const Position&, double) const { return Multiplier{0}; }
  Multiplier curvature(const Position& q, const Position& v, double) const {
    const double both = v[0] + v[1];
    return Multiplier{-std::sin(q[0]) * v[0] * v[0] - std::sin(q[0] + q[1]) * both * both};
  }

  void terms(const Position& q, const Position& v, double t,
             MultibodyTerms<Al2Example64>& at) const;

  Vec<4> z_exact(double t) const {
    const double s = std::sin(t), c = std::cos(t);
    return {s, -2 * s, c, -2 * c};
  }
  Multiplier y_exact(double t) const { return Multiplier{std::cos(t)}; }
};

inline void Al2Example64::terms(const Position& q, const Position& v, double t,
                                MultibodyTerms<Al2Example64>& at) const {
  const double s1 = std::sin(q[0]), c1 = std::cos(q[0]), c2 = std::cos(q[1]);
  const double s12 = std::sin(q[0] + q[1]), c12 = std::cos(q[0] + q[1]);
  const double s = std::sin(t), c = std::cos(t), both = v[0] + v[1];
  at.M << 5 + 3 * c2, 1 + 1.5 * c2, 1 + 1.5 * c2, 1;
  at.f << (c1 + c12) * c - 3 * s, c12 * c + (1 - 1.5 * c2) * s;
  at.G << c1 + c12, c12;
  at.position[0] = s1 + s12;
  at.g_t[0] = 0;
  at.curvature[0] = -s1 * v[0] * v[0] - s12 * both * both;
}

}  // namespace daewave::problems
