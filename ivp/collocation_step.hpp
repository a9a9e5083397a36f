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

#include "ivp/difference_jacobian.hpp"
#include "ivp/stage_newton.hpp"
#include "ivp/step.hpp"
#include "ivp/tolerance.hpp"

namespace daewave::ivp {

/// A system that knows d rhs / dz; otherwise it is taken by differences.
template <class S>
concept HasJacobianOfRhs = requires(S& system, double t, const typename S::State& z,
                                    SquareOf<typename S::State>& J) {
  { system.jacobian(t, z, J) } -> std::same_as<bool>;
};

/// A `Step`. The system is kept by reference and evaluated by nobody else between attempt() and
/// accept(). A Newton iteration that fails makes attempt() return NaN: a smaller step may succeed.
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
        estimates_(estimate && scheme.stages % 2 == 1),
        stabilizes_(system.stabilizes()),
        unit_(estimates_ ? unit(scheme, tolerance.relative()) : 1),
        newton_(stage_transform(scheme), goal(estimates_, unit_ * tolerance.relative())) {}

  bool start(double t, const State& z) {
    t_ = t;
    h_ = 0;
    z_ = before_ = trial_ = trial_slope_ = weight_ = error_ = shift_ = z;
    shift_.setZero();
    slope_ = z;
    reliable_ = false;
    newton_.start(static_cast<int>(z.size()));
    return evaluate(t, z, slope_);
  }

  double attempt(double h) {
    trial_h_ = h;
    if (estimates_) {
      for (int i = 0; i < static_cast<int>(z_.size()); ++i) {
        weight_[i] = unit_ * tolerance_.weight(i, z_[i], z_[i]);
      }
    }
    const bool solved = newton_.solve(
        z_, h, weight_,
        [&](int j, const State& X, State& F) {
          return evaluate(t_ + newton_.scheme().c[j] * h, X, F);
        },
        [&](SquareOf<State>& J) { return differentiate(h, J); });
    if (!solved) {
      reliable_ = false;
      if (const std::string why = newton_.failure(); !why.empty()) failure_ = why;
      return not_a_number;
    }
    newton_.increment(trial_);
    trial_ += z_;
    return estimates_ ? error(h) : 0.0;
  }

  bool accept() {
    const double t = t_ + trial_h_;
    if (!evaluate(t, trial_, trial_slope_)) return false;
    newton_.accept(trial_h_);
    before_.swap(z_);
    z_ = trial_;
    if (stabilizes_) {
      if (!system_->after_step(t, z_, trial_slope_)) {
        failure_ = system_->failure();
        z_.swap(before_);
        return false;
      }
      shift_ = z_ - trial_;
    }
    slope_.swap(trial_slope_);
    t_ = t;
    h_ = trial_h_;
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
  int dense_degree() const { return newton_.scheme().stages; }

  bool multiplier(Carried& carried) { return multiplier_at(t_, z_, carried); }
  bool multiplier_at(double t, const State& z, Carried& carried) {
    if (system_->multiplier(t, z, carried)) return true;
    failure_ = system_->failure();
    return false;
  }
  Drift drift() { return system_->drift(t_, z_); }

  int error_order() const { return estimates_ ? newton_.scheme().stages : 0; }
  /// As in RADAU5.
  Control control() const { return {.safety = 0.9, .beta = 0, .shrink = 0.125, .grow = 8}; }
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

  /// The estimate is of order k, the step of order 2k - 1 or 2k. Measured by 0.1 rtol^q instead of
  /// rtol, q = (k + 1) / (order + 1), it keeps the error of the step itself in proportion to rtol,
  /// as in RADAU5.
  static double unit(const Collocation& scheme, double rtol) {
    const double q = (scheme.stages + 1.0) / (scheme.order + 1.0);
    return 0.1 * std::pow(rtol, q - 1);
  }

  static NewtonGoal goal(bool estimates, double rtol) {
    if (!estimates) return {};
    const double rounding = std::numeric_limits<double>::epsilon();
    return {.rounding = false,
            .error = std::max(10 * rounding / rtol, std::min(0.03, std::sqrt(rtol)))};
  }

  bool evaluate(double t, const State& z, State& slope) {
    ++evaluations_;
    if (system_->rhs(t, z, slope)) return true;
    failure_ = system_->failure();
    return false;
  }

  bool differentiate(double h, SquareOf<State>& J) {
    if constexpr (HasJacobianOfRhs<S>) {
      if (system_->jacobian(t_, z_, J)) return true;
      failure_ = system_->failure();
      return false;
    } else {
      if (!estimates_) {
        const double digits = std::sqrt(std::numeric_limits<double>::epsilon());
        const double least = 1e-3 * z_.cwiseAbs().maxCoeff();
        weight_ = digits * z_.cwiseAbs().cwiseMax(least);
      }
      error_ = z_;
      return difference_jacobian(
          [&](const State& z, State& slope) { return evaluate(t_, z, slope); }, error_, slope_,
          weight_, h, trial_, J);
    }
  }

  double error(double h) {
    newton_.estimate(h, slope_, error_);
    double size = tolerance_.norm(error_, z_, trial_) / unit_;
    if (size >= 1 && !reliable_) {
      // Once more at the corrected begin: fast components that the first steps or a failure have
      // excited no longer count.                                             [HW2] (8.20)
      error_ += z_;
      if (evaluate(t_, error_, trial_slope_)) {
        newton_.estimate(h, trial_slope_, error_);
        size = tolerance_.norm(error_, z_, trial_) / unit_;
      }
    }
    if (size >= 1) reliable_ = false;
    return size;
  }

  S* system_;
  Tolerance tolerance_;
  bool estimates_;
  bool stabilizes_;
  double unit_;  ///< Of weights, in those of the tolerance.
  StageNewton<State> newton_;
  double t_ = 0, h_ = 0, trial_h_ = 0;
  State z_, slope_, before_, trial_, trial_slope_, weight_, error_, shift_;
  bool reliable_ = false;  ///< The step before was accepted.
  long evaluations_ = 0;
  std::string failure_;
};

}  // namespace daewave::ivp
