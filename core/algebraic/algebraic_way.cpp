#include "core/algebraic/algebraic_way.hpp"

#include <Eigen/LU>
#include <utility>

namespace daewave {

AlgebraicWay::AlgebraicWay(const DaeProblem& problem, StateAt from, StateAt to)
    : evaluation_(problem.evaluation()),
      nw_(problem.sizes().nw),
      from_(std::move(from)),
      to_(std::move(to)) {}

const Terms& AlgebraicWay::evaluate(Ask what, double theta, const VecX& w) {
  z_ = from_.z + theta * (to_.z - from_.z);
  t_ = from_.t + theta * (to_.t - from_.t);
  return evaluation_->evaluate(what, {.t = &t_, .q = z_.data(), .w = w.data()});
}

bool AlgebraicWay::residual(double theta, const VecX& w, VecX& r) {
  const Terms& terms = evaluate(Ask::r, theta, w);
  r.resize(nw_);
  for (int i = 0; i < nw_; ++i) r[i] = terms.r[static_cast<std::ptrdiff_t>(i) * terms.stride];
  return r.allFinite();
}

bool AlgebraicWay::jacobian(double theta, const VecX& w, MatX& J) {
  const Terms& terms = evaluate(Ask::r_w, theta, w);
  J.resize(nw_, nw_);
  for (int k = 0; k < nw_ * nw_; ++k) {
    J.data()[k] = terms.r_w[static_cast<std::ptrdiff_t>(k) * terms.stride];
  }
  return J.allFinite();
}

bool AlgebraicWay::solve(double theta, VecX& w) {
  constexpr int most = 50;
  constexpr double rounding = 1e-13, shortest = 1e-4;
  VecX r, next_r, step, next;
  MatX J;
  if (!residual(theta, w, r)) return false;
  for (int iteration = 0; iteration < most; ++iteration) {
    if (r.isZero(0)) return true;
    if (!jacobian(theta, w, J)) return false;
    step = J.partialPivLu().solve(r);
    if (!step.allFinite()) return false;
    const bool is_last = step.cwiseAbs().maxCoeff() <= rounding * w.cwiseAbs().maxCoeff();
    double part = 1;
    bool falls = false;
    for (; !falls && part > shortest; part /= 2) {
      next = w - part * step;
      falls = residual(theta, next, next_r) && next_r.norm() < r.norm();
      if (falls) break;
    }
    // Of rounding nothing need fall.
    if (!falls) return is_last || step.norm() <= 1e-9 * w.norm();
    w.swap(next);
    r.swap(next_r);
    if (is_last) return true;
  }
  return false;
}

}  // namespace daewave
