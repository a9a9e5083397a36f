#pragma once
// One step of a collocation formula, Gauss or Radau IIA, followed by what the system does to its
// end:
//
//   Z_j = h sum_l a_jl rhs(z + Z_l, t + c_l h),  z~ = z + sum_j d_j Z_j,  z = after_step(z~)
//
// for stiff problems, and for those that must not be damped (Gauss). An odd number of stages
// estimates its error with order k, by the formula of [HW2] IV.8; an even one has no real
// eigenvalue to do so and goes with a fixed step. Dense output is the collocation polynomial, an
// error O(h^{k+1}) in one step, joined to the stabilized end.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/not_finite.hpp"
#include "ivp/one_step/collocation_accuracy.hpp"
#include "ivp/one_step/difference_jacobian.hpp"
#include "ivp/one_step/stage_newton.hpp"
#include "ivp/run/step.hpp"
#include "ivp/run/tolerance.hpp"

namespace daewave::ivp {

/// A system that knows d rhs / dz; otherwise it is taken by differences.
template <class S>
concept HasJacobianOfRhs = requires(S& system, double t, const typename S::State& z,
                                    SquareOf<typename S::State>& J) {
  { system.jacobian(t, z, J) } -> std::same_as<bool>;
};

/// A `Step`. The system is kept by reference and evaluated by nobody else between attempt() and
/// accept(). Where Newton's method does not converge, attempt() returns NaN, or with error control
/// an error so large that the step is halved.
template <OdeSystem S>
class CollocationStep {
 public:
  using System = S;
  using State = typename S::State;
  using Carried = typename S::Multiplier;

  /// @param estimate  false for a fixed step: attempt() returns 0, and stages are solved to
  ///                  rounding instead of to a part of the tolerance.
  CollocationStep(S& system, const Collocation& scheme, const Tolerance& tolerance,
                  bool estimate = true)
      : system_(&system),
        tolerance_(tolerance),
        accuracy_(accuracy_of(scheme, tolerance, estimate)),
        stabilizes_(system.stabilizes()),
        newton_(stage_transform(scheme), accuracy_.goal) {}

  bool start(double t, const State& z) {
    t_ = t;
    z_ = before_ = trial_ = end_ = trial_slope_ = weight_ = error_ = shift_ = z;
    shift_.setZero();
    slope_ = z;
    reliable_ = false;
    newton_.start(static_cast<int>(z.size()));
    return evaluate(t, z, slope_) && all_finite("z'", slope_, t, failure_);
  }

  double attempt(double h) {
    trial_h_ = h;
    if (accuracy_.estimates) weigh(accuracy_, tolerance_, z_, weight_);
    const bool solved = newton_.solve(
        z_, h, weight_,
        [&](int j, const State& X, State& F) {
          return evaluate(t_ + newton_.scheme().c[j] * h, X, F);
        },
        [&](int j, const State& X, const State& F, SquareOf<State>& J) {
          return j < 0 ? differentiate_at_begin(h, J)
                       : differentiate(h, t_ + newton_.scheme().c[j] * h, X, F, J);
        });
    if (!solved) {
      reliable_ = false;
      if (!newton_.evaluated()) return not_a_number;
      failure_ = newton_.failure(t_);
      return newton_.finite() && accuracy_.estimates ? accuracy_.not_converged : not_a_number;
    }
    newton_.increment(trial_);
    trial_ += z_;
    return accuracy_.estimates ? error(h) : 0.0;
  }

  bool accept() {
    const double t = t_ + trial_h_;
    if (!evaluate(t, trial_, trial_slope_)) return false;
    end_ = trial_;
    if (stabilizes_ && !system_->after_step(t, end_, trial_slope_)) {
      failure_ = system_->failure();
      return false;
    }
    if (!all_finite("z'", trial_slope_, t, failure_)) return false;
    newton_.accept(trial_h_);
    if (stabilizes_) shift_ = end_ - trial_;
    before_.swap(z_);
    z_.swap(end_);
    slope_.swap(trial_slope_);
    t_ = t;
    reliable_ = true;
    return true;
  }

