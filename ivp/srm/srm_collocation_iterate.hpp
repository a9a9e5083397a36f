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

#include <cmath>
#include <string>
#include <vector>

#include "core/not_finite.hpp"
#include "ivp/one_step/collocation_accuracy.hpp"
#include "ivp/one_step/difference_jacobian.hpp"
#include "ivp/one_step/stage_newton.hpp"
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
    at.x = at.slope = x;
    X_ = slope_ = error_ = weight_ = from_ = begin_slope_ = moved_ = between_ = x;
    at.carried = carried_ = before;
    newton_.start(static_cast<int>(x.size()));
    reliable_ = false;
    if (!evaluate(ode, X_, t, before, slope_, at.carried)) return false;
    at.slope = slope_;
    return all_finite("x'", at.slope, t, failure_);
  }

  /// False where it failed; converged() tells whether it was Newton's method.
  ///
  /// @param left    y_{s-1}(t).   @param before  y_{s-1} at the points.
  /// @param after   receives y_s there; null where nobody asks, for the last iterate.
  bool advance(R& ode, const Tolerance& tolerance, double t, double h, const IterateState<R>& from,
               const Carried& left, const Carried* before, IterateState<R>& to, Carried* after) {
    const StageTransform& scheme = newton_.scheme();
    from_ = from.x;
    begin_slope_ = from.slope;
    if (accuracy_.estimates) weigh(accuracy_, tolerance, from_, weight_);
    diverged_ = false;
    const bool solved = newton_.solve(
        from_, h, weight_,
        [&](int j, const VecX& X, VecX& F) {
          return evaluate(ode, X, t + scheme.c[j] * h, before[j], F, carried_);
        },
        [&](int j, const VecX& X, const VecX& F, MatX& J) {
          return j < 0 ? differentiate(ode, h, t, from_, left, begin_slope_, J)
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
      X_ = from_ + newton_.Z(j);
      if (!evaluate(ode, X_, t + scheme.c[j] * h, before[j], slope_, after[j])) return false;
    }
    newton_.increment(X_);
    X_ += from_;
    to.x = X_;
    if (!evaluate(ode, X_, t + h, before[inside], slope_, to.carried)) return false;
    to.slope = slope_;
    if (!all_finite("x'", to.slope, t + h, failure_)) return false;
    if (after != nullptr) after[inside] = to.carried;
    return true;
  }

  /// Local error of the step last advanced, in units of the tolerance.
  double error(R& ode, const Tolerance& tolerance, double t, double h, const IterateState<R>& from,
               const Carried& left, const IterateState<R>& to) {
    slope_ = from.slope;
    newton_.estimate(h, slope_, error_);
    double size = norm(tolerance, from.x, to.x);
    if (size >= 1 && !reliable_) {
      // Once more at the corrected begin, as in [HW2] (8.20).
      X_ = from.x + error_;
      if (evaluate(ode, X_, t, left, slope_, carried_)) {
        newton_.estimate(h, slope_, error_);
        size = norm(tolerance, from.x, to.x);
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
  void interpolate(double theta, State& out) const {
    newton_.interpolate(theta, between_);
    out = between_;
  }

  /// Of a failure: Newton's method did not converge, and a smaller step may help.
  bool diverged() const { return diverged_; }
  const std::string& failure() const { return failure_; }
  long evaluations() const { return evaluations_; }
  const StageNewton& newton() const { return newton_; }

 private:
  bool evaluate(R& ode, const VecX& x, double t, const Carried& before, VecX& slope,
                Carried& carried) {
    ++evaluations_;
    x_ = x;
    if (ode.evaluate(x_, t, before, rate_, carried)) {
      slope = rate_;
      return true;
    }
    failure_ = ode.failure();
    return false;
  }

  double norm(const Tolerance& tolerance, const State& from, const State& to) const {
    const int n = static_cast<int>(from.size());
    return std::sqrt(tolerance.mean_square(error_.data(), from.data(), to.data(), n)) /
           accuracy_.unit;
  }

  bool differentiate(R& ode, double h, double t, const VecX& x, const Carried& before,
                     const VecX& slope, MatX& J) {
    if (!accuracy_.estimates) weigh_by_digits(x, weight_);
    X_ = x;
    return difference_jacobian(
        [&](const VecX& moved, VecX& F) { return evaluate(ode, moved, t, before, F, carried_); },
        X_, slope, weight_, h, moved_, J);
  }

  StageNewton newton_;
  CollocationAccuracy accuracy_;
  VecX X_, slope_, error_, weight_, from_, begin_slope_, moved_;
  mutable VecX between_;
  State x_, rate_;
  Carried carried_;
  bool reliable_ = false;  ///< The step before was accepted.
  bool diverged_ = false;
  long evaluations_ = 0;
  std::string failure_;
};

}  // namespace daewave::ivp
