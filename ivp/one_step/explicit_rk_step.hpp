#pragma once
// One step of an explicit Runge-Kutta formula, followed by what the system does to its end:
//
//   z~ = z + h sum_i b_i k_i,   slope = rhs(t + h, z~),   (z, slope) = after_step(z~, slope).
//
// The error estimate belongs to z~; dense output joins the stabilized ends. The slope at the end is
// evaluated once and is the first stage of the next step.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "ivp/one_step/stage_sum.hpp"
#include "ivp/one_step/tableaux.hpp"
#include "ivp/run/state_names.hpp"
#include "ivp/run/step.hpp"
#include "ivp/run/tolerance.hpp"

namespace daewave::ivp {

/// A `Step`. The system is kept by reference and evaluated by nobody else between attempt() and
/// accept().
template <OdeSystem S>
class ExplicitRkStep {
 public:
  using System = S;
  using State = typename S::State;
  using Carried = typename S::Multiplier;

  /// @param estimate  false saves the estimation of errors: attempt() returns 0.
  ExplicitRkStep(S& system, const ExplicitTableau& formula, const Tolerance& tolerance,
                 bool estimate = true)
      : system_(&system),
        formula_(&formula),
        tolerance_(tolerance),
        estimates_(estimate && !formula.error.empty()),
        stabilizes_(system.stabilizes()) {}

  bool start(double t, const State& z) {
    t_ = t;
    h_ = 0;
    z_ = z;
    before_ = z;
    trial_ = z;
    error_ = z;
    other_error_ = z;
    trial_slope_ = z;
    slope_ = z;
    interpolant_ = Interpolant::none;
    const int stages = std::max(static_cast<int>(formula_->c.size()), formula_->stages + 1);
    for (int i = 0; i < stages; ++i) k_[i] = z;
    for (int i = 0; i <= formula_->dense_degree(); ++i) dense_[i] = z;
    return evaluate(t, z, slope_) && finite(slope_, t);
  }

  double attempt(double h) {
    interpolant_ = Interpolant::none;
    trial_h_ = h;
    k_[0] = slope_;
    for (int i = 1; i < formula_->stages; ++i) {
      combine(formula_->a[i], h, z_, trial_);
      if (!evaluate(t_ + formula_->c[i] * h, trial_, k_[i])) return not_a_number;
    }
    // Where the last stage is at the end, z~ has been formed for it.
    if (!formula_->ends_with_slope) combine(formula_->b, h, z_, trial_);
    if (!finite(trial_, t_ + h)) return not_a_number;
    return estimates_ ? error(h) : 0.0;
  }

  bool accept() {
    const double t = t_ + trial_h_;
    State& end = k_[formula_->end_stage()];
    if (!formula_->ends_with_slope && !evaluate(t, trial_, end)) return false;
    trial_slope_ = end;
    if (stabilizes_ && !system_->after_step(t, trial_, trial_slope_)) {
      failure_ = system_->failure();
      return false;
    }
    if (!finite(trial_slope_, t)) return false;
    before_.swap(z_);
    z_.swap(trial_);
    slope_.swap(trial_slope_);
    t_ = t;
    h_ = trial_h_;
    return true;
  }

  double t() const { return t_; }
  const State& state() const { return z_; }
  /// z' at the state, as after_step() left it.
  const State& slope() const { return slope_; }

  void interpolate(double theta, State& out) const {
    if (interpolant_ == Interpolant::none) prepare_interpolant();
    const int last = interpolant_ == Interpolant::cubic ? 3 : formula_->dense_degree();
    out = dense_[last];
    for (int i = last; i-- > 0;) {
      // Factors alternate: theta is next to z.
      out = dense_[i] + (i % 2 == 0 ? theta : 1 - theta) * out;
    }
  }
  int dense_degree() const { return formula_->dense_degree(); }

  bool multiplier(Carried& carried) { return multiplier_at(t_, z_, carried); }
  bool multiplier_at(double t, const State& z, Carried& carried) {
    if (system_->multiplier(t, z, carried)) return true;
    failure_ = system_->failure();
    return false;
  }
  Drift drift() { return system_->drift(t_, z_); }

  int error_order() const { return estimates_ ? formula_->error_order : 0; }
  const Control& control() const { return formula_->control; }
  std::string failure() const { return failure_; }
  long evaluations() const { return evaluations_; }

  /// A step to begin with, |h| <= most; `sign` gives its direction. One evaluation.
  ///
  /// h such that an explicit Euler step would change little, then from the size of z''.
  /// Hairer, Norsett, Wanner: Solving Ordinary Differential Equations I, II.4.
  double first_step(double sign, double most) {
    const double z = tolerance_.mean_square(z_, z_, z_);
    const double slope = tolerance_.mean_square(slope_, z_, z_);
    double h = z <= 1e-10 || slope <= 1e-10 ? 1e-6 : 0.01 * std::sqrt(z / slope);
    h = std::min(h, most);
    trial_ = z_ + sign * h * slope_;
    if (!evaluate(t_ + sign * h, trial_, k_[1])) return sign * 1e-3 * h;
    k_[1] -= slope_;
    const double curvature = std::sqrt(tolerance_.mean_square(k_[1], z_, z_)) / h;
    const double largest = std::max(curvature, std::sqrt(slope));
    const double by_curvature = largest <= 1e-15 ? std::max(1e-6, 1e-3 * h)
                                                 : std::pow(0.01 / largest, 1.0 / formula_->order);
    const double first = std::min({100 * h, by_curvature, most});
    return std::isfinite(first) && first > 0 ? sign * first : sign * 1e-3 * h;
  }

