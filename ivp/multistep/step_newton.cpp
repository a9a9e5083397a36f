#include "ivp/multistep/step_newton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/derivatives/moved_entries.hpp"
#include "core/not_finite.hpp"
#include "ivp/one_step/contraction.hpp"

namespace daewave::ivp {
namespace {

/// The rate is not measured where one iteration was enough: it is trusted a little less each time.
constexpr double mistrust = 1.01;
/// A rate may look better at once, but not by more.
constexpr double forgets = 0.1;
/// New derivatives when iterations beyond the first have cost that many times as much.
constexpr double patience = 2;

}  // namespace

StepNewton::StepNewton(DaeSystem& system, Onto onto, double rank_tolerance, bool weighted)
    : system_(system),
      nz_(system.nz()),
      nw_(system.nw()),
      lu_(nz_ + nw_),
      invariants_(system, onto, rank_tolerance),
      weighted_(weighted) {
  const int n = nz_ + nw_;
  J_.setZero(n, n);
  matrix_.setZero(n, n);
  slope_.setZero(nz_);
  moved_slope_.setZero(nz_);
  residual_.setZero(nw_);
  if (weighted_) weight_.setOnes(nz_);
  moved_residual_.setZero(nw_);
  further_column_.setZero(nz_ + nw_);
  step_.setZero(n);
  z0_.setZero(nz_);
  w0_.setZero(nw_);
}

bool StepNewton::solve(double t, double c, const VecX& base, VecX& z, VecX& w, const VecX& scale,
                       double goal) {
  z0_ = z;
  w0_ = w;
  fresh_ = false;
  if (wasted_ > patience * (nz_ + nw_)) differentiated_ = false;
  Outcome outcome = iterate(t, c, base, z, w, scale, goal);
  if (outcome == Outcome::slow && !fresh_) {
    differentiated_ = false;
    z = z0_;
    w = w0_;
    outcome = iterate(t, c, base, z, w, scale, goal);
  }
  return outcome == Outcome::converged;
}

StepNewton::Outcome StepNewton::iterate(double t, double c, const VecX& base, VecX& z, VecX& w,
                                        const VecX& scale, double goal) {
  Contraction seen;
  constexpr int most_iterations = 6;
  for (int i = 0; i < most_iterations; ++i) {
    if (!evaluate(t, z, w, slope_, residual_)) {
      // A predictor that left the domain comes from a step too long, but J may be to blame later.
      return i == 0 ? fails(Failure::evaluation, t)
                    : (fails(Failure::evaluation, t), Outcome::slow);
    }
    if (!differentiated_ && !differentiate(t, c, z, w, scale)) return Outcome::impossible;
    if ((!factorized_ || c != c_) && !factorize(t, c)) {
      return fresh_ ? Outcome::impossible : Outcome::slow;
    }
    if (i == 0 && invariants_.any()) {
      if (weighted_) weight_ = scale.head(nz_).cwiseInverse();
      if (!invariants_.linearize(t, z, weight_)) return fails(Failure::invariants, t);
      if (!invariants_.couple(lu_)) {
        return fails(Failure::dependent, t), fresh_ ? Outcome::impossible : Outcome::slow;
      }
    }
    ++iterations_;
    if (!correct(t, c, base, z, w)) return fails(Failure::invariants, t), Outcome::slow;
    const double size = size_of_step(scale);
    if (!std::isfinite(size)) return fails(Failure::not_finite, t), Outcome::slow;
    if (seen.see(size)) {
      rate_ = std::max(forgets * rate_, seen.rate());
      if (seen.rate() > 0.9 && size > goal) return fails(Failure::no_convergence, t), Outcome::slow;
      ++wasted_;
    }
    const double error = rate_ < 1 ? Contraction::left(rate_, size) : INFINITY;
    // Multipliers begin at 0 in each step, and take up what a z that was predicted with those of
    // steps before does not show, as of stiff forces between bodies: the rate of those steps says
    // nothing of it.
    const bool is_seen = i > 0 || !invariants_.any();
    if (is_seen && (error <= goal || size <= 0.01 * goal)) {
      if (i == 0) rate_ = std::min(mistrust * rate_, 1.0);
      return Outcome::converged;
    }
  }
  fails(Failure::no_convergence, t);
  return Outcome::slow;
}

bool StepNewton::evaluate(double t, const VecX& z, const VecX& w, VecX& slope, VecX& residual) {
  ++evaluations_;
  return system_.evaluate(t, z, w, slope, residual);
}

/// One iteration on, by step_.
bool StepNewton::correct(double t, double c, const VecX& base, VecX& z, VecX& w) {
  for (int i = 0; i < nz_; ++i) step_[i] = z[i] - c * slope_[i] - base[i];
  for (int i = 0; i < nw_; ++i) step_[nz_ + i] = residual_[i];
  if (invariants_.any()) invariants_.add(step_);
  lu_.solve(step_);
  if (invariants_.any() && !invariants_.correct(t, z, step_)) return false;
  for (int i = 0; i < nz_; ++i) z[i] -= step_[i];
  for (int i = 0; i < nw_; ++i) w[i] -= step_[nz_ + i];
  return true;
}

double StepNewton::size_of_step(const VecX& scale) const {
  double sum = 0;
  for (int i = 0; i < nz_; ++i) {
    const double scaled = step_[i] * scale[i];
    sum += scaled * scaled;
  }
  double sum_w = 0;
  for (int i = 0; i < nw_; ++i) {
    const double scaled = step_[nz_ + i] * scale[nz_ + i];
    sum_w += scaled * scaled;
  }
  return std::sqrt(larger(sum / std::max(nz_, 1), sum_w / std::max(nw_, 1)));
}

/// J at (z, w), where slope_ and residual_ are known; by forward differences, each unknown being
/// moved by half of its digits or, near zero, by what a step changes it or counts as little.
bool StepNewton::differentiate(double t, double c, VecX& z, VecX& w, const VecX& scale) {
  differentiated_ = factorized_ = false;
  if (!system_.jacobian(t, z, w, J_)) {
    const double half = std::sqrt(std::numeric_limits<double>::epsilon());
    double largest = 0;
    for (int i = 0; i < nw_; ++i) largest = std::max(largest, std::abs(w[i]));
    const auto unknown = [&](int j) -> double& { return j < nz_ ? z[j] : w[j - nz_]; };
    const auto step = [&](int j, double x) {
      double size = std::abs(x);
      if (j < nz_) size = std::max({size, std::abs(c * slope_[j]), 1 / scale[j]});
      if (j >= nz_) size = std::max(size, 1e-3 * largest);
      return half * (size > 0 ? size : 1.0);
    };
    const auto quotients = [&](double by, auto&& out) {
      if (!evaluate(t, z, w, moved_slope_, moved_residual_)) return false;
      out.head(nz_) = (moved_slope_ - slope_) / by;
      out.tail(nw_) = (moved_residual_ - residual_) / by;
      return true;
    };
    const auto column = [&](int j, double by) {
      if (!quotients(by, J_.col(j))) return false;
      if (j < nz_) return true;
      double& x = w[j - nz_];
      const double kept = x - by;
      const auto further = [&](double far, VecX& out) {
        x = kept + far;
        return quotients(x - kept, out);
      };
      lengthen_where_lost(by, further, J_.col(j), further_column_);
      return true;
    };
    if (!move_each(nz_ + nw_, unknown, step, column)) return fails(Failure::evaluation, t), false;
  }
  ++jacobians_;
  wasted_ = 0;
  rate_ = 1;
  differentiated_ = fresh_ = true;
  return true;
}

bool StepNewton::factorize(double t, double c) {
  if (factorized_ && rate_ < 1) rate_ = std::min(rate_ * std::max(1.0, std::abs(c / c_)), 1.0);
  matrix_.topRows(nz_) = -c * J_.topRows(nz_);
  for (int i = 0; i < nz_; ++i) matrix_(i, i) += 1;
  matrix_.bottomRows(nw_) = J_.bottomRows(nw_);
  factorized_ = lu_.factorize(matrix_) && !(nw_ > 0 && lu_.is_singular_to_rounding());
  c_ = c;
  return factorized_ || (fails(Failure::singular, t), false);
}

StepNewton::Outcome StepNewton::fails(Failure failure, double t) {
  failure_ = failure;
  failed_at_ = t;
  return Outcome::impossible;
}

std::string StepNewton::failure() const {
  switch (failure_) {
    case Failure::none:
      return "";
    case Failure::evaluation:
      return system_.failure();
    case Failure::invariants: {
      const std::string why = system_.failure();
      return !why.empty() ? why
                          : fmt::format("the invariants are not finite at t = {:.9g}", failed_at_);
    }
    case Failure::dependent:
      return fmt::format("t = {:.9g}: multipliers do not move the invariants, rank {} of H",
                         failed_at_, invariants_.rank());
    case Failure::singular:
      return fmt::format(
          "the matrix of Newton's method is singular or not finite at t = {:.9g}{}", failed_at_,
          nw_ > 0 ? "; dependent constraints need the form with multipliers eliminated" : "");
    case Failure::no_convergence:
      return fmt::format("Newton's method did not converge at t = {:.9g}", failed_at_);
    case Failure::not_finite:
      return fmt::format("Newton's method led to numbers that are not finite at t = {:.9g}",
                         failed_at_);
  }
  return "";
}

}  // namespace daewave::ivp
