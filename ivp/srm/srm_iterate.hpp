#pragma once
// One step of one iterate of a sequential regularization, by an explicit Runge-Kutta formula:
//
//   k_i = F(x + h sum_j a_ij k_j, t + c_i h; y_{s-1}(t + c_i h)),   x(t + h) = x + h sum_i b_i k_i,
//
// and then one evaluation at the end, which is the first slope of the next step and y_s(t + h). The
// y_{s-1} of a stage at the end is that of the accepted x_{s-1}. Where the formula has stages
// inside of the step, y_s there is formed by iterate s itself, at x_s interpolated.   [AL2] section
// 6
//
// Both orders of the loops, step by step and sweep by sweep, call advance(): same bits.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/not_finite.hpp"
#include "core/regularize/regularized_ode.hpp"
#include "ivp/one_step/tableaux.hpp"
#include "ivp/run/tolerance.hpp"

namespace daewave::ivp {

/// An iterate at one t: x_s, its slope, and what it leaves for the next.
template <RegularizedOde R>
struct IterateState {
  typename R::State x, slope;
  typename R::Carried carried;
};

/// Where in a step y_{s-1} is needed, in units of h: the end, then those inside.
std::vector<double> abscissae_of(const ExplicitTableau& formula);

template <RegularizedOde R>
class SrmIterate {
 public:
  using State = typename R::State;
  using Carried = typename R::Carried;

  SrmIterate(R ode, const ExplicitTableau& formula)
      : ode_(std::move(ode)), formula_(&formula), abscissae_(abscissae_of(formula)) {
    for (std::size_t i = 0; i < formula.c.size(); ++i) {
      const auto found = std::find(abscissae_.begin(), abscissae_.end(), formula.c[i]);
      slot_[i] = found == abscissae_.end() ? 0 : static_cast<int>(found - abscissae_.begin());
    }
  }

  /// Where advance() wants y_{s-1}, and gives y_s: 1, and values between 0 and 1.
  const std::vector<double>& abscissae() const { return abscissae_; }

  /// y_0 = 0, of the size that is carried.
  Carried none(const State& x, double t) { return ode_.none(x, t); }

  /// Begins at (t, x) with y_{s-1}(t) = before.
  bool start(double t, const State& x, const Carried& before, IterateState<R>& at) {
    at.x = x;
    for (State& k : k_) k = x;
    for (State& r : dense_) r = x;
    x_ = sum_ = x;
    carried_ = before;
    return evaluate(x, t, before, at.slope, at.carried) && finite(at.slope, t);
  }

  /// @param before  y_{s-1} at the abscissae.
  /// @param after   receives y_s there, all of them; null where nobody asks, for the last iterate.
  bool advance(double t, double h, const IterateState<R>& from, const Carried* before,
               IterateState<R>& to, Carried* after) {
    k_[0] = from.slope;
    for (int i = 1; i < formula_->stages; ++i) {
      const int slot = slot_[i];
      combine(from.x, formula_->a[i], h, x_);
      if (!evaluate(x_, t + formula_->c[i] * h, before[slot], k_[i], carried_)) return false;
    }
    combine(from.x, formula_->b, h, to.x);
    if (!finite(to.x, t + h)) return false;
    if (!evaluate(to.x, t + h, before[0], to.slope, to.carried)) return false;
    k_[formula_->end_stage()] = to.slope;
    at_end_ = true;
    if (after == nullptr) return true;
    after[0] = to.carried;
    return abscissae_.size() == 1 || between(t, h, from, before, to, after);
  }

  /// Local error of the iterate last advanced, in units of the tolerance. Two estimates e, e3 are
  /// taken together as |e|^2 / sqrt(|e|^2 + 0.01 |e3|^2).
  double error(double h, const Tolerance& tolerance, const State& x0, const State& x1) {
    sum_stages(formula_->error[0], sum_);
    const double e = tolerance.mean_square(sum_, x0, x1);
    if (formula_->error.size() == 1) return std::abs(h) * std::sqrt(e);
    sum_stages(formula_->error[1], sum_);
    const double both = e + 0.01 * tolerance.mean_square(sum_, x0, x1);
    return both > 0 ? std::abs(h) * e / std::sqrt(both) : both;
  }

