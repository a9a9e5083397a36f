#pragma once
// A Gauss step between two projections by the same multipliers:
//
//   z~_0 = z_n + D(z_n) mu,  z~_1 = Gauss step of z~_0,  z_{n+1} = z~_1 + D(z_{n+1}) mu,
//   0 = h(z_{n+1}, t_{n+1})                                                        [HLW] V.4.1
//
// with D and h of normal_directions.hpp.
//
// Read from its end to its begin it is the same step: of mechanisms that may run backward in time
// the energy error stays bounded instead of growing, and errors of positions grow with t, not with
// its square. Projection after the step alone destroys that. h must stay fixed.
//
// mu is found along with the stages. As g'' = 0 along every solution of the underlying problem,
// what the begin of a step is off its constraints is there again at its end,
// g(t + h) = g(t) + h g'(t):
//
//   mu_v -= (G v + g_t) / 2,  mu_q -= (g - h (G v + g_t) / 2) / 2

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "core/not_finite.hpp"
#include "ivp/one_step/collocation_accuracy.hpp"
#include "ivp/one_step/difference_jacobian.hpp"
#include "ivp/one_step/normal_directions.hpp"
#include "ivp/one_step/stage_newton.hpp"
#include "ivp/one_step/stage_sweeps.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/step.hpp"

namespace daewave::ivp {

/// A `Step`; estimates no error. The system is kept by reference and evaluated by nobody else
/// between attempt() and accept().
///
/// @tparam S  ReducedSystem or ReducedSemiExplicit, that changes nothing after a step.
template <OdeSystem S>
class SymmetricStep {
 public:
  using Problem = typename S::Problem;
  using State = typename S::State;
  using Carried = typename S::Multiplier;

  /// @param problem         kept by reference, as the system is.
  /// @param rank_tolerance  of the rank guard, relative to the largest entry of G.
  SymmetricStep(S& system, const Problem& problem, const Collocation& scheme, double rank_tolerance,
                StageIteration iteration = StageIteration::fixed_point)
      : system_(&system), problem_(&problem), rank_tolerance_(rank_tolerance), sweeps_(scheme) {
    if (iteration == StageIteration::newton) {
      newton_ = std::make_unique<StageNewton<State>>(stage_transform(scheme), NewtonGoal{});
    }
  }

  bool start(double t, const State& z) {
    t_ = t;
    z_ = before_ = trial_ = per_size_ = slope_ = pushed_ = weight_ = at_ = z;
    lost_ = push_begin_ = push_end_ = moved_ = State::Zero(z.size());
    largest_ = State::Zero(z.size());
    if (!evaluate(t, z, slope_) || !all_finite("z'", slope_, t, failure_)) return false;
    sweeps_.start(slope_);
    if (newton_) newton_->start(static_cast<int>(z.size()));
    if (!begin_.evaluate(*problem_, t, z, rank_tolerance_)) return not_finite(t);
    mu_.setZero(begin_.constraints());
    off_.setZero(begin_.constraints());
    return true;
  }

  double attempt(double h) {
    trial_h_ = h;
    measure(z_);
    // The multipliers of a step differ little from those of the step before.
    begin_.along(mu_, push_begin_);
    push_end_ = push_begin_;
    return newton_ ? attempt_by_newton(h) : attempt_by_sweeps(h);
  }

  bool accept() {
    before_.swap(z_);
    z_ = trial_;
    lost_ = trial_lost_;
    std::swap(begin_, end_);
    if (newton_) {
      newton_->accept(trial_h_);
    } else {
      sweeps_.accept(trial_h_);
    }
    t_ += trial_h_;
    return true;
  }

  double t() const { return t_; }
  const State& state() const { return z_; }

  /// The collocation polynomial, what the projections add coming in smoothly at both ends.
  void interpolate(double theta, State& out) const {
    if (newton_) {
      newton_->interpolate(theta, out);
    } else {
      sweeps_.interpolate(theta, pushed_, out);
    }
    out += before_ + push_begin_;
    const double end = theta * theta * (3 - 2 * theta);
    out += end * push_end_ - (1 - end) * push_begin_;
  }
  int dense_degree() const { return std::max(3, sweeps_.scheme().stages); }

  bool multiplier(Carried& carried) { return multiplier_at(t_, z_, carried); }
  bool multiplier_at(double t, const State& z, Carried& carried) {
    if (system_->multiplier(t, z, carried)) return true;
    failure_ = system_->failure();
    return false;
  }
  Drift drift() { return system_->drift(t_, z_); }

  int error_order() const { return 0; }
  std::string failure() const { return failure_; }
  long evaluations() const { return evaluations_; }

 private:
  static constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
  static constexpr int most_sweeps = 60, most_corrections = 20;
  /// Sweeps look at the constraints when their changes are below this, and again each time they
  /// have become smaller by `nearer`: mu is nearly that of the step before.
  static constexpr double near = 1e-5, nearer = 1e-4;
  /// What a component that is small is compared with, as a part of the largest one.
  static constexpr double floor = 1e-3;
  static constexpr double rounding = 1e-16;
  /// Changes that shrink no more are rounding where they are below this.
  static constexpr double rounding_level = 1e-13;
  static constexpr double diverged = 1e6;

  /// Of an iteration to rounding, from the sizes of its changes.
  struct Convergence {
    double change = 0, rate = 1;
    int changes = 0;
    bool done = false;    ///< From then on, as two iterations need not come there at once.
    bool regular = true;  ///< Changes follow each other at one rate, which tells the next.

