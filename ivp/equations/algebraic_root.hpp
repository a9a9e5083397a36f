#pragma once
// A root of the equations of index 1 near another one:
//
//   0 = r(z, w, t),  w near the last one
//
// by Newton's method with the last inverse of dr/dw, which learns from every iteration (Broyden):
//
//   d = - J r,   J <- J + (d - J y) d^T J / (d^T J y),   y = r(w + d) - r(w).
//
// Where that does not converge fast, dr/dw anew in every iteration. From far away either may find
// another root than the one that w is at.

#include "core/eigen_memory.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <string>

#include "core/derivatives/invariant_derivatives.hpp"
#include "core/not_finite.hpp"
#include "core/problem/invariant_terms.hpp"
#include "ivp/equations/rounding_of_root.hpp"

namespace daewave::ivp {

/// Holds the memory: one for each thread.
template <InvariantDae P>
class AlgebraicRoot {
  using State = typename P::State;
  using Algebraic = typename P::Algebraic;
  using Jacobian = AlgebraicJacobian<P>;

 public:
  /// @param problem  kept by reference.
  explicit AlgebraicRoot(const P& problem) : problem_(&problem) {}

  /// Nothing is known but the size of w.
  void start(const Algebraic& w) {
    largest_ = w.cwiseAbs();
    known_to_rounding_ = Algebraic::Zero(w.size());
    knows_inverse_ = false;
    rate_ = 1;
  }

  /// root() near `from`, to rounding. False where it is not found: failure() tells why.
  bool find(const State& z, const Algebraic& from, double t) {
    failure_ = Failure::none;
    if (knows_inverse_ && follow(z, from, t)) return true;
    return find_anew(z, from, t);
  }

  /// With dr/dw in every iteration, steps being halved where neither |r| nor the step that it asks
  /// for falls: |r| alone is the rounding of its largest row where others are far from it.
  bool find_anew(const State& z, const Algebraic& from, double t) {
    failure_ = Failure::none;
    knows_inverse_ = false;
    trial_ = from;
    failed_z_ = z;
    failed_w_ = trial_;
    if (!evaluate(z, trial_, t, r_)) return fails(Failure::not_finite);
    for (int iteration = 0; iteration < most_anew_; ++iteration) {
      ++jacobians_;
      algebraic_jacobian(*problem_, z, trial_, t, J_);
      // Divided by an infinite slope, as that of a root at 0, any r asks for no change.
      if (!J_.allFinite()) return fails(Failure::singular);
      lu_.compute(J_);
      d_ = lu_.solve(r_);
      d_ *= -1;
      const double change = size_of(d_, trial_);
      if (!std::isfinite(change)) return fails(Failure::singular);
      if (iteration == 0) first_change_ = d_;
      if (change <= rounding_) {
        trial_ += d_;
        return keep_inverse();
      }
      if (shorten(z, t, r_.cwiseAbs().maxCoeff())) continue;
      trial_ = learned_;
      return is_rounding_of_r(z, t) ? keep_inverse() : fails(Failure::slow);
    }
    return is_rounding_of_r(z, t) ? keep_inverse() : fails(Failure::slow);
  }

  /// What was found last.
  const Algebraic& root() const { return trial_; }
  void claim(const Algebraic& w) { trial_ = w; }
  /// Whether it is about where the first change led to. Else it may be far from where it was looked
  /// for, and another root.
  bool was_foreseen_by_first_change(const Algebraic& from) {
    constexpr double part = 0.5, nothing = 1e-6;
    d_ = trial_ - from - first_change_;
    return size_of(d_, from) <= std::max(part * size_of(first_change_, from), nothing);
  }

  /// Of a root nearby, where it is known; that is up to who goes elsewhere.
  const Jacobian& inverse() const { return inverse_; }
  bool knows_inverse() const { return knows_inverse_; }
  void believe_inverse(bool known) { knows_inverse_ = known; }

  /// Entries count relative to the largest w that was taken.
  void take_size_of(const Algebraic& w) { largest_ = largest_.cwiseMax(w.cwiseAbs()); }
  /// What entries count relative to at least, as rounding of r makes them inexact.
  const Algebraic& known_to_rounding() const { return known_to_rounding_; }
  void know_to_rounding(const Algebraic& sizes) { known_to_rounding_ = sizes; }
  void sizes(VecX& into) const { into = largest_.cwiseMax(known_to_rounding_); }

  /// By dr/dw there. True where an entry counts relative to more than before, as rounding does not
  /// let it be known relative to its size.
  bool see_rounding_at(const State& z, const Algebraic& w, double t) {
    algebraic_jacobian(*problem_, z, w, t, J_);
    if (!J_.allFinite()) return false;
    lu_.compute(J_);
    knows_inverse_ = false;
    return see_rounding(z, w, t);
  }

  /// r and dr/dw there, for who follows roots on ways of its own.
  const Algebraic& residual(const State& z, const VecX& w, double t) {
    next_ = w;
    fill_r(*problem_, z, next_, t, r_);
    return r_;
  }
  const Jacobian& jacobian(const State& z, const VecX& w, double t) {
    next_ = w;
    algebraic_jacobian(*problem_, z, next_, t, J_);
    return J_;
  }

  long evaluations() const { return evaluations_; }  ///< Of r, without those for dr/dw.
  long jacobians() const { return jacobians_; }

