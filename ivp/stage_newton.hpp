#pragma once
// Simplified Newton for the stages of an implicit step,
//
//   Z_j = h sum_l a_jl F(x + Z_l, t + c_l h):   (I - h A (x) J) dZ = -Z + h (A (x) I) F(Z)
//
// J is kept as long as the iteration converges fast, its factors as long as h stays, and a step
// starts from the polynomial of the one before.                              [HW2] IV.8

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "ivp/stage_solver.hpp"
#include "ivp/stage_transform.hpp"

namespace daewave::ivp {

/// When the stages are good enough.
struct NewtonGoal {
  /// To rounding of the largest values seen so far: for a fixed step, whose error nothing else
  /// knows. Otherwise the root mean square of dZ / `weight` counts.
  bool rounding = true;
  double error = 1e-15;  ///< Estimated error of Z that is accepted, in these units.
};

template <class State>
class StageNewton {
 public:
  using Jacobian = typename StageSolver<State>::Jacobian;
  using Slopes = StageRow<State>;

  StageNewton(const StageTransform& scheme, const NewtonGoal& goal)
      : scheme_(scheme),
        goal_(goal),
        most_iterations_(goal.rounding ? 30 : std::max(7, 2 * scheme.stages + 1)) {}

  const StageTransform& scheme() const { return scheme_; }

  /// Begins anew with a state of n.
  void start(int n) {
    if constexpr (State::RowsAtCompileTime == Dynamic) {
      for (int j = 0; j < scheme_.stages; ++j) {
        for (auto* row : {&Z_, &F_, &right_, &last_}) (*row)[j].setZero(n);
      }
      at_.setZero(n);
      J_.setZero(n, n);
      last_end_.setZero(n);
    }
    largest_.setZero(n);
    solver_.resize(scheme_, n);
    has_jacobian_ = fresh_ = has_last_ = false;
    factorized_h_ = 0;
    contraction_ = 1;
  }

  /// Solves for the stages of a step of h from x. On failure failure() tells why, and what was
  /// accepted last stands.
  ///
  /// @param weight         of the components, where the goal is not rounding.
  /// @param slope          slope(j, X, F) -> bool: F = F(X, t + c_j h).
  /// @param differentiate  differentiate(J) -> bool: J = dF/dx near the begin of the step.
  template <class Slope, class Differentiate>
  bool solve(const State& x, double h, const State& weight, Slope slope,
             Differentiate differentiate) {
    for (;;) {
      if (!has_jacobian_) {
        ++jacobians_;
        if (!differentiate(J_)) return fail(Failure::evaluation, h);
        has_jacobian_ = fresh_ = true;
        factorized_h_ = 0;
      }
      if (!(std::abs(h - factorized_h_) <= 1e-9 * std::abs(h))) {  // Nodes i h round.
        solver_.factorize(scheme_, h, J_);
        factorized_h_ = h;
        ++factorizations_;
      }
      predict(h);
      const Failure how = iterate(x, h, weight, slope);
      if (how == Failure::none) return true;
      if (fresh_ || how == Failure::evaluation) return fail(how, h);
      has_jacobian_ = false;
    }
  }

  /// Z of the stage j solved last.
  const State& Z(int j) const { return Z_[j]; }

  /// x_new - x of the stages solved last.
  void increment(State& out) const { combine(scheme_.d, Z_, out); }

  /// (I - h mu_0 J)^-1 (h mu_0 f + sum e_j Z_j): the error of [HW2] (8.19); f is F at the begin.
  void estimate(double h, const State& f, State& out) {
    combine(scheme_.e, Z_, out);
    out += (h * scheme_.mu_real) * f;
    solver_.filter(out);
  }

  /// The step solved last is taken: the next one starts from it.
  void accept(double h) {
    increment(last_end_);
    std::swap(Z_, last_);
    last_h_ = h;
    has_last_ = true;
    fresh_ = false;
    if (rate_ > slow_) has_jacobian_ = false;
  }

  /// x(t + theta h) - x(t) of the step taken last.
  void interpolate(double theta, State& out) const {
    const auto weight = scheme_.weights_at(theta);
    out = weight[1] * last_[0];
    for (int j = 1; j < scheme_.stages; ++j) out += weight[j + 1] * last_[j];
  }

  long jacobians() const { return jacobians_; }
  long factorizations() const { return factorizations_; }
  long iterations() const { return iterations_; }

  /// Of a failure: whether the problem could be evaluated (else it knows why), and all was finite.
  bool evaluated() const { return failure_ != Failure::evaluation; }
  bool finite() const { return failure_ == Failure::slow || failure_ == Failure::diverged; }

  /// Of a step from t.
  std::string failure(double t) const {
    switch (failure_) {
      case Failure::slow:
        return fmt::format(
            "t = {:.10g}: Newton's method does not converge within {} iterations with h = {:.3g}; "
            "the last change was {:.2g} of the one before",
            t, most_iterations_, failed_h_, rate_);
      case Failure::diverged:
        return fmt::format(
            "t = {:.10g}: Newton's method diverges with h = {:.3g}; the last change was {:.2g} of "
            "the one before",
            t, failed_h_, rate_);
      case Failure::not_finite:
        return fmt::format(
            "t = {:.10g}: Newton's method gave a value that is not finite with h = {:.3g}: "
            "I - h a J is singular, or the problem overflows",
            t, failed_h_);
      default:
        return {};
    }
  }