    /// Done with a tenth of a rounding error left: more would lead away from the constraints, and
    /// from the energy, in the same direction step after step.
    void see(double size) {
      rate = changes++ > 0 && change > 0 ? size / change : 1;
      change = size;
      const bool shrinks = regular && changes > 1 && rate < 1;
      if (change <= rounding || (changes > 1 && rate >= 0.5 && change <= rounding_level) ||
          (shrinks && rate / (1 - rate) * change <= 0.1 * rounding)) {
        done = true;
      } else if (change > rounding_level) {
        done = false;
      }
    }
  };

  double attempt_by_sweeps(double h) {
    const auto slope = [&](int j, const State& X, State& F) {
      return evaluate(t_ + sweeps_.scheme().c[j] * h, X, F);
    };
    sweeps_.predict(h);
    Convergence stages, ends{.regular = false};
    double look = near;
    for (int sweep = 1; sweep <= most_sweeps; ++sweep) {
      pushed_ = z_ + push_begin_;
      double change = 0;
      if (!sweeps_.sweep(pushed_, h, per_size_, slope, change)) return not_a_number;
      stages.see(change);
      if (change < look || stages.done) {
        look = nearer * change;
        sweeps_.increment(pushed_, h, trial_);
        if (!constrain(h, change)) return not_a_number;
        ends.see(change);
        if (stages.done && ends.done) return 0;
      }
      if (!(change < diverged)) break;
    }
    failure_ = fmt::format(
        "t = {:.10g}: sweeps over the stages do not converge with h = {:.3g}, the last change was "
        "{:.2g} of the one before; take a shorter step, or stage_iteration = newton for a stiff "
        "problem",
        t_, h, stages.rate);
    return not_a_number;
  }

  double attempt_by_newton(double h) {
    const auto slope = [&](int j, const State& X, State& F) {
      return evaluate(t_ + sweeps_.scheme().c[j] * h, X, F);
    };
    const auto differentiate = [&](int j, const State& X, const State& F, SquareOf<State>& J) {
      const double t = j < 0 ? t_ : t_ + sweeps_.scheme().c[j] * h;
      at_ = j < 0 ? pushed_ : X;
      if (j < 0 && !evaluate(t, at_, slope_)) return false;
      if (j >= 0) slope_ = F;
      weigh_by_digits(z_, weight_);
      return difference_jacobian(
          [&](const State& moved, State& at_moved) { return evaluate(t, moved, at_moved); }, at_,
          slope_, weight_, h, trial_, J);
    };
    Convergence ends;
    for (int correction = 1; correction <= most_corrections; ++correction) {
      pushed_ = z_ + push_begin_;
      if (correction > 1) newton_->keep_stages();
      if (!newton_->solve(pushed_, h, weight_, slope, differentiate)) {
        if (newton_->evaluated()) failure_ = newton_->failure(t_);
        return not_a_number;
      }
      newton_->increment(trial_);
      double change = 0;
      if (!constrain(h, change)) return not_a_number;
      ends.see(change);
      if (ends.done) return 0;
    }
    failure_ = fmt::format(
        "t = {:.10g}: the projection at both ends of the step does not converge with h = {:.3g}; "
        "take a shorter step",
        t_, h);
    return not_a_number;
  }

  bool evaluate(double t, const State& z, State& slope) {
    ++evaluations_;
    if (system_->rhs(t, z, slope)) return true;
    failure_ = system_->failure();
    return false;
  }

  /// per_size_: 1 / what changes of the components are compared with.
  void measure(const State& z) {
    largest_ = largest_.cwiseMax(z.cwiseAbs());
    const double least = std::max(floor * largest_.maxCoeff(), std::numeric_limits<double>::min());
    per_size_ = largest_.cwiseMax(least).cwiseInverse();
  }

  /// From z~_1 - z~_0 in trial_ to z_{n+1}; then the next mu.
  /// @param change  out: by how much of their size that moves the components of z_{n+1}.
  bool constrain(double h, double& change) {
    // What rounding cuts off is carried to the next step.
    trial_ += push_begin_ + push_end_ + lost_;
    trial_lost_ = trial_;
    trial_ += z_;
    trial_lost_ -= trial_ - z_;
    measure(trial_);
    const double t = t_ + h;
    if (!end_.evaluate(*problem_, t, trial_, rank_tolerance_)) return not_finite(t);
    end_.residual(off_);
    if constexpr (S::second_order) off_.position -= h / 2 * off_.velocity;
    mu_.add(-0.5, off_);
    begin_.along(mu_, push_begin_);
    moved_ = push_end_;
    end_.along(mu_, push_end_);
    moved_ -= push_end_;
    change = 0;
    for (int i = 0; i < moved_.size(); ++i) {
      const double part = std::abs(moved_[i]) * per_size_[i];
      change = part <= change ? change : part;  // So NaN stays.
    }
    return true;
  }

  bool not_finite(double t) {
    failure_ = fmt::format("t = {:.10g}: the constraints or G are not finite", t);
    return false;
  }

  S* system_;
  const Problem* problem_;
  double rank_tolerance_;
  StageSweeps<State, S::second_order> sweeps_;
  std::unique_ptr<StageNewton<State>> newton_;  ///< Instead of sweeps.
  NormalDirections<Problem> begin_, end_;
  typename NormalDirections<Problem>::Multipliers mu_, off_;
  double t_ = 0, trial_h_ = 0;
  State z_, before_, trial_, per_size_, largest_, slope_, pushed_, weight_, at_;
  State lost_, trial_lost_, push_begin_, push_end_, moved_;
  long evaluations_ = 0;
  std::string failure_;
};

}  // namespace daewave::ivp
