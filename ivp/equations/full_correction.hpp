#pragma once
// The correction with D = H^T, which moves position and velocity together:
//
//   dz = H^T (H H^T)^-1 h,   H = dh/dz = [ G  0 ]
//                                        [ L  G ],   L = (d/dq)(G v + g_t)    [ACPR] (4.2)-(4.4)

#include "core/kkt/any_kkt.hpp"
#include "ivp/equations/motion_jacobian.hpp"

namespace daewave::ivp {

/// Whether H can be formed: G has entries.
template <class P>
inline constexpr bool has_full_correction = requires(const JacobianOf<P>& G) {
  G(0, 0);
};

/// Holds the memory: one for each thread.
template <class P>
class FullCorrection {
  using Position = typename P::Position;
  using Multiplier = MultiplierOf<P>;

 public:
  explicit FullCorrection(double rank_tolerance) : rank_tolerance_(rank_tolerance) {}

  /// dz at the state whose `terms` are given. `velocity` is G v + g_t.
  void correct(const P& problem, const Position& q, const Position& v, double t,
               const TermsOf<P>& terms, const Multiplier& velocity, VecX& dz) {
    const int nl = static_cast<int>(terms.G.rows()), nq = static_cast<int>(terms.G.cols());
    MatX& H = H_.become<MatX>();
    H.setZero(2 * nl, 2 * nq);
    H.topLeftCorner(nl, nq) = terms.G;
    // No position belongs to a velocity constraint: its row stays zero, and the guard drops it.
    for (int i = nl - velocity_rows(problem, q, v, t); i < nl; ++i) H.row(i).setZero();
    H.bottomRightCorner(nl, nq) = terms.G;
    for (int j = 0; j < nq; ++j) {
      unit_.setZero(nq);
      unit_[j] = 1;
      motion_.along(problem, q, v, unit_, t, column_);
      H.col(j).tail(nl) = column_;
    }
    h_.resize(2 * nl);
    h_.head(nl) = terms.position;
    h_.tail(nl) = velocity;
    kkt_.eliminate(H_, rank_tolerance_);
    kkt_.correct_orthogonal(h_, dz);
  }

 private:
  static int velocity_rows(const P& problem, const Position& q, const Position& v, double t) {
    if constexpr (HasVelocityConstraint<P>) {
      return static_cast<int>(problem.w(q, v, t).size());
    } else {
      return 0;
    }
  }

  // Once after a step: not worth a compilation for each size.
  AnyJacobian H_;
  double rank_tolerance_;
  VecX h_;
  AnyKkt kkt_;
  MotionJacobian<P> motion_;
  Position unit_;
  Multiplier column_;
};

}  // namespace daewave::ivp
