#pragma once
// One step of one iterate of a sequential regularization, by collocation:
//
//   Z_j = h sum_l a_jl F(x + Z_l, t + c_l h; y_{s-1}(t + c_l h)),   x(t + h) = x + sum_j d_j Z_j
//
// y_{s-1} is stored at the stages, where iterate s - 1 formed it from its own stage values. At the
// end of the step it is that of the last stage (Radau), or formed by each iterate at its x(t + h)
// (Gauss). F contains 1/epsilon: with Radau h may be much larger than epsilon.   [AL1] 4.1, [AL2]
//
// Both orders of the loops, step by step and sweep by sweep, call advance(): same bits.

#include <string>
#include <vector>

#include "core/not_finite.hpp"
#include "ivp/one_step/collocation_accuracy.hpp"
#include "ivp/one_step/difference_jacobian.hpp"
#include "ivp/srm/srm_iterate.hpp"

namespace daewave::ivp {

/// Keeps what Newton's method knows of this iterate from step to step; the equation itself and
/// the memory of its evaluation belong to the caller.
template <RegularizedOde R>
class SrmCollocationIterate {
 public:
  using State = typename R::State;
  using Carried = typename R::Carried;

  SrmCollocationIterate(const StageTransform& scheme, const CollocationAccuracy& accuracy)
      : newton_(scheme, accuracy.goal), accuracy_(accuracy) {}

  /// Values of y_{s-1} that advance() wants, and of y_s that it gives: those at the stages, and at
  /// the end of the step where that is no stage. The last one is always that of the end.
  static int points(const StageTransform& scheme) {
    return scheme.stages + (scheme.ends_at_node ? 0 : 1);
  }

  /// Begins at (t, x) with y_{s-1}(t) = before.
  bool start(R& ode, double t, const State& x, const Carried& before, IterateState<R>& at) {
    at.x = at.slope = X_ = slope_ = error_ = weight_ = x;
    at.carried = carried_ = before;
    newton_.start(static_cast<int>(x.size()));
    reliable_ = false;
    return evaluate(ode, x, t, before, at.slope, at.carried) &&
           all_finite("x'", at.slope, t, failure_);
  }

  /// False where it failed; converged() tells whether it was Newton's method.
  ///
  /// @param left    y_{s-1}(t).   @param before  y_{s-1} at the points.
  /// @param after   receives y_s there; null where nobody asks, for the last iterate.
  bool advance(R& ode, const Tolerance& tolerance, double t, double h, const IterateState<R>& from,
               const Carried& left, const Carried* before, IterateState<R>& to, Carried* after) {
    const StageTransform& scheme = newton_.scheme();
    if (accuracy_.estimates) weigh(accuracy_, tolerance, from.x, weight_);
    diverged_ = false;
    const bool solved = newton_.solve(
        from.x, h, weight_,
        [&](int j, const State& X, State& F) {
          return evaluate(ode, X, t + scheme.c[j] * h, before[j], F, carried_);
        },
        [&](int j, const State& X, const State& F, SquareOf<State>& J) {
          return j < 0 ? differentiate(ode, h, t, from.x, left, from.slope, J)
                       : differentiate(ode, h, t + scheme.c[j] * h, X, before[j], F, J);
        });
    if (!solved) {
      reliable_ = false;
      if (!newton_.evaluated()) return false;
      diverged_ = newton_.finite();
      failure_ = newton_.failure(t);
      return false;
    }
    // The iteration left y_s at the stages before its last change, and 1/epsilon would enlarge
    // that.
    const int inside = scheme.stages - (scheme.ends_at_node ? 1 : 0);
    for (int j = 0; after != nullptr && j < inside; ++j) {
      X_ = from.x + newton_.Z(j);
      if (!evaluate(ode, X_, t + scheme.c[j] * h, before[j], slope_, after[j])) return false;
    }
    newton_.increment(to.x);
    to.x += from.x;
    if (!evaluate(ode, to.x, t + h, before[inside], to.slope, to.carried)) return false;
    if (!all_finite("x'", to.slope, t + h, failure_)) return false;
    if (after != nullptr) after[inside] = to.carried;
    return true;
  }

  /// Local error of the step last advanced, in units of the tolerance.
  double error(R& ode, const Tolerance& tolerance, double t, double h, const IterateState<R>& from,
               const Carried& left, const IterateState<R>& to) {
    newton_.estimate(h, from.slope, error_);
    double size = tolerance.norm(error_, from.x, to.x) / accuracy_.unit;
    if (size >= 1 && !reliable_) {
      // Once more at the corrected begin, as in [HW2] (8.20).
      X_ = from.x + error_;
      if (evaluate(ode, X_, t, left, slope_, carried_)) {
        newton_.estimate(h, slope_, error_);
        size = tolerance.norm(error_, from.x, to.x) / accuracy_.unit;
      }
    }
    if (size >= 1) reliable_ = false;
    return size;
  }

  /// The step last advanced is taken.
  void accept(double h) {
    newton_.accept(h);
    reliable_ = true;
  }

  /// Of the step taken last, with h fixed.
  VecX kept() const { return newton_.kept(); }
  void take_up(const VecX& kept) { newton_.take_up(kept); }

  /// x(t + theta h) - x(t) of the step taken last.
  void interpolate(double theta, State& out) const { newton_.interpolate(theta, out); }

  /// Of a failure: Newton's method did not converge, and a smaller step may help.
  bool diverged() const { return diverged_; }
  const std::string& failure() const { return failure_; }
  long evaluations() const { return evaluations_; }
  const StageNewton<State>& newton() const { return newton_; }

 private:
  bool evaluate(R& ode, const State& x, double t, const Carried& before, State& slope,
                Carried& carried) {
    ++evaluations_;
    if (ode.evaluate(x, t, before, slope, carried)) return true;
    failure_ = ode.failure();
    return false;
  }

  bool differentiate(R& ode, double h, double t, const State& x, const Carried& before,
                     const State& slope, SquareOf<State>& J) {
    if (!accuracy_.estimates) weigh_by_digits(x, weight_);
    X_ = x;
    return difference_jacobian(
        [&](const State& moved, State& F) { return evaluate(ode, moved, t, before, F, carried_); },
        X_, slope, weight_, h, slope_, J);
  }

  StageNewton<State> newton_;
  CollocationAccuracy accuracy_;
  State X_, slope_, error_, weight_;
  Carried carried_;
  bool reliable_ = false;  ///< The step before was accepted.
  bool diverged_ = false;
  long evaluations_ = 0;
  std::string failure_;
};

}  // namespace daewave::ivp
