#pragma once
// The correction with D = H^T, which moves position and velocity together:
//
//   dz = H^T (H H^T)^-1 h,   H = dh/dz = [ G  0 ]
//                                        [ L  G ],   L = (d/dq)(G v + g_t)    [ACPR] (4.2)-(4.4)

#include "core/kkt/kkt.hpp"
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
  using State = StateOf<P>;
  static constexpr int nl_ = daewave::detail::twice(daewave::detail::rows<Multiplier>);
  static constexpr int ml_ = daewave::detail::twice(daewave::detail::most_rows<Multiplier>);
  using Both = Eigen::Matrix<double, nl_, 1, Eigen::ColMajor, ml_, 1>;

 public:
  explicit FullCorrection(double rank_tolerance) : rank_tolerance_(rank_tolerance) {}

  /// dz at the state whose `terms` are given. `velocity` is G v + g_t.
  void correct(const P& problem, const Position& q, const Position& v, double t,
               const TermsOf<P>& terms, const Multiplier& velocity, VecX& dz) {
    const int nl = static_cast<int>(terms.G.rows()), nq = static_cast<int>(terms.G.cols());
    H_.setZero(2 * nl, 2 * nq);
    H_.topLeftCorner(nl, nq) = terms.G;
    // No position belongs to a velocity constraint: its row stays zero, and the guard drops it.
    for (int i = nl - velocity_rows(problem, q, v, t); i < nl; ++i) H_.row(i).setZero();
    H_.bottomRightCorner(nl, nq) = terms.G;
    for (int j = 0; j < nq; ++j) {
      unit_.setZero(nq);
      unit_[j] = 1;
      motion_.along(problem, q, v, unit_, t, column_);
      H_.col(j).tail(nl) = column_;
    }
    h_.resize(2 * nl);
    h_.head(nl) = terms.position;
    h_.tail(nl) = velocity;
    kkt_.eliminate(H_, rank_tolerance_);
    kkt_.correct_orthogonal(h_, dz_);
    dz = dz_;
  }

 private:
  static int velocity_rows(const P& problem, const Position& q, const Position& v, double t) {
    if constexpr (HasVelocityConstraint<P>) {
      return static_cast<int>(problem.w(q, v, t).size());
    } else {
      return 0;
    }
  }

  static constexpr int nz_ = daewave::detail::rows<State>, mz_ = daewave::detail::most_rows<State>;
  Eigen::Matrix<double, nl_, nz_, Eigen::ColMajor, ml_, mz_> H_;
  double rank_tolerance_;
  Both h_;
  State dz_;
  NullSpaceKkt<State, Both> kkt_;
  MotionJacobian<P> motion_;
  Position unit_;
  Multiplier column_;
};

}  // namespace daewave::ivp
