#pragma once
// Problems of [AL1], section 5.

#include <cmath>
#include <string>

#include "core/boundary.hpp"
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

}  // namespace daewave::problems
