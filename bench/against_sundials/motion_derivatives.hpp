#pragma once
// Derivatives that Newton's method of IDA needs beside M and G.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/problem/terms.hpp"
#include "problems/chain.hpp"
#include "problems/pendulum.hpp"

namespace daewave::bench {

/// A point of the stabilized system: q, v, v', lambda, t.
template <class P>
struct MotionPoint {
  typename P::Position q, v, acceleration;
  MultiplierOf<P> lambda;
  double t;
};

/// Gives, entry by entry, with v', v and lambda held,
///
///   force_q = d/dq (M v' - f + G^T lambda),  force_v = - df/dv,  motion_q = d/dq (G v + g_t),
///
/// by forward differences from terms(), which share their sines: nq evaluations for both
/// derivatives with respect to q, nq for the one with respect to v.
template <class P>
class MotionDerivatives {
 public:
  template <class ForceQ, class ForceV, class MotionQ>
  void visit(const P& problem, MotionPoint<P>& at, ForceQ force_q, ForceV force_v,
             MotionQ motion_q) {
    residuals(problem, at, force_, motion_);
    const int nq = static_cast<int>(at.q.size()), nl = static_cast<int>(at.lambda.size());
    for (int j = 0; j < nq; ++j) {
      const double q = at.q[j], d = increment(q);
      at.q[j] += d;
      residuals(problem, at, moved_force_, moved_motion_);
      at.q[j] = q;
      for (int i = 0; i < nq; ++i) force_q(i, j, (moved_force_[i] - force_[i]) / d);
      for (int i = 0; i < nl; ++i) motion_q(i, j, (moved_motion_[i] - motion_[i]) / d);
    }
    for (int j = 0; j < nq; ++j) {
      const double v = at.v[j], d = increment(v);
      at.v[j] += d;
      residuals(problem, at, moved_force_, moved_motion_);
      at.v[j] = v;
      for (int i = 0; i < nq; ++i) force_v(i, j, (moved_force_[i] - force_[i]) / d);
    }
  }

 private:
  static double increment(double x) {
    return std::sqrt(std::numeric_limits<double>::epsilon()) * std::max(1.0, std::abs(x));
  }

  void residuals(const P& problem, const MotionPoint<P>& at, typename P::Position& force,
                 MultiplierOf<P>& motion) {
    evaluate(problem, at.q, at.v, at.t, terms_);
    apply_transposed(terms_.G, at.lambda, force);
    force += terms_.M * at.acceleration - terms_.f;
    apply(terms_.G, at.v, motion);
    motion += terms_.g_t;
  }

  MultibodyTerms<P> terms_;
  typename P::Position force_, moved_force_;
  MultiplierOf<P> motion_, moved_motion_;
};

/// G = q^T, f constant.
template <>
class MotionDerivatives<problems::Pendulum> {
 public:
  template <class ForceQ, class ForceV, class MotionQ>
  void visit(const problems::Pendulum&, MotionPoint<problems::Pendulum>& at, ForceQ force_q, ForceV,
             MotionQ motion_q) {
    for (int i = 0; i < 2; ++i) {
      force_q(i, i, at.lambda[0]);
      motion_q(0, i, at.v[i]);
    }
  }
};

/// Rod i acts on joints i and i + 1, each by its angle; f constant.
template <>
class MotionDerivatives<problems::Chain> {
 public:
  template <class ForceQ, class ForceV, class MotionQ>
  void visit(const problems::Chain& problem, MotionPoint<problems::Chain>& at, ForceQ force_q,
             ForceV, MotionQ motion_q) {
    for (int i = 0; i < problem.rods; ++i) {
      const bool last = i + 1 == problem.rods;
      const int angle = 3 * i + 2;
      const double c = std::cos(at.q[angle]) / 2, s = std::sin(at.q[angle]) / 2;
      Vec<2> lambda = at.lambda.segment<2>(2 * i);
      if (!last) lambda += at.lambda.segment<2>(2 * i + 2);
      force_q(angle, angle, c * lambda[0] + s * lambda[1]);
      for (int joint = i; joint <= (last ? i : i + 1); ++joint) {
        motion_q(2 * joint, angle, c * at.v[angle]);
        motion_q(2 * joint + 1, angle, s * at.v[angle]);
      }
    }
  }
};

}  // namespace daewave::bench