 private:
  enum class Interpolant { none, cubic, full };
  static constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

  bool evaluate(double t, const State& z, State& slope) {
    ++evaluations_;
    if (system_->rhs(t, z, slope)) return true;
    failure_ = system_->failure();
    return false;
  }

  bool finite(const State& z, double t) {
    // The sum costs less, and is not finite in all cases that matter.
    if (std::isfinite(z.sum()) || z.allFinite()) return true;
    constexpr bool second_order = requires { requires S::second_order; };
    failure_ = not_finite_text(z.data(), static_cast<int>(z.size()), second_order, t);
    return false;
  }

  /// out = z + h sum_j a_j k_j. The newest stage comes last: all else is done while it is awaited.
  void combine(const Combination& row, double h, const State& z, State& out) const {
    if (row.count == 0) {
      out = z;
      return;
    }
    if constexpr (State::MaxSizeAtCompileTime == Dynamic ||
                  State::MaxSizeAtCompileTime >= least_for_stage_sum) {
      if (z.size() >= least_for_stage_sum) {
        std::array<const double*, most_stages> stages;
        for (int i = 0; i < row.count; ++i) stages[i] = k_[row.stage[i]].data();
        return sum_(z.data(), h, row, stages.data(), static_cast<int>(z.size()), out.data());
      }
    }
    const int last = row.count - 1;
    const State& newest = k_[row.stage[last]];
    if constexpr (State::MaxSizeAtCompileTime == Dynamic) {
      sum_stages(row, last, error_);
      out = (z + h * error_) + (h * row.coefficient[last]) * newest;
    } else {
      State sum;
      sum_stages(row, last, sum);
      out = (z + h * sum) + (h * row.coefficient[last]) * newest;
    }
  }

  /// The first `count` terms, four at a time: short chains of additions, few passes over vectors.
  void sum_stages(const Combination& row, int count, State& out) const {
    const double* a = row.coefficient.data();
    const auto k = [&](int i) -> const State& { return k_[row.stage[i]]; };
    int i = count % 4;
    if (i == 1) {
      out = a[0] * k(0);
    } else if (i == 2) {
      out = a[0] * k(0) + a[1] * k(1);
    } else if (i == 3) {
      out = a[0] * k(0) + a[1] * k(1) + a[2] * k(2);
    } else {
      out.setZero(z_.size());
    }
    for (; i < count; i += 4) {
      out += (a[i] * k(i) + a[i + 1] * k(i + 1)) + (a[i + 2] * k(i + 2) + a[i + 3] * k(i + 3));
    }
  }

  double error(double h) const {
    const std::vector<Combination>& error = formula_->error;
    sum_stages(error[0], error[0].count, error_);
    if (error.size() == 1) return std::abs(h) * tolerance_.norm(error_, z_, trial_);
    sum_stages(error[1], error[1].count, other_error_);
    const auto [e, e3] = tolerance_.mean_squares(error_, other_error_, z_, trial_);
    const double both = e + 0.01 * e3;
    return both > 0 ? std::abs(h) * e / std::sqrt(both) : both;
  }

  /// Coefficients of the interpolant; evaluates the stages that only it needs. Where they cannot be
  /// evaluated, it is the cubic of Hermite.
  void prepare_interpolant() const {
    dense_[0] = before_;
    dense_[1] = z_ - before_;
    dense_[2] = h_ * k_[0] - dense_[1];
    dense_[3] = dense_[1] - h_ * slope_ - dense_[2];
    interpolant_ = Interpolant::cubic;
    for (int i = formula_->stages + 1; i < static_cast<int>(formula_->c.size()); ++i) {
      combine(formula_->a[i], h_, before_, other_error_);
      ++evaluations_;
      if (!system_->rhs(t_ - (1 - formula_->c[i]) * h_, other_error_, k_[i])) return;
    }
    for (int i = 0; i < static_cast<int>(formula_->dense.size()); ++i) {
      sum_stages(formula_->dense[i], formula_->dense[i].count, dense_[4 + i]);
      dense_[4 + i] *= h_;
    }
    interpolant_ = Interpolant::full;
  }

  S* system_;
  const ExplicitTableau* formula_;
  Tolerance tolerance_;
  bool estimates_;
  bool stabilizes_;
  double t_ = 0, h_ = 0, trial_h_ = 0;
  State z_, slope_, before_, trial_, trial_slope_;
  mutable State error_, other_error_;  ///< Also what is summed on the way.
  StageSum sum_ = stage_sum();
  mutable std::array<State, most_stages> k_;
  mutable std::array<State, 8> dense_;
  mutable Interpolant interpolant_ = Interpolant::none;
  mutable long evaluations_ = 0;
  std::string failure_;
};

}  // namespace daewave::ivp
