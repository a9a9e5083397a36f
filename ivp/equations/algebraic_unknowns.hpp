#pragma once
// The unknowns of index 1 of a DAE with invariants, followed along a solution:
//
//   0 = r(z, w, t),  w near the last one
//
// by Newton's method with the last inverse of dr/dw, which learns from every iteration (Broyden):
//
//   d = - J r,   J <- J + (d - J y) d^T J / (d^T J y),   y = r(w + d) - r(w).
//
// Where that does not converge fast, dr/dw anew in every iteration. From far away either may find
// another root than the one that w is at: follows() tells, at the end of a step.
//
// Of a step that is not taken nothing stays: at its stages w may have been of any size, and what is
// rounding beside that is none beside the solution.

#include "core/eigen_memory.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <string>

#include "core/algebraic/root_follower.hpp"
#include "core/derivatives/invariant_derivatives.hpp"
#include "core/not_finite.hpp"
#include "core/problem/invariant_terms.hpp"
#include "ivp/equations/rounding_of_root.hpp"

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
    w_ = taken_ = w;
    largest_ = w.cwiseAbs();
    known_to_rounding_ = taken_known_ = Algebraic::Zero(w.size());
    known_ = knows_begin_ = false;
    rate_ = 1;
  }

  /// A step from t is tried: where it is not the one before, that has been taken, and w() is at its
  /// end. Otherwise the search begins there again.
  void tries_from(double t) {
    if (w_.size() == 0) return;
    if (t == begin_) {
      if (knows_begin_ && evaluations_ != evaluations_there_) go_back();
      return;
    }
    keep(t);
  }

  /// To rounding. False where it is not found: failure() tells why, w() is the last one found.
  bool solve(const State& z, double t) {
    if (w_.size() == 0) return true;
    failure_ = Failure::none;
    failed_at_ = t;
    if (!(known_ && follow(z, t))) {
      known_ = false;
      if (!begin_anew(z, t)) return false;
    }
    if (knows_begin_ && (always_leads_ || !was_foreseen_by_first_change())) lead_from_begin(z, t);
    w_ = trial_;
    last_z_ = z;
    last_t_ = t;
    if (!knows_begin_) keep(t);
    return true;
  }

  /// Whether w(), as it was found last, is what w at the begin of the step becomes on the straight
  /// way from there. False: failure() tells.
  bool follows() {
    if (w_.size() == 0) return true;
    return follows({taken_z_, taken_t_}, taken_, {last_z_, last_t_}, w_);
  }

  /// The same of roots at two states.
  struct Place {
    const State& z;
    double t;
  };
  bool follows(const Place& from, const Algebraic& root, const Place& to,
               const Algebraic& claimed) {
    if (w_.size() == 0) return true;
    Way way(*this, from, to);
    if (known_) memory_.inverse = inverse_;
    const auto follow_it = [&] {
      memory_.largest = largest_.cwiseMax(known_to_rounding_);
      return memory_.follower.follow(way, known_ ? &memory_.inverse : nullptr, root, claimed,
                                     memory_.largest);
    };
    auto outcome = follow_it();
    const auto is_other = [&] {
      return outcome == RootFollower::Outcome::lost ||
             (outcome == RootFollower::Outcome::reached && !memory_.follower.is_claimed());
    };
    // What looks like another root may be the rounding of one near zero.
    if (is_other() && linearize_at(to, claimed) && see_rounding(to.z, claimed, to.t)) {
      outcome = follow_it();
    }
    if (outcome == RootFollower::Outcome::open) return true;
    if (outcome == RootFollower::Outcome::reached && memory_.follower.is_claimed()) return true;
    failed_at_ = way.at(outcome == RootFollower::Outcome::lost ? memory_.follower.theta() : 1.0);
    return fails(outcome == RootFollower::Outcome::lost ? Failure::ends : Failure::other);
  }

  /// As solve(), where w is to be what it is at the state solved for last becomes.
  bool solve_near(const State& z, double t) {
    if (w_.size() == 0) return true;
    if (!knows_begin_) return solve(z, t);
    memory_.near = w_;
    memory_.near_z = last_z_;
    const double near_t = last_t_;
    if (!solve(z, t)) return false;
    if (follows({memory_.near_z, near_t}, memory_.near, {z, t}, w_)) return true;
    if (failure_ == Failure::ends) return false;
    w_ = memory_.follower.root();
    known_ = false;
    return solve(z, t);
  }

  /// The search goes on from the begin of the step, in which something is looked for: no error of a
  /// step tells of other roots there.
  void return_to_begin() {
    always_leads_ = true;
    if (!knows_begin_) return;
    w_ = taken_;
    last_z_ = taken_z_;
    last_t_ = taken_t_;
    known_ = false;
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
      case Failure::ends:
        return fmt::format(
            "0 = r(z, w, t): the w of the begin ends near t = {:.9g}, where dr/dw becomes singular",
            failed_at_);
      case Failure::other:
        return fmt::format(
            "0 = r(z, w, t) at t = {:.9g}: the w found is not what that of the begin becomes, the "
            "step is too long",
            failed_at_);
    }
    return {};
  }

 private:
  enum class Failure { none, not_finite, singular, slow, ends, other };
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

  /// Of which nothing is taken over by copies: they keep what they have asked for.
  struct FollowerMemory {
    FollowerMemory() = default;
    FollowerMemory(const FollowerMemory&) {}
    FollowerMemory& operator=(const FollowerMemory&) { return *this; }

    RootFollower follower;
    MatX inverse;
    Algebraic near, found, led;
    VecX largest;
    State near_z, on_way;
  };

  /// r on the straight way from one state to another.
  class Way final : public RootWay {
   public:
    Way(AlgebraicUnknowns& of, const Place& from, const Place& to)
        : of_(of), from_(from), to_(to), z_(of.memory_.on_way) {}

    double at(double theta) const { return from_.t + theta * (to_.t - from_.t); }

    bool residual(double theta, const VecX& w, VecX& r) override {
      go_to(theta, w);
      fill_r(*of_.problem_, z_, of_.next_, at(theta), of_.r_);
      r = of_.r_;
      return r.allFinite();
    }
    bool jacobian(double theta, const VecX& w, MatX& J) override {
      go_to(theta, w);
      algebraic_jacobian(*of_.problem_, z_, of_.next_, at(theta), of_.J_);
      J = of_.J_;
      return J.allFinite();
    }
    bool solve(double theta, VecX& w) override {
      AlgebraicUnknowns again = of_;
      again.w_ = w;
      go_to(theta, w);
      if (!again.begin_anew(z_, at(theta))) return false;
      w = again.trial_;
      return true;
    }

   private:
    void go_to(double theta, const VecX& w) {
      z_ = from_.z + theta * (to_.z - from_.z);
      of_.next_ = w;
    }

    AlgebraicUnknowns& of_;
    Place from_, to_;
    State& z_;
  };

  /// w_ is that of a state from which steps go on, at t.
  void keep(double t) {
    taken_ = w_;
    taken_z_ = last_z_;
    taken_t_ = last_t_;
    largest_ = largest_.cwiseMax(w_.cwiseAbs());
    taken_known_ = known_to_rounding_;
    begin_ = t;
    evaluations_there_ = evaluations_;
    knows_begin_ = true;
  }

  /// Not with the inverse, which has learned on the way: far from where it is that of dr/dw, it may
  /// make a small change of any r.
  void go_back() {
    w_ = taken_;
    known_to_rounding_ = taken_known_;
    known_ = false;
    evaluations_there_ = evaluations_;
  }

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

  /// dr/dw there, for see_rounding().
  bool linearize_at(const Place& at, const Algebraic& w) {
    algebraic_jacobian(*problem_, at.z, w, at.t, J_);
    if (!J_.allFinite()) return false;
    lu_.compute(J_);
    known_ = false;
    return true;
  }

  /// By the last dr/dw. True where an entry counts relative to more than before, as rounding does
  /// not let it be known relative to its size.
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
  bool follow(const State& z, double t) {
    trial_ = w_;
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

  /// With dr/dw in every iteration, steps being halved where neither |r| nor the step that it asks
  /// for falls: |r| alone is the rounding of its largest row where others are far from it.
  bool begin_anew(const State& z, double t) {
    trial_ = w_;
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

  /// The last change d_ of trial_.
  bool is_rounding_of_r(const State& z, double t) {
    if (is_rounding(d_)) return true;
    return see_rounding(z, trial_, t) && size_of(d_, trial_) <= rounding_;
  }

  bool keep_inverse() {
    J_.setIdentity();
    inverse_ = lu_.solve(J_);
    known_ = inverse_.allFinite();
    rate_ = 1;
    return true;
  }

  /// Else it may be far from where w was, and another root.
  bool was_foreseen_by_first_change() {
    constexpr double part = 0.5, nothing = 1e-6;
    d_ = trial_ - w_ - first_change_;
    return size_of(d_, w_) <= std::max(part * size_of(first_change_, w_), nothing);
  }

  /// trial_ becomes the root that w at the begin of the step becomes, where that is another one.
  void lead_from_begin(const State& z, double t) {
    memory_.found = trial_;
    const bool known = known_;
    known_ = false;  // An inverse of here is none of there.
    const bool is_same = follows({taken_z_, taken_t_}, taken_, {z, t}, memory_.found);
    known_ = known;
    trial_ = memory_.found;
    if (is_same || failure_ == Failure::ends) return take_as_found();
    memory_.led = w_;
    w_ = memory_.follower.root();
    known_ = false;
    if (!begin_anew(z, t)) trial_ = memory_.found;
    w_ = memory_.led;
    take_as_found();
  }
  void take_as_found() { failure_ = Failure::none; }

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
  Algebraic w_, trial_, r_, next_, d_, learned_, row_, first_change_;
  /// What entries count relative to at least, as rounding of r makes them inexact; the same where
  /// the last step was taken to.
  Algebraic known_to_rounding_, taken_known_;
  Algebraic taken_, largest_;  ///< w_ where the last step was taken to; the largest of all those.
  State taken_z_, last_z_;     ///< Of taken_, and of w_.
  double taken_t_ = 0, last_t_ = 0;
  AlgebraicJacobian<P> J_, inverse_;
  Eigen::PartialPivLU<AlgebraicJacobian<P>> lu_;
  bool known_ = false;  ///< inverse_ is that of a w nearby.
  bool knows_begin_ = false, always_leads_ = false;
  double begin_ = 0, rate_ = 1;
  long evaluations_ = 0, jacobians_ = 0, evaluations_there_ = 0;
  Failure failure_ = Failure::none;
  double failed_at_ = 0;
  State failed_z_;
  Algebraic failed_w_;
  FollowerMemory memory_;
};

}  // namespace daewave::ivp
