#pragma once
// L = (d/dq)(G v + g_t), the part of the derivative of the velocity constraint that neither method
// of first order needs, along a direction d. The curvature knows it:
//
//   curvature(q, v, t) = v' g_qq v + 2 g_qt v + g_tt,
//   L d = v' g_qq d + g_qt d = (curvature(q, v + d, t) - curvature(q, v - d, t)) / 4
//
// exactly. Rows of w, whose curvature is not symmetric, are differenced.

#include <algorithm>
#include <cmath>

#include "core/problem/constraint_residual.hpp"
#include "core/problem/terms.hpp"

namespace daewave {

/// Holds the memory of an evaluation: one for each thread.
template <class P>
requires Reducible<P>
class MotionJacobian {
 public:
  using Position = typename P::Position;
  using Multiplier = MultiplierOf<P>;

  /// Ld = L d, nl. To rounding for the rows of g, to about 1e-12 for those of w.
  void along(const P& problem, const Position& q, const Position& v, const Position& d, double t,
             Multiplier& Ld) {
    const double size = largest(d);
    if (!(size > 0)) {
      Ld.setZero(rows(problem, q, v, t));
      return;
    }
    const double s = (1 + largest(v)) / size;  // d as long as v.
    moved_ = v + s * d;
    curvature(problem, q, moved_, t, Ld);
    moved_ = v - s * d;
    curvature(problem, q, moved_, t, other_);
    Ld = (Ld - other_) / (4 * s);
    if constexpr (HasVelocityConstraint<P>) difference_rows_of_w(problem, q, v, d, t, Ld);
  }

 private:
  template <class Vector>
  static double largest(const Vector& x) {
    return x.size() == 0 ? 0.0 : x.cwiseAbs().maxCoeff();
  }

  int rows(const P& problem, const Position& q, const Position& v, double t) {
    curvature(problem, q, v, t, other_);
    return static_cast<int>(other_.size());
  }

  void curvature(const P& problem, const Position& q, const Position& v, double t,
                 Multiplier& out) {
    if constexpr (requires { problem.curvature(q, v, t, terms_); }) {
      problem.curvature(q, v, t, terms_);
      out = terms_.curvature;
    } else if constexpr (HasCurvature<P> && !HasVelocityConstraint<P>) {
      out = problem.curvature(q, v, t);
    } else {
      evaluate(problem, q, v, t, terms_);
      out = terms_.curvature;
    }
  }

  /// The largest s with |s d_j| <= 1 + |q_j| of all j: a quaternion must not be turned over for
  /// being that of a body a mile off.
  static double longest_move(const Position& q, const Position& d) {
    double least = INFINITY;
    for (int j = 0; j < d.size(); ++j) {
      if (d[j] != 0) least = std::min(least, (1 + std::abs(q[j])) / std::abs(d[j]));
    }
    return least;
  }

  /// Of fourth order, central.
  void difference_rows_of_w(const P& problem, const Position& q, const Position& v,
                            const Position& d, double t, Multiplier& Ld) {
    const double s = 1e-3 * longest_move(q, d);
    const auto w = [&](double by) -> typename P::VelocityMultiplier {
      moved_ = q + by * s * d;
      return problem.w(moved_, v, t);
    };
    const typename P::VelocityMultiplier near = w(1) - w(-1), far = w(2) - w(-2);
    Ld.tail(near.size()) = (8 * near - far) / (12 * s);
  }

  TermsOf<P> terms_;
  Position moved_;
  Multiplier other_;
};

}  // namespace daewave
