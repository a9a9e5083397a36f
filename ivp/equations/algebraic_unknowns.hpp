#pragma once
// The unknowns of index 1 of a DAE with invariants, followed along a solution:
//
//   0 = r(z, w, t),  w near the last one
//
// by Newton's method with the last inverse of dr/dw, which learns from every iteration (Broyden):
//
//   d = - J r,   J <- J + (d - J y) d^T J / (d^T J y),   y = r(w + d) - r(w).
//
// Where that does not converge fast, dr/dw anew in every iteration.

#include "core/eigen_memory.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <string>

#include "core/derivatives/invariant_derivatives.hpp"
#include "core/not_finite.hpp"
#include "core/problem/invariant_terms.hpp"

namespace daewave::ivp {

/// Holds the memory, and the last w: one for each thread.
template <InvariantDae P>
class AlgebraicUnknowns {
  using State = typename P::State;
  using Algebraic = typename P::Algebraic;

 public:
  /// @param problem  kept by reference.
  explicit AlgebraicUnknowns(const P& problem) : problem_(&problem) {
    if constexpr (HasAlgebraicStart<P>) start(problem.start_algebraic());
  }

  /// The search begins at w.
  void start(const Algebraic& w) {
    w_ = largest_ = w;
    largest_ = w.cwiseAbs();
    known_ = false;
    rate_ = 1;
  }

  /// To rounding. False where it is not found: failure() tells why, w() is the last one found.
  bool solve(const State& z, double t) {
    if (w_.size() == 0) return true;
    failure_ = Failure::none;
    failed_at_ = t;
    if (known_ && follow(z, t)) return take();
    known_ = false;
    return begin_anew(z, t) && take();
  }

  const Algebraic& w() const { return w_; }
  long evaluations() const { return evaluations_; }  ///< Of r, without those for dr/dw.
  long jacobians() const { return jacobians_; }

  std::string failure() const {
    switch (failure_) {
      case Failure::none:
        return {};
      case Failure::not_finite: {
        if constexpr (TellsFailure<P>) {
          const std::string why = problem_->failure(failed_z_, failed_w_, failed_at_);
          if (!why.empty()) return failed_at_text(why.c_str(), failed_at_);
        }
        std::string text;
        all_finite("r", r_, failed_at_, text);
        return text;
      }
      case Failure::singular:
        return fmt::format("dr/dw is singular or not finite at t = {:.9g}", failed_at_);
      case Failure::slow:
        return fmt::format(
            "0 = r(z, w, t) at t = {:.9g}: Newton's method does not converge from the last w",
            failed_at_);
    }
    return {};
  }

 private:
  enum class Failure { none, not_finite, singular, slow };
  static constexpr int most_iterations_ = 10, most_anew_ = 30, most_halvings_ = 12;
  /// A change this small, relative to the size of w, is the last one.
  static constexpr double small_ = 1e-14;
  /// And one this small where changes shrink no more: rounding.
  static constexpr double rounding_ = 1e-9;
  /// Entries count relative to their largest value, or to this part of the largest of all.
  static constexpr double floor_ = 1e-6;
  /// A rate is not believed to be better: it was that of one direction.
  static constexpr double least_rate_ = 1e-4;

  bool take() {
    w_ = trial_;
    largest_ = largest_.cwiseMax(w_.cwiseAbs());
    return true;
  }

  bool evaluate(const State& z, const Algebraic& w, double t, Algebraic& r) {
    ++evaluations_;
    fill_r(*problem_, z, w, t, r);
    return std::isfinite(r.sum()) || r.allFinite();
  }

  /// max |d_i| relative to the size of w_i.
  double size_of(const Algebraic& d) const {
    const double least = std::max(floor_ * largest_.maxCoeff(), 1e-300);
    double most = 0;
    for (int i = 0; i < d.size(); ++i) {
      most = larger(most, std::abs(d[i]) / std::max({std::abs(trial_[i]), largest_[i], least}));
    }
    return most;
  }

  /// With the inverse at hand.
  bool follow(const State& z, double t) {
    trial_ = w_;
    if (!evaluate(z, trial_, t, r_)) return false;
    double before = 0;
    for (int iteration = 0; iteration < most_iterations_; ++iteration) {
      d_.noalias() = -inverse_ * r_;  // With brackets it would be asked for memory.
      const double change = size_of(d_);
      if (!std::isfinite(change)) return false;
      if (iteration > 0) {
        if (change > 0.5 * before) return change <= rounding_;
        rate_ = std::max(change / before, least_rate_);
      }
      trial_ += d_;
      if (change <= small_ || rate_ * change <= 0.1 * small_) return true;
      before = change;
      if (!evaluate(z, trial_, t, next_)) return false;
      learn();
      r_ = next_;
    }
    return false;
  }

  /// Broyden's update after the step d_, from r_ to next_.
  void learn() {
    r_ = next_ - r_;
    learned_.noalias() = inverse_ * r_;
    const double along = d_.dot(learned_);
    if (!(std::abs(along) > 0.1 * d_.squaredNorm())) return;
    row_.noalias() = inverse_.transpose() * d_;
    learned_ = (d_ - learned_) / along;
    inverse_.noalias() += learned_ * row_.transpose();
  }

  /// With dr/dw in every iteration, steps being halved where |r| does not fall.
  bool begin_anew(const State& z, double t) {
    trial_ = w_;
    failed_z_ = z;
    failed_w_ = trial_;
    if (!evaluate(z, trial_, t, r_)) return fails(Failure::not_finite);
    for (int iteration = 0; iteration < most_anew_; ++iteration) {
      ++jacobians_;
      algebraic_jacobian(*problem_, z, trial_, t, J_);
      lu_.compute(J_);
      d_ = lu_.solve(r_);
      d_ *= -1;
      const double change = size_of(d_);
      if (!std::isfinite(change)) return fails(Failure::singular);
      if (change <= rounding_) {
        trial_ += d_;
        J_.setIdentity();
        inverse_ = lu_.solve(J_);
        known_ = inverse_.allFinite();
        rate_ = 1;
        return true;
      }
      if (!shorten(z, t, r_.cwiseAbs().maxCoeff())) return fails(Failure::slow);
    }
    return fails(Failure::slow);
  }

  /// trial_ moves by as much of d_ as lets |r| fall.
  bool shorten(const State& z, double t, double before) {
    learned_ = trial_;
    double part = 1;
    for (int halving = 0; halving <= most_halvings_; ++halving, part /= 2) {
      trial_ = learned_ + part * d_;
      if (!evaluate(z, trial_, t, next_) || !(next_.cwiseAbs().maxCoeff() < before)) continue;
      r_ = next_;
      return true;
    }
    return false;
  }

  bool fails(Failure failure) {
    failure_ = failure;
    return false;
  }

  const P* problem_;
  Algebraic w_, largest_, trial_, r_, next_, d_, learned_, row_;
  AlgebraicJacobian<P> J_, inverse_;
  Eigen::PartialPivLU<AlgebraicJacobian<P>> lu_;
  bool known_ = false;  ///< inverse_ is that of a w nearby.
  double rate_ = 1;
  long evaluations_ = 0, jacobians_ = 0;
  Failure failure_ = Failure::none;
  double failed_at_ = 0;
  State failed_z_;
  Algebraic failed_w_;
};

}  // namespace daewave::ivp
