#pragma once
// Newton's method for the stages of an implicit step,
//
//   Z_j = h sum_l a_jl F(x + Z_l, t + c_l h):   (I - h A (x) J) dZ = -Z + h (A (x) I) F(Z)
//
// simplified: one J, kept as long as the iteration converges fast, its factors as long as h stays;
// a step starts from the polynomial of the one before.                       [HW2] IV.8
// Where that does not converge with a J of the same step, each stage gets its own.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "ivp/one_step/coupled_stages.hpp"
#include "ivp/one_step/kept_numbers.hpp"
#include "ivp/one_step/stage_solver.hpp"
#include "ivp/one_step/stage_transform.hpp"

namespace daewave::ivp {

/// When the stages are good enough.
struct NewtonGoal {
  /// To rounding of the largest values seen so far: for a fixed step, whose error nothing else
  /// knows. Otherwise the root mean square of dZ / `weight` counts.
  bool rounding = true;
  double error = 1e-15;  ///< Estimated error of Z that is accepted, in these units.
  bool coupled = true;   ///< A Jacobian for each stage, where one for the step does not do.
  bool filters = false;  ///< estimate() will be called, and needs the Jacobian of the step.
};

/// What the stages are of. Through virtual functions, so that the iteration is compiled once for
/// each size of state, whichever formula or problem it serves.
template <class State>
class StageProblem {
 public:
  using Jacobian = typename StageSolver<State>::Jacobian;