  /// Of the last find(), at t.
  std::string failure(double t) const {
    switch (failure_) {
      case Failure::none:
        return {};
      case Failure::not_finite: {
        if constexpr (TellsFailure<P>) {
          const std::string why = problem_->failure(failed_z_, failed_w_, t);
          if (!why.empty()) return failed_at_text(why.c_str(), t);
        }
        std::string text;
        all_finite("r", r_, t, text);
        return text;
      }
      case Failure::singular:
        return fmt::format("dr/dw is singular or not finite at t = {:.9g}", t);
      case Failure::slow:
        return fmt::format(
            "0 = r(z, w, t) at t = {:.9g}: Newton's method does not converge from the last w", t);
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
  /// The same relative to the largest of all entries.
  static constexpr double rounding_of_all_ = 1e-12;
  /// Entries count relative to their largest value, or to this part of the largest of all.
  static constexpr double floor_ = 1e-6;
  /// Where rounding of r makes an entry inexact by so much of this, it counts relative to this.
  static constexpr double rounding_in_units_ = 1e-10;
  /// Beside nothing at all, they count relative to this: the quotient of any change is finite.
  static constexpr double nothing_ = 1e-100;
  /// A rate is not believed to be better: it was that of one direction.
  static constexpr double least_rate_ = 1e-4;

  bool evaluate(const State& z, const Algebraic& w, double t, Algebraic& r) {
    ++evaluations_;
    fill_r(*problem_, z, w, t, r);
    return std::isfinite(r.sum()) || r.allFinite();
  }

  /// The largest of all of w, here or where steps began: at the start nothing is known of it but
  /// what was found on the way.
  double largest_of_all(const Algebraic& w) const {
    return std::max(largest_.maxCoeff(), w.cwiseAbs().maxCoeff());
  }

  /// max |d_i| relative to the size of w_i.
  double size_of(const Algebraic& d, const Algebraic& w) const {
    const double least = std::max(floor_ * largest_of_all(w), nothing_);
    double most = 0;
    for (int i = 0; i < d.size(); ++i) {
      most = larger(most, std::abs(d[i]) / std::max({std::abs(w[i]), largest_[i], least,
                                                     known_to_rounding_[i]}));
    }
    return most;
  }

  /// Where neither r nor the changes fall: entries that vanish, beside others, are as small as
  /// these let them be known.
  bool is_rounding(const Algebraic& d) const {
    return d.cwiseAbs().maxCoeff() <= rounding_of_all_ * largest_of_all(trial_);
  }

  /// By the last dr/dw.
  bool see_rounding(const State& z, const Algebraic& w, double t) {
    J_.setIdentity();
    J_ = lu_.solve(J_).eval();
    evaluations_ += 3;
    const Algebraic unit = rounding_of_root(*problem_, z, w, t, J_) / rounding_in_units_;
    bool more = false;
    for (Eigen::Index i = 0; unit.allFinite() && i < w.size(); ++i) {
      if (!(unit[i] > std::max({std::abs(w[i]), largest_[i], known_to_rounding_[i]}))) continue;
      known_to_rounding_[i] = unit[i];
      more = true;
    }
    return more;
  }

  /// With the inverse at hand.
  bool follow(const State& z, const Algebraic& from, double t) {
    trial_ = from;
    if (!evaluate(z, trial_, t, r_)) return false;
    double before = 0;
    for (int iteration = 0; iteration < most_iterations_; ++iteration) {
      d_.noalias() = -inverse_ * r_;  // With brackets it would be asked for memory.
      const double change = size_of(d_, trial_);
      if (!std::isfinite(change)) return false;
      if (iteration == 0) first_change_ = d_;
      if (iteration > 0) {
        if (change > 0.5 * before) return change <= rounding_ || is_rounding(d_);
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

  /// The last change d_ of trial_.
  bool is_rounding_of_r(const State& z, double t) {
    if (is_rounding(d_)) return true;
    return see_rounding(z, trial_, t) && size_of(d_, trial_) <= rounding_;
  }

  bool keep_inverse() {
    J_.setIdentity();
    inverse_ = lu_.solve(J_);
    knows_inverse_ = inverse_.allFinite();
    rate_ = 1;
    return true;
  }

  /// trial_ moves by as much of d_ as lets it fall.
  bool shorten(const State& z, double t, double before) {
    learned_ = trial_;
    const double step = size_of(d_, learned_);
    double part = 1;
    for (int halving = 0; halving <= most_halvings_; ++halving, part /= 2) {
      trial_ = learned_ + part * d_;
      if (!evaluate(z, trial_, t, next_)) continue;
      if (!(next_.cwiseAbs().maxCoeff() < before)) {
        row_ = lu_.solve(next_);
        // In the same units: by those of where it leads to, every step far away would be a short
        // one.
        if (!(size_of(row_, learned_) < (1 - 0.5 * part) * step)) continue;
      }
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
  Algebraic trial_, r_, next_, d_, learned_, row_, first_change_;
  Algebraic known_to_rounding_, largest_;
  Jacobian J_, inverse_;
  Eigen::PartialPivLU<Jacobian> lu_;
  bool knows_inverse_ = false;  ///< inverse_ is that of a w nearby.
  double rate_ = 1;
  long evaluations_ = 0, jacobians_ = 0;
  Failure failure_ = Failure::none;
  State failed_z_;
  Algebraic failed_w_;
};

}  // namespace daewave::ivp
