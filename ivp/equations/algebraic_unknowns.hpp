#pragma once
// The unknowns of index 1 of a DAE with invariants, followed along a solution:
//
//   0 = r(z, w, t),  w near the last one
//
// by Newton's method (algebraic_root.hpp). From far away it may find another root than the one that
// w is at: follows() tells, at the end of a step.
//
// Of a step that is not taken nothing stays: at its stages w may have been of any size, and what is
// rounding beside that is none beside the solution.

#include "core/eigen_memory.hpp"

#include <fmt/format.h>

#include <string>

#include "core/algebraic/root_follower.hpp"
#include "ivp/equations/algebraic_root.hpp"

namespace daewave::ivp {

/// Holds the memory, and the last w: one for each thread.
template <InvariantDae P>
class AlgebraicUnknowns {
  using State = typename P::State;
  using Algebraic = typename P::Algebraic;

 public:
  /// @param problem  kept by reference.
  explicit AlgebraicUnknowns(const P& problem) : root_(problem) {
    if constexpr (HasAlgebraicStart<P>) start(problem.start_algebraic());
  }

  /// The search begins at w.
  void start(const Algebraic& w) {
    w_ = taken_ = w;
    root_.start(w);
    taken_known_ = root_.known_to_rounding();
    knows_begin_ = false;
  }

  /// A step from t is tried: where it is not the one before, that has been taken, and w() is at its
  /// end. Otherwise the search begins there again.
  void tries_from(double t) {
    if (w_.size() == 0) return;
    if (t == begin_) {
      if (knows_begin_ && evaluations() != evaluations_there_) go_back();
      return;
    }
    keep(t);
  }

  /// To rounding. False where it is not found: failure() tells why, w() is the last one found.
  bool solve(const State& z, double t) {
    if (w_.size() == 0) return true;
    failure_ = Failure::none;
    failed_at_ = t;
    if (!root_.find(z, w_, t)) return fails(Failure::not_found);
    if (knows_begin_ && (always_leads_ || !root_.was_foreseen_by_first_change(w_))) {
      lead_from_begin(z, t);
    }
    w_ = root_.root();
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
    if (root_.knows_inverse()) memory_.inverse = root_.inverse();
    const auto follow_it = [&] {
      root_.sizes(memory_.largest);
      return memory_.follower.follow(way, root_.knows_inverse() ? &memory_.inverse : nullptr, root,
                                     claimed, memory_.largest);
    };
    auto outcome = follow_it();
    const auto is_other = [&] {
      return outcome == RootFollower::Outcome::lost ||
             (outcome == RootFollower::Outcome::reached && !memory_.follower.is_claimed());
    };
    // What looks like another root may be the rounding of one near zero.
    if (is_other() && root_.see_rounding_at(to.z, claimed, to.t)) outcome = follow_it();
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
    root_.believe_inverse(false);
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
    root_.believe_inverse(false);
  }

  const Algebraic& w() const { return w_; }
  long evaluations() const { return root_.evaluations(); }  ///< Of r, without those for dr/dw.
  long jacobians() const { return root_.jacobians(); }

  std::string failure() const {
    switch (failure_) {
      case Failure::none:
        return {};
      case Failure::not_found:
        return root_.failure(failed_at_);
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
  enum class Failure { none, not_found, ends, other };
  /// Of which nothing is taken over by copies: they keep what they have asked for.
  struct FollowerMemory {
    FollowerMemory() = default;
    FollowerMemory(const FollowerMemory&) {}
    FollowerMemory& operator=(const FollowerMemory&) { return *this; }

    RootFollower follower;
    MatX inverse;
    Algebraic near, found;
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
      r = of_.root_.residual(state_at(theta), w, at(theta));
      return r.allFinite();
    }
    bool jacobian(double theta, const VecX& w, MatX& J) override {
      J = of_.root_.jacobian(state_at(theta), w, at(theta));
      return J.allFinite();
    }
    bool solve(double theta, VecX& w) override {
      AlgebraicRoot<P> again = of_.root_;
      if (!again.find_anew(state_at(theta), w, at(theta))) return false;
      w = again.root();
      return true;
    }

   private:
    const State& state_at(double theta) {
      z_ = from_.z + theta * (to_.z - from_.z);
      return z_;
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
    root_.take_size_of(w_);
    taken_known_ = root_.known_to_rounding();
    begin_ = t;
    evaluations_there_ = evaluations();
    knows_begin_ = true;
  }

  /// Not with the inverse, which has learned on the way: far from where it is that of dr/dw, it may
  /// make a small change of any r.
  void go_back() {
    w_ = taken_;
    root_.know_to_rounding(taken_known_);
    root_.believe_inverse(false);
    evaluations_there_ = evaluations();
  }

  /// root_ becomes that which w at the begin of the step becomes, where it is another one.
  void lead_from_begin(const State& z, double t) {
    memory_.found = root_.root();
    const bool known = root_.knows_inverse();
    root_.believe_inverse(false);  // An inverse of here is none of there.
    const bool is_same = follows({taken_z_, taken_t_}, taken_, {z, t}, memory_.found);
    root_.believe_inverse(known);
    const bool is_other = !is_same && failure_ != Failure::ends;
    failure_ = Failure::none;
    if (!(is_other && root_.find_anew(z, memory_.follower.root(), t))) root_.claim(memory_.found);
  }

  bool fails(Failure failure) {
    failure_ = failure;
    return false;
  }

  AlgebraicRoot<P> root_;
  Algebraic w_, taken_;     ///< The last one, and where the last step was taken to.
  Algebraic taken_known_;   ///< Sizes known to rounding there.
  State taken_z_, last_z_;  ///< Of taken_, and of w_.
  double taken_t_ = 0, last_t_ = 0;
  bool knows_begin_ = false, always_leads_ = false;
  double begin_ = 0;
  long evaluations_there_ = 0;
  Failure failure_ = Failure::none;
  double failed_at_ = 0;
  FollowerMemory memory_;
};

}  // namespace daewave::ivp
