#pragma once
// The initial value problem of Ascher and Petzold, "Projected implicit Runge-Kutta methods for
// differential-algebraic equations", SIAM J. Numer. Anal. 28 (1991).

#include <cmath>
#include <string>

#include "core/problem/boundary.hpp"
#include "core/types.hpp"

namespace daewave::problems {

/// x1' = (l - 1/(2-t)) x1 + (2-t) l y + (3-t)/(2-t) e^t,
/// x2' = (1-l)/(t-2) x1 - x2 + (l-1) y + 2 e^t,
/// 0   = (t+2) x1 + (t^2-4) x2 - (t^2+t-2) e^t  on [0, 1], x(0) = (1, 1);
/// x1 = x2 = e^t, y = -e^t / (2-t). The larger lambda, the less stable discretizations are.
struct Ap91 {
  double lambda = 1;

  std::string name() const { return "ap91"; }
  Interval interval() const { return {0, 1}; }

  Mat<2, 2> A(double t) const {
    return Mat<2, 2>{{lambda - 1 / (2 - t), 0}, {(1 - lambda) / (t - 2), -1}};
  }
  Vec<2> B(double t) const { return {-(2 - t) * lambda, -(lambda - 1)}; }
  Vec<2> q(double t) const { return {(3 - t) / (2 - t) * std::exp(t), 2 * std::exp(t)}; }
  Mat<1, 2> C(double t) const { return {t + 2, t * t - 4}; }
  Vec<1> r(double t) const { return Vec<1>{-(t * t + t - 2) * std::exp(t)}; }
  Mat<1, 2> C_t(double t) const { return {1, 2 * t}; }
  Vec<1> r_t(double t) const { return Vec<1>{-(t * t + 3 * t - 1) * std::exp(t)}; }

  /// x(0) = (1, 1): the constraint at 0 gives 2 x1 - 4 x2 = -2, so one condition is left.
  Boundary boundary() const { return initial_conditions(MatX{{1, 0}}, VecX::Constant(1, 1.0)); }

  Vec<2> x_exact(double t) const { return {std::exp(t), std::exp(t)}; }
  Vec<2> By_exact(double t) const { return -B(t) * std::exp(t) / (2 - t); }
};

}  // namespace daewave::problems
