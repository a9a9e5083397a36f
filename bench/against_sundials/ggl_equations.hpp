#pragma once
// The stabilized equations of index 2 that IDA is given, y = (q, v, mu, lambda):
//
//   0 = q' - v + G^T mu,   0 = M v' - f + G^T lambda,   0 = g,   0 = G v + g_t
//
// mu is zero along the solution, so that derivatives of G^T mu are left out of the Jacobian.
// Gear, Leimkuhler, Gupta 1985

#include "bench/against_sundials/jacobian_entries.hpp"
#include "bench/against_sundials/motion_derivatives.hpp"
#include "core/problem/terms.hpp"

namespace daewave::bench {

template <Multibody P>
class GglEquations {
 public:
  GglEquations(const P& problem, int nq, int nl) : problem_(problem), nq_(nq), nl_(nl) {}

  int size() const { return 2 * (nq_ + nl_); }
  int differential() const { return 2 * nq_; }

  void residual(double t, const double* y, const double* slope, double* out) {
    load(t, y, slope);
    evaluate(problem_, at_.q, at_.v, t, terms_);
    apply_transposed(terms_.G, mu_, force_);
    position_part(out) = View(slope, nq_) - at_.v + force_;
    apply_transposed(terms_.G, at_.lambda, force_);
    velocity_part(out) = force_ - terms_.f;
    velocity_part(out) += terms_.M * at_.acceleration;
    multiplier_part(out, 0) = terms_.position;
    apply(terms_.G, at_.v, motion_);
    multiplier_part(out, 1) = motion_ + terms_.g_t;
  }

  /// add(row, column, value) for dF/dy + cj dF/dy'; some entries in several parts.
  template <class Add>
  void jacobian(double t, double cj, const double* y, const double* slope, Add add) {
    load(t, y, slope);
    evaluate(problem_, at_.q, at_.v, t, terms_);
    const int v = nq_, mu = 2 * nq_, lambda = mu + nl_;
    const int position = mu, motion = lambda;  // Rows.
    for (int i = 0; i < nq_; ++i) {
      add(i, i, cj);
      add(i, v + i, -1.0);
    }
    each_entry(terms_.M, [&](int i, int j, double value) { add(v + i, v + j, cj * value); });
    each_entry(terms_.G, [&](int i, int j, double value) {
      add(j, mu + i, value);
      add(v + j, lambda + i, value);
      add(position + i, j, value);
      add(motion + i, v + j, value);
    });
    derivatives_.visit(
        problem_, at_, [&](int i, int j, double value) { add(v + i, j, value); },
        [&](int i, int j, double value) { add(v + i, v + j, value); },
        [&](int i, int j, double value) { add(motion + i, j, value); });
  }

 private:
  using View = Eigen::Map<const VecX>;

  void load(double t, const double* y, const double* slope) {
    at_.q = View(y, nq_);
    at_.v = View(y + nq_, nq_);
    at_.acceleration = View(slope + nq_, nq_);
    mu_ = View(y + 2 * nq_, nl_);
    at_.lambda = View(y + 2 * nq_ + nl_, nl_);
    at_.t = t;
  }
  Eigen::Map<VecX> position_part(double* out) const { return {out, nq_}; }
  Eigen::Map<VecX> velocity_part(double* out) const { return {out + nq_, nq_}; }
  Eigen::Map<VecX> multiplier_part(double* out, int which) const {
    return {out + 2 * nq_ + which * nl_, nl_};
  }

  const P& problem_;
  int nq_, nl_;
  MotionPoint<P> at_;
  MultiplierOf<P> mu_, motion_;
  typename P::Position force_;
  MultibodyTerms<P> terms_;
  MotionDerivatives<P> derivatives_;
};

}  // namespace daewave::bench