  /// Readies interpolate() for the step last advanced; y_{s-1} as given to advance(). Where the
  /// formula brings no dense output, or its stages cannot be evaluated, the cubic of Hermite.
  void ready(double t, double h, const IterateState<R>& from, const Carried* before,
             const IterateState<R>& to) {
    dense_[0] = from.x;
    dense_[1] = to.x - from.x;
    dense_[2] = h * from.slope - dense_[1];
    dense_[3] = dense_[1] - h * to.slope - dense_[2];
    degree_ = 3;
    for (std::size_t i = static_cast<std::size_t>(formula_->stages) + 1; i < formula_->c.size();
         ++i) {
      combine(from.x, formula_->a[i], h, x_);
      at_end_ = false;
      if (!evaluate(x_, t + formula_->c[i] * h, before[slot_[i]], k_[i], carried_)) return;
    }
    for (const Combination& row : formula_->dense) {
      sum_stages(row, dense_[++degree_]);
      dense_[degree_] *= h;
    }
  }

  /// x at t + theta h of the step made ready.
  void interpolate(double theta, State& out) const {
    out = dense_[degree_];
    for (int i = degree_; i-- > 0;) out = dense_[i] + (i % 2 == 0 ? theta : 1 - theta) * out;
  }

  /// y_s at a state of dense output, with y_{s-1}(t) = before.
  bool carried_at(double t, const State& x, const Carried& before, Carried& carried) {
    at_end_ = false;
    return evaluate(x, t, before, sum_, carried);
  }

  /// Largest |g| and |G v + g_t| at (t, to.x) of the iterate last advanced.
  void residuals(double t, const IterateState<R>& to, const Carried& before, double& position,
                 double& velocity) {
    if (!at_end_) evaluate(to.x, t, before, sum_, carried_);
    at_end_ = true;
    ode_.residuals(position, velocity);
  }

  /// The same of any iterate. Not counted as an evaluation: it is for the eye, and how often it is
  /// asked for depends on the clock.
  void residuals_of(double t, const IterateState<R>& other, const Carried& before, double& position,
                    double& velocity) {
    at_end_ = false;
    ode_.evaluate(other.x, t, before, sum_, carried_);
    ode_.residuals(position, velocity);
  }

  const R& ode() const { return ode_; }
  const std::string& failure() const { return failure_; }
  long evaluations() const { return evaluations_; }

 private:
  bool evaluate(const State& x, double t, const Carried& before, State& slope, Carried& carried) {
    ++evaluations_;
    if (ode_.evaluate(x, t, before, slope, carried)) return true;
    failure_ = ode_.failure();
    return false;
  }

  bool finite(const State& x, double t) {
    // The sum costs less, and is not finite in all cases that matter.
    return std::isfinite(x.sum()) || all_finite("x", x, t, failure_);
  }

  /// y_s at the abscissae inside.
  bool between(double t, double h, const IterateState<R>& from, const Carried* before,
               const IterateState<R>& to, Carried* after) {
    ready(t, h, from, before, to);
    at_end_ = false;
    for (std::size_t i = 1; i < abscissae_.size(); ++i) {
      interpolate(abscissae_[i], x_);
      if (!evaluate(x_, t + abscissae_[i] * h, before[i], sum_, after[i])) return false;
    }
    return true;
  }

  /// out = x + h sum_j a_j k_j.
  void combine(const State& x, const Combination& row, double h, State& out) {
    sum_stages(row, sum_);
    out = x + h * sum_;
  }

  void sum_stages(const Combination& row, State& out) const {
    out = row.coefficient[0] * k_[row.stage[0]];
    int i = 1;
    for (; i + 1 < row.count; i += 2) {
      out += row.coefficient[i] * k_[row.stage[i]] + row.coefficient[i + 1] * k_[row.stage[i + 1]];
    }
    if (i < row.count) out += row.coefficient[i] * k_[row.stage[i]];
  }

  R ode_;
  const ExplicitTableau* formula_;
  std::vector<double> abscissae_;
  std::array<int, most_stages> slot_{};
  std::array<State, most_stages> k_;
  std::array<State, 8> dense_;
  int degree_ = 3;
  State x_, sum_;
  Carried carried_;
  bool at_end_ = false;  ///< The state last evaluated is the end of the step.
  long evaluations_ = 0;
  std::string failure_;
};

}  // namespace daewave::ivp