  virtual ~StageProblem() = default;
  /// F = F(X, t + c_j h); false where it cannot be evaluated.
  virtual bool slope(int j, const State& X, State& F) = 0;
  /// J = dF/dx there, where slope() gave F; j = -1 for the begin of the step, where X and F have no
  /// meaning.
  virtual bool differentiate(int j, const State& X, const State& F, Jacobian& J) = 0;
};

template <class State>
class StageNewton {
 public:
  using Jacobian = typename StageSolver<State>::Jacobian;
  using Problem = StageProblem<State>;

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
      stage_J_.setZero(n, n);
      last_end_.setZero(n);
    }
    // Otherwise it can be large, and is taken when it is needed first.
    if (goal_.coupled && n <= most_on_stack) stages_.resize(scheme_, n);
    largest_.setZero(n);
    size_.setZero(n);
    solver_.resize(scheme_, n);
    has_jacobian_ = fresh_ = has_last_ = false;
    factorized_h_ = 0;
    contraction_ = 1;
    coupled_steps_ = 0;
  }

  /// Solves for the stages of a step of h from x. On failure failure() tells why, and what was
  /// accepted last stands.
  ///
  /// @param weight         of the components, where the goal is not rounding.
  /// @param slope          slope(j, X, F) -> bool: as StageProblem::slope().
  /// @param differentiate  differentiate(j, X, F, J) -> bool: as StageProblem::differentiate().
  template <class Slope, class Differentiate>
  bool solve(const State& x, double h, const State& weight, Slope slope,
             Differentiate differentiate) {
    struct Given final : Problem {
      Given(Slope& slope, Differentiate& differentiate)
          : slope_(slope), differentiate_(differentiate) {}
      bool slope(int j, const State& X, State& F) override { return slope_(j, X, F); }
      bool differentiate(int j, const State& X, const State& F, Jacobian& J) override {
        return differentiate_(j, X, F, J);
      }
      Slope& slope_;
      Differentiate& differentiate_;
    };
    Given given(slope, differentiate);
    return solve(x, h, weight, static_cast<Problem&>(given));
  }

  bool solve(const State& x, double h, const State& weight, Problem& problem) {
    if (coupled_steps_ > 0) --coupled_steps_;
    largest_ = largest_.cwiseMax(x.cwiseAbs());
    Failure how = Failure::none;
    do {
      if (!renew(h, problem)) return fail(Failure::evaluation, h);
      if (coupled_steps_ > 0) break;
      predict(h);
      how = iterate(x, h, weight, problem);
      if (how == Failure::none) return true;
      has_jacobian_ = fresh_ && how != Failure::evaluation;
    } while (!has_jacobian_ && how != Failure::evaluation);
    if (how == Failure::evaluation || !goal_.coupled) return fail(how, h);
    return solve_coupled(x, h, weight, problem);
  }

  /// The next solve() starts from the stages at hand: it is of a step that differs by little.
  void keep_stages() { keep_ = true; }

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
    if (rate_ > slow_ || coupled_steps_ > 0) has_jacobian_ = false;
  }

  /// What the step taken last leaves to the next one.
  VecX kept() const {
    KeptNumbers numbers;
    each_kept(*this, numbers);
    return numbers.all();
  }

  /// After start() with the same number of components: as if those steps had been taken here.
  void take_up(const VecX& kept) {
    TakenUpNumbers numbers(kept);
    each_kept(*this, numbers);
    if (has_jacobian_ && factorized_h_ != 0) solver_.factorize(scheme_, factorized_h_, J_);
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
  /// Steps whose stages had a Jacobian each.
  long coupled() const { return coupled_; }

  /// Of a failure: whether the problem could be evaluated (else it knows why), and all was finite.
  bool evaluated() const { return failure_ != Failure::evaluation; }
  bool finite() const { return failure_ == Failure::slow || failure_ == Failure::diverged; }

  /// Of a step from t.
  std::string failure(double t) const {
    switch (failure_) {
      case Failure::slow:
        return fmt::format(
            "t = {:.10g}: Newton's method does not converge in {} iterations with h = {:.3g}; the "
            "last change was {:.2g} of the one before",
            t, goal_.coupled ? 2 * most_iterations_ : most_iterations_, failed_h_, rate_);
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
  /// And above this one, those of coupled stages for the next iteration.
  static constexpr double slow_coupled_ = 0.1;
  /// Steps after which coupled stages are given up, to see whether one J will do again.
  static constexpr int coupled_for_ = 20;
  /// To rounding, early rates are not believed: they are of what converges fastest.
  static constexpr double least_contraction_ = 0.02;
  /// Changes that shrink no more are rounding where they are below this.
  static constexpr double rounding_level_ = 1e-10;
  /// Components are resolved relative to their largest value, or to this part of the largest one.
  static constexpr double floor_ = 1e-3;
  static constexpr double smallest_normal_ = std::numeric_limits<double>::min();

  template <class Self, class Visit>
  static void each_kept(Self& self, Visit& visit) {
    for (int j = 0; j < self.scheme_.stages; ++j) visit(self.last_[j]);
    visit(self.last_end_);
    visit(self.largest_);
    visit(self.J_);
    visit(self.has_jacobian_);
    visit(self.has_last_);
    visit(self.coupled_steps_);
    visit(self.factorized_h_);
    visit(self.last_h_);
    visit(self.contraction_);
  }

  bool fail(Failure how, double h) {
    failure_ = how;
    failed_h_ = h;
    return false;
  }

  void combine(const StageRow<double>& weight, const StageRow<State>& row, State& out) const {
    out = weight[0] * row[0];
    for (int j = 1; j < scheme_.stages; ++j) out += weight[j] * row[j];
  }

  /// J and its factors for a step of h, where they are not at hand.
  bool renew(double h, Problem& problem) {
    if (coupled_steps_ > 0 && !goal_.filters) return true;  // Not used.
    if (!has_jacobian_) {
      ++jacobians_;
      if (!problem.differentiate(-1, at_, at_, J_)) return false;
      has_jacobian_ = fresh_ = true;
      factorized_h_ = 0;
    }
    if (!(std::abs(h - factorized_h_) <= 1e-9 * std::abs(h))) {  // Nodes i h round.
      solver_.factorize(scheme_, h, J_);
      factorized_h_ = h;
      ++factorizations_;
    }
    return true;
  }

  /// Z from the polynomial of the last step; from zero where it would reach too far.
  void predict(double h) {
    rate_ = rate_before_ = change_before_ = 0;
    if (std::exchange(keep_, false)) return;
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

  /// With the Jacobian of the step.
  Failure iterate(const State& x, double h, const State& weight, Problem& problem) {
    contraction_ = std::pow(std::max(contraction_, 1e-16), 0.8);
    for (int iteration = 1; iteration <= most_iterations_; ++iteration) {
      if (!evaluate(x, problem)) return Failure::evaluation;
      residual(h);
      solver_.solve(scheme_, right_);
      const double change = size_of_change(weight);
      if (!std::isfinite(change)) return Failure::not_finite;
      const bool measured = measure(change, iteration);
      if (measured && rate_ >= 0.99) {
        return at_rounding(change) ? Failure::none : Failure::diverged;
      }
      if (measured && !goal_.rounding) {
        const double at_the_end =
            contraction_ * change * std::pow(rate_, most_iterations_ - 1 - iteration);
        if (at_the_end >= goal_.error) return Failure::slow;
      }
      for (int j = 0; j < scheme_.stages; ++j) Z_[j] += right_[j];
      const bool known = measured || !goal_.rounding;
      if (change <= goal_.error || (known && contraction_ * change <= goal_.error)) {
        return Failure::none;
      }
    }
    return at_rounding(change_before_) ? Failure::none : Failure::slow;
  }

  /// With a Jacobian for each stage, renewed until the iteration is fast.
  bool solve_coupled(const State& x, double h, const State& weight, Problem& problem) {
    const int k = scheme_.stages, n = static_cast<int>(largest_.size());
    stages_.resize(scheme_, n);
    predict(h);
    double first = 0;  // Changes of full Newton may grow before they shrink.
    for (int iteration = 1; iteration <= 2 * most_iterations_; ++iteration) {
      if (!evaluate(x, problem)) return fail(Failure::evaluation, h);
      if (iteration == 1 || rate_ > slow_coupled_) {
        for (int j = 0; j < k; ++j) {
          ++jacobians_;
          at_ = x + Z_[j];
          if (!problem.differentiate(j, at_, F_[j], stage_J_)) return fail(Failure::evaluation, h);
          stages_.set(scheme_, h, j, stage_J_);
        }
        stages_.factorize();
        ++factorizations_;
      }
      residual(h);
      stages_.solve(scheme_, right_);
      const double change = size_of_change(weight);
      if (!std::isfinite(change)) return fail(Failure::not_finite, h);
      const bool measured = measure(change, iteration);
      if (iteration == 1) first = change;
      const bool stays = measured && rate_ >= 0.99;
      if (!(stays && at_rounding(change))) {
        if (change > 1e3 * std::max(1.0, first)) return fail(Failure::diverged, h);
        for (int j = 0; j < k; ++j) Z_[j] += right_[j];
        if (!(measured && !stays && contraction_ * change <= goal_.error) && change > goal_.error) {
          continue;
        }
      }
      if (coupled_steps_ == 0) coupled_steps_ = coupled_for_;
      ++coupled_;
      return true;
    }
    return fail(Failure::slow, h);
  }

  /// F_ at the stages x + Z_.
  bool evaluate(const State& x, Problem& problem) {
    ++iterations_;
    size_ = largest_;
    for (int j = 0; j < scheme_.stages; ++j) {
      at_ = x + Z_[j];
      if (goal_.rounding) size_ = size_.cwiseMax(at_.cwiseAbs());
      if (!problem.slope(j, at_, F_[j])) return false;
    }
    return true;
  }

  /// right_ = -Z + h (A (x) I) F.
  void residual(double h) {
    for (int j = 0; j < scheme_.stages; ++j) {
      right_[j] = -Z_[j];
      for (int l = 0; l < scheme_.stages; ++l) right_[j] += (h * scheme_.a[j][l]) * F_[l];
    }
  }

  /// The rate of convergence from two changes, and its mean with that of two before. False at the
  /// first change, which tells nothing.
  bool measure(double change, int iteration) {
    const double before = change_before_;
    change_before_ = change;
    if (iteration == 1 || !(before > 0)) return false;
    const double quotient = change / before;
    rate_ = iteration == 2 ? quotient : std::sqrt(quotient * rate_before_);
    rate_before_ = quotient;
    if (rate_ < 0.99) contraction_ = rate_ / (1 - rate_);
    if (goal_.rounding) contraction_ = std::max(contraction_, least_contraction_);
    return true;
  }

  bool at_rounding(double change) const { return goal_.rounding && change <= rounding_level_; }

  /// Of right_: root mean square of dZ / weight, or the largest |dZ| relative to what was seen.
  double size_of_change(const State& weight) const {
    const int k = scheme_.stages, n = static_cast<int>(largest_.size());
    if (!goal_.rounding) {
      double sum = 0;
      for (int j = 0; j < k; ++j) sum += right_[j].cwiseQuotient(weight).squaredNorm();
      return std::sqrt(sum / std::max(1, n * k));
    }
    double most = 0;
    const double least = n > 0 ? floor_ * size_.maxCoeff() : 0;
    for (int j = 0; j < k; ++j) {
      for (int i = 0; i < n; ++i) {
        const double dZ = std::abs(right_[j][i]);
        if (!std::isfinite(dZ)) return dZ;
        if (dZ > 0) most = std::max(most, dZ / std::max({least, size_[i], smallest_normal_}));
      }
    }
    return most;
  }

  StageTransform scheme_;
  NewtonGoal goal_;
  int most_iterations_;
  StageSolver<State> solver_;
  CoupledStages stages_;
  StageRow<State> Z_, F_, right_, last_;
  State at_, last_end_, largest_, size_;  ///< Largest so far, and with the stages.
  Jacobian J_, stage_J_;
  bool has_jacobian_ = false, fresh_ = false, has_last_ = false, keep_ = false;
  int coupled_steps_ = 0;  ///< To go with coupled stages.
  double factorized_h_ = 0, last_h_ = 1;
  double contraction_ = 1, rate_ = 0, rate_before_ = 0, change_before_ = 0;
  long jacobians_ = 0, factorizations_ = 0, iterations_ = 0, coupled_ = 0;
  Failure failure_ = Failure::none;
  double failed_h_ = 0;
};

}  // namespace daewave::ivp