 private:
  enum class Failure { none, evaluation, slow, diverged, not_finite };

  /// Above this rate J is evaluated again for the next step.
  static constexpr double slow_ = 1e-3;
  /// Changes that shrink no more are rounding where they are below this.
  static constexpr double rounding_level_ = 1e-10;
  /// Components are resolved relative to their largest value, or to this part of the largest one.
  static constexpr double floor_ = 1e-3;

  bool fail(Failure how, double h) {
    failure_ = how;
    failed_h_ = h;
    return false;
  }

  void combine(const StageRow<double>& weight, const StageRow<State>& row, State& out) const {
    out = weight[0] * row[0];
    for (int j = 1; j < scheme_.stages; ++j) out += weight[j] * row[j];
  }

  /// Z from the polynomial of the last step; from zero where it would reach too far.
  void predict(double h) {
    const double ratio = h / last_h_;
    const bool near = has_last_ && ratio > 0 && ratio <= (scheme_.stages <= 3 ? 8.0 : 2.0);
    for (int j = 0; j < scheme_.stages; ++j) {
      if (near) {
        interpolate(1 + scheme_.c[j] * ratio, Z_[j]);
        Z_[j] -= last_end_;
      } else {
        Z_[j].setZero(largest_.size());
      }
    }
  }

  template <class Slope>
  Failure iterate(const State& x, double h, const State& weight, Slope slope) {
    const int k = scheme_.stages;
    contraction_ = std::pow(std::max(contraction_, 1e-16), 0.8);
    rate_ = 0;
    double before = 0, rate_before = 0;
    for (int iteration = 1; iteration <= most_iterations_; ++iteration) {
      ++iterations_;
      for (int j = 0; j < k; ++j) {
        at_ = x + Z_[j];
        if (goal_.rounding) largest_ = largest_.cwiseMax(at_.cwiseAbs());
        if (!slope(j, at_, F_[j])) return Failure::evaluation;
      }
      for (int j = 0; j < k; ++j) {
        right_[j] = -Z_[j];
        for (int l = 0; l < k; ++l) right_[j] += (h * scheme_.a[j][l]) * F_[l];
      }
      solver_.solve(scheme_, right_);
      const double change = size_of_change(weight);
      if (!std::isfinite(change)) return Failure::not_finite;
      if (iteration > 1 && before > 0) {
        const double quotient = change / before;
        rate_ = iteration == 2 ? quotient : std::sqrt(quotient * rate_before);
        rate_before = quotient;
        if (rate_ >= 0.99) {
          if (goal_.rounding && change <= rounding_level_) return Failure::none;
          return Failure::diverged;
        }
        contraction_ = rate_ / (1 - rate_);
        if (!goal_.rounding) {
          const double at_the_end =
              contraction_ * change * std::pow(rate_, most_iterations_ - 1 - iteration);
          if (at_the_end >= goal_.error) return Failure::slow;
        }
      }
      before = change;
      for (int j = 0; j < k; ++j) Z_[j] += right_[j];
      const bool known = iteration > 1 || !goal_.rounding;
      if (change <= goal_.error || (known && contraction_ * change <= goal_.error)) {
        return Failure::none;
      }
    }
    return goal_.rounding && before <= rounding_level_ ? Failure::none : Failure::slow;
  }

  /// Of right_: root mean square of dZ / weight, or the largest |dZ| relative to what was seen.
  double size_of_change(const State& weight) const {
    const int k = scheme_.stages, n = static_cast<int>(largest_.size());
    double sum = 0, most = 0;
    const double least = goal_.rounding && n > 0 ? floor_ * largest_.maxCoeff() : 0;
    for (int j = 0; j < k; ++j) {
      if (goal_.rounding) {
        for (int i = 0; i < n; ++i) {
          const double dZ = std::abs(right_[j][i]);
          if (!std::isfinite(dZ)) return dZ;
          if (dZ > 0) {
            most = std::max(most, dZ / std::max({least, largest_[i], smallest_normal_}));
          }
        }
      } else {
        sum += right_[j].cwiseQuotient(weight).squaredNorm();
      }
    }
    return goal_.rounding ? most : std::sqrt(sum / std::max(1, n * k));
  }

  static constexpr double smallest_normal_ = std::numeric_limits<double>::min();

  StageTransform scheme_;
  NewtonGoal goal_;
  int most_iterations_;
  StageSolver<State> solver_;
  StageRow<State> Z_, F_, right_, last_;
  State at_, last_end_, largest_;
  Jacobian J_;
  bool has_jacobian_ = false, fresh_ = false, has_last_ = false;
  double factorized_h_ = 0, last_h_ = 1;
  double contraction_ = 1, rate_ = 0;
  long jacobians_ = 0, factorizations_ = 0, iterations_ = 0;
  Failure failure_ = Failure::none;
  double failed_h_ = 0;
};

}  // namespace daewave::ivp