  double t() const { return t_; }
  const State& state() const { return z_; }
  /// z' at the state, as after_step() left it.
  const State& slope() const { return slope_; }

  void interpolate(double theta, State& out) const {
    newton_.interpolate(theta, out);
    out += before_;
    // What stabilization added comes in smoothly, with the slopes at both ends kept.
    if (stabilizes_) out += (theta * theta * (3 - 2 * theta)) * shift_;
  }
  /// 3 at least with a shift, which is a cubic.
  int dense_degree() const {
    return stabilizes_ ? std::max(3, newton_.scheme().stages) : newton_.scheme().stages;
  }

  bool multiplier(Carried& carried) { return multiplier_at(t_, z_, carried); }
  bool multiplier_at(double t, const State& z, Carried& carried) {
    if (system_->multiplier(t, z, carried)) return true;
    failure_ = system_->failure();
    return false;
  }
  Drift drift() { return system_->drift(t_, z_); }

  int error_order() const { return accuracy_.estimates ? newton_.scheme().stages : 0; }
  Control control() const { return collocation_control(); }
  std::string failure() const { return failure_; }
  long evaluations() const { return evaluations_; }
  const StageNewton<State>& newton() const { return newton_; }

  /// A step to begin with, |h| <= most; `sign` gives its direction: one over which z changes by
  /// little. The first error lets it grow.
  double first_step(double sign, double most) const {
    const double z = tolerance_.norm(z_, z_, z_), slope = tolerance_.norm(slope_, z_, z_);
    const double h = z <= 1e-5 || slope <= 1e-5 ? 1e-6 : 0.01 * (z / slope);
    return sign * std::min(h, most);
  }

 private:
  static constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

  bool evaluate(double t, const State& z, State& slope) {
    ++evaluations_;
    if (system_->rhs(t, z, slope)) return true;
    failure_ = system_->failure();
    return false;
  }

  bool differentiate_at_begin(double h, SquareOf<State>& J) {
    // What after_step() mended is no rhs(t, z): differences would divide what is missing by 1e-8.
    if (stabilizes_ && !HasJacobianOfRhs<S>) {
      return evaluate(t_, z_, trial_slope_) && differentiate(h, t_, z_, trial_slope_, J);
    }
    return differentiate(h, t_, z_, slope_, J);
  }

  bool differentiate(double h, double t, const State& z, const State& slope, SquareOf<State>& J) {
    if constexpr (HasJacobianOfRhs<S>) {
      if (system_->jacobian(t, z, J)) return true;
      failure_ = system_->failure();
      return false;
    } else {
      if (!accuracy_.estimates) weigh_by_digits(z_, weight_);
      error_ = z;
      return difference_jacobian(
          [&](const State& moved, State& F) { return evaluate(t, moved, F); }, error_, slope,
          weight_, h, trial_, J);
    }
  }

  double error(double h) {
    newton_.estimate(h, slope_, error_);
    double size = tolerance_.norm(error_, z_, trial_) / accuracy_.unit;
    if (size >= 1 && !reliable_) {
      // Once more at the corrected begin: fast components that the first steps or a failure have
      // excited no longer count.                                             [HW2] (8.20)
      error_ += z_;
      if (evaluate(t_, error_, trial_slope_)) {
        newton_.estimate(h, trial_slope_, error_);
        size = tolerance_.norm(error_, z_, trial_) / accuracy_.unit;
      }
    }
    if (size >= 1) reliable_ = false;
    return size;
  }

  S* system_;
  Tolerance tolerance_;
  CollocationAccuracy accuracy_;
  bool stabilizes_;
  StageNewton<State> newton_;
  double t_ = 0, trial_h_ = 0;
  State z_, slope_, before_, trial_, end_, trial_slope_, weight_, error_, shift_;
  bool reliable_ = false;  ///< The step before was accepted.
  long evaluations_ = 0;
  std::string failure_;
};

}  // namespace daewave::ivp
