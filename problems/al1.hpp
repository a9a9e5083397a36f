#pragma once
// Problems of [AL1], section 5.

#include <cmath>
#include <string>

#include "core/problem/boundary.hpp"
#include "core/types.hpp"

namespace daewave::problems {

/// [AL1] Example 1: C B = -(1 - 2t)^2 vanishes at t = 1/2, where y is unbounded and B y is smooth.
///
///   x1' = -x1 + x2 - sin t,   x2' = (1 - 2t) y,   0 = (1 - 2t) (x1 + x2 - exp(-t) - sin t),
///   x1(1) + x2(0) = 1/e;      x = (exp(-t), sin t),  y = cos t / (1 - 2t).
///
/// The paper writes + B y; B has its sign turned here.
struct Al1Example1 {
  std::string name() const { return "al1-example1"; }
  Interval interval() const { return {0, 1}; }

  Mat<2, 2> A(double) const { return Mat<2, 2>{{-1, 1}, {0, 0}}; }
  Vec<2> B(double t) const { return {0, -(1 - 2 * t)}; }
  Vec<2> q(double t) const { return {-std::sin(t), 0}; }
  Mat<1, 2> C(double t) const { return {1 - 2 * t, 1 - 2 * t}; }
  Vec<1> r(double t) const { return Vec<1>{-(1 - 2 * t) * (std::exp(-t) + std::sin(t))}; }
  Mat<1, 2> C_t(double) const { return {-2, -2}; }
  Vec<1> r_t(double t) const {
    return Vec<1>{2 * (std::exp(-t) + std::sin(t)) - (1 - 2 * t) * (std::cos(t) - std::exp(-t))};
  }

  Boundary boundary() const {
    return {MatX{{0, 1}}, MatX{{1, 0}}, VecX::Constant(1, std::exp(-1.0))};
  }

  Vec<2> x_exact(double t) const { return {std::exp(-t), std::sin(t)}; }
  Vec<2> By_exact(double t) const { return {0, -std::cos(t)}; }
};

/// [AL1] Example 2: Example 1 as an initial value problem, x(0) = (1, 0). Since y(0) = 1, the
/// iteration starts with y_0 = 1, that is B y_0 = B(t).
struct Al1Example2 : Al1Example1 {
  std::string name() const { return "al1-example2"; }

  /// x1(0) = 1; the constraint at 0 gives the rest.
  Boundary boundary() const { return initial_conditions(MatX{{1, 0}}, VecX::Constant(1, 1.0)); }
};

/// [AL1] Example 3: Example 2 with the constraint 0 = x1 + x2 - exp(-t) - sin t. C is regular and
/// B is not: C B = -(1 - 2t) vanishes at t = 1/2, y is unbounded there, and both B y and
/// P = B (C B)^-1 C = (0, 1)^T (1, 1) are smooth.
struct Al1Example3 : Al1Example1 {
  std::string name() const { return "al1-example3"; }

  Mat<1, 2> C(double) const { return {1, 1}; }
  Vec<1> r(double t) const { return Vec<1>{-(std::exp(-t) + std::sin(t))}; }
  Mat<1, 2> C_t(double) const { return {0, 0}; }
  Vec<1> r_t(double t) const { return Vec<1>{std::exp(-t) - std::cos(t)}; }

  /// x1(0) = 1; the constraint at 0 gives the rest.
  Boundary boundary() const { return initial_conditions(MatX{{1, 0}}, VecX::Constant(1, 1.0)); }
};

/// [AL1] Example 4: B = C^T in the paper's sign vanishes at t = 1/2; y is smooth.
///
///   x' = q + C^T y,   0 = C x + r,   C = (t - 1/2, t^2 - 1/4),   x(0) = (1, 1);
///   x1 = x2 = y = e^t. The iteration starts with y_0 = 1, that is B y_0 = B(t).
///
/// The paper writes + B y; B has its sign turned here.
struct Al1Example4 {
  std::string name() const { return "al1-example4"; }
  Interval interval() const { return {0, 1}; }

  Mat<2, 2> A(double) const { return Mat<2, 2>::Zero(); }
  Vec<2> B(double t) const { return -C(t).transpose(); }
  Vec<2> q(double t) const { return std::exp(t) * (Vec<2>{1, 1} + B(t)); }
  Mat<1, 2> C(double t) const { return {t - 0.5, t * t - 0.25}; }
  Vec<1> r(double t) const { return Vec<1>{-(t * t + t - 0.75) * std::exp(t)}; }
  Mat<1, 2> C_t(double t) const { return {1, 2 * t}; }
  Vec<1> r_t(double t) const { return Vec<1>{-(t * t + 3 * t + 0.25) * std::exp(t)}; }

  /// x1(0) = 1; the constraint at 0 gives the rest.
  Boundary boundary() const { return initial_conditions(MatX{{1, 0}}, VecX::Constant(1, 1.0)); }

  Vec<2> x_exact(double t) const { return {std::exp(t), std::exp(t)}; }
  Vec<2> By_exact(double t) const { return B(t) * std::exp(t); }
};

}  // namespace daewave::problems
