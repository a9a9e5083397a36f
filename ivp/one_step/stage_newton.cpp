#include "ivp/one_step/stage_newton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "ivp/one_step/kept_numbers.hpp"

namespace daewave::ivp {

StageNewton::StageNewton(const StageTransform& scheme, const NewtonGoal& goal)
    : scheme_(scheme),
      sum_(stage_sum(scheme.stages)),
      sum_alone_(stage_sum_alone(scheme.stages)),
      convergence_(goal, scheme.stages) {}

void StageNewton::start(int n) {
  n_ = n;
  for (int j = 0; j < scheme_.stages; ++j) {
    for (auto* row : {&Z_, &F_, &minus_right_, &last_}) (*row)[j].setZero(n);
  }
  at_.setZero(n);
  last_end_.setZero(n);
  J_.setZero(n, n);
  stage_J_.setZero(n, n);
  // Otherwise it can be large, and is taken when it is needed first.
  if (convergence_.goal().coupled && n <= small_) stages_.resize(scheme_, n);
  convergence_.start(n);
  solver_.resize(scheme_, n);
  has_jacobian_ = fresh_ = has_last_ = false;
  factorized_h_ = 0;
  coupled_steps_ = 0;
}

bool StageNewton::solve(const VecX& x, double h, const VecX& weight, StageProblem& problem) {
  if (coupled_steps_ > 0) --coupled_steps_;
  convergence_.begin_step(x);
  Failure how = Failure::none;
  do {
    if (!renew(h, problem)) return fail(Failure::evaluation, h);
    if (coupled_steps_ > 0) break;
    predict(h);
    how = iterate(x, h, weight, problem);
    if (how == Failure::none) return true;
    has_jacobian_ = fresh_ && how != Failure::evaluation;
  } while (!has_jacobian_ && how != Failure::evaluation);
  const NewtonGoal& goal = convergence_.goal();
  const bool worth_it = goal.rounding || n_ <= most_coupled_;
  if (how == Failure::evaluation || !goal.coupled || !worth_it) return fail(how, h);
  return solve_coupled(x, h, weight, problem);
}

bool StageNewton::fail(Failure how, double h) {
  failure_ = how;
  failed_h_ = h;
  return false;
}

void StageNewton::estimate(double h, const VecX& f, VecX& out) {
  combine(scheme_.e, Z_, out);
  out += (h * scheme_.mu_real) * f;
  solver_.filter(out);
}

double StageNewton::node_before(int node, double h) const {
  if (!has_last_) return std::numeric_limits<double>::quiet_NaN();
  return ((node > 0 ? scheme_.c[node - 1] : 0) - 1) * (last_h_ / h);
}

void StageNewton::missed_before(int node, double h, VecX& out) const {
  const auto weight = scheme_.weights_at(node_before(node, h));
  out = last_end_;
  if (node > 0) out -= last_[node - 1];
  for (int j = 0; j < scheme_.stages; ++j) out += weight[j + 1] * Z_[j];
}

void StageNewton::at_trial(double theta, VecX& increment, VecX& h_slope) const {
  const auto weight = scheme_.weights_at(theta), slope = scheme_.slopes_at(theta);
  increment.setZero(n_);
  h_slope.setZero(n_);
  for (int j = 0; j < scheme_.stages; ++j) {
    increment += weight[j + 1] * Z_[j];
    h_slope += slope[j + 1] * Z_[j];
  }
}

void StageNewton::accept(double h) {
  increment(last_end_);
  std::swap(Z_, last_);
  last_h_ = h;
  has_last_ = true;
  fresh_ = false;
  if (convergence_.rate() > slow_ || coupled_steps_ > 0) has_jacobian_ = false;
}

template <class Self, class Visit>
void StageNewton::each_kept(Self& self, Visit& visit) {
  for (int j = 0; j < self.scheme_.stages; ++j) visit(self.last_[j]);
  visit(self.last_end_);
  visit(self.convergence_.largest());
  visit(self.J_);
  visit(self.has_jacobian_);
  visit(self.has_last_);
  visit(self.coupled_steps_);
  visit(self.factorized_h_);
  visit(self.last_h_);
  visit(self.convergence_.contraction());
}

VecX StageNewton::kept() const {
  KeptNumbers numbers;
  each_kept(*this, numbers);
  return numbers.all();
}

void StageNewton::take_up(const VecX& kept) {
  TakenUpNumbers numbers(kept);
  each_kept(*this, numbers);
  if (has_jacobian_ && factorized_h_ != 0) solver_.factorize(scheme_, factorized_h_, J_);
}

void StageNewton::go_inside(const StageNewton& taken, double theta) {
  if (n_ != taken.n_) start(taken.n_);
  last_ = taken.last_;
  last_end_ = taken.last_end_;
  last_h_ = taken.last_h_;
  has_last_ = true;
  J_ = taken.J_;
  // Also one that the next step would not take: from so near it serves, and is renewed if not.
  has_jacobian_ = !J_.isZero(0);
  fresh_ = false;
  factorized_h_ = 0;
  coupled_steps_ = taken.coupled_steps_;
  convergence_.largest() = taken.convergence_.largest();
  convergence_.contraction() = taken.convergence_.contraction();
  inside_ = theta;
}

void StageNewton::interpolate(double theta, VecX& out) const {
  const auto weight = scheme_.weights_at(theta);
  out.resize(n_);
  sum_alone_(nullptr, 1, weight.data() + 1, entries_of(last_, scheme_.stages).data(), n_,
             out.data());
}

void StageNewton::combine(const StageRow<double>& weight, const StageRow<VecX>& row,
                          VecX& out) const {
  out.resize(n_);
  sum_alone_(nullptr, 1, weight.data(), entries_of(row, scheme_.stages).data(), n_, out.data());
}

/// J and its factors for a step of h, where they are not at hand.
bool StageNewton::renew(double h, StageProblem& problem) {
  if (coupled_steps_ > 0 && !convergence_.goal().filters) return true;  // Not used.
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
void StageNewton::predict(double h) {
  convergence_.begin_iteration();
  if (std::exchange(keep_, false)) return;
  if (inside_ > 0) {
    for (int j = 0; j < scheme_.stages; ++j) interpolate(inside_ * scheme_.c[j], Z_[j]);
    return;
  }
  const double ratio = h / last_h_;
  const bool near = has_last_ && ratio > 0 && ratio <= (scheme_.stages <= 3 ? 8.0 : 2.0);
  for (int j = 0; j < scheme_.stages; ++j) {
    if (near) {
      interpolate(1 + scheme_.c[j] * ratio, Z_[j]);
      Z_[j] -= last_end_;
    } else {
      Z_[j].setZero();
    }
  }
}

/// With the Jacobian of the step.
StageNewton::Failure StageNewton::iterate(const VecX& x, double h, const VecX& weight,
                                          StageProblem& problem) {
  NewtonConvergence& seen = convergence_;
  seen.forget();
  for (int iteration = 1; iteration <= seen.most_iterations(); ++iteration) {
    if (!evaluate(x, problem)) return Failure::evaluation;
    residual(h);
    solver_.solve(scheme_, minus_right_);
    const double change = seen.size_of(minus_right_, weight);
    if (!std::isfinite(change)) return Failure::not_finite;
    const bool measured = seen.measure(change, iteration);
    if (measured && seen.stays()) {
      return seen.at_rounding(change) ? Failure::none : Failure::diverged;
    }
    if (measured && seen.too_slow(change, iteration)) return Failure::slow;
    change_stages();
    const bool known = measured || !seen.goal().rounding;
    if (change <= seen.goal().error || (known && seen.good(change))) return Failure::none;
  }
  return seen.at_rounding(seen.last_change()) ? Failure::none : Failure::slow;
}

/// With a Jacobian for each stage, renewed until the iteration is fast. Where stiff directions
/// turn, a change of x that is small in them makes another across them, by as much as they are
/// stiff: such changes become smaller than the goal by far, or stay below it with other Jacobians,
/// as those by rounding do.
bool StageNewton::solve_coupled(const VecX& x, double h, const VecX& weight,
                                StageProblem& problem) {
  NewtonConvergence& seen = convergence_;
  stages_.resize(scheme_, n_);
  predict(h);
  double first = 0;  // Changes of full Newton may grow before they shrink.
  for (int iteration = 1; iteration <= 2 * seen.most_iterations(); ++iteration) {
    if (!evaluate(x, problem)) return fail(Failure::evaluation, h);
    const bool renews = iteration == 1 || seen.rate() > slow_coupled_;
    if (renews && !differentiate_stages(x, h, weight, problem)) {
      return fail(Failure::evaluation, h);
    }
    residual(h);
    stages_.solve(scheme_, minus_right_);
    const double before = seen.last_change(), change = seen.size_of(minus_right_, weight);
    if (!std::isfinite(change)) return fail(Failure::not_finite, h);
    const bool measured = seen.measure(change, iteration);
    if (iteration == 1) first = change;
    const bool stays = measured && seen.stays();
    if (!(stays && seen.at_rounding(change))) {
      if (change > 1e3 * std::max(1.0, first)) return fail(Failure::diverged, h);
      change_stages();
      const double goal = seen.goal().error;
      bool small = change <= goal || (measured && !stays && seen.good(change));
      if (stiffness_ > stiff_) {
        small = change <= of_goal_stiff_ * goal ||
                (measured && renews && std::max(before, change) <= goal);
      }
      if (!small) continue;
    }
    if (coupled_steps_ == 0) coupled_steps_ = coupled_for_;
    ++coupled_;
    return true;
  }
  return fail(Failure::slow, h);
}

bool StageNewton::differentiate_stages(const VecX& x, double h, const VecX& weight,
                                       StageProblem& problem) {
  stiffness_ = 0;
  for (int j = 0; j < scheme_.stages; ++j) {
    ++jacobians_;
    at_ = x + Z_[j];
    if (!problem.differentiate(j, at_, F_[j], stage_J_)) return false;
    stages_.set(scheme_, h, j, stage_J_);
    if (convergence_.goal().rounding) continue;
    at_.setZero();
    for (int i = 0; i < n_; ++i) at_ += weight[i] * stage_J_.col(i).cwiseAbs();
    stiffness_ = std::max(stiffness_, std::abs(h) * at_.cwiseQuotient(weight).maxCoeff());
  }
  stages_.factorize();
  ++factorizations_;
  return true;
}

/// F_ at the stages x + Z_.
bool StageNewton::evaluate(const VecX& x, StageProblem& problem) {
  ++iterations_;
  convergence_.begin_stages();
  for (int j = 0; j < scheme_.stages; ++j) {
    at_ = x + Z_[j];
    convergence_.see_stage(at_);
    if (!problem.slope(j, at_, F_[j])) return false;
  }
  return true;
}

/// minus_right_ = Z - h (A (x) I) F.
void StageNewton::residual(double h) {
  const StageRow<const double*> F = entries_of(F_, scheme_.stages);
  for (int j = 0; j < scheme_.stages; ++j) {
    sum_(Z_[j].data(), -h, scheme_.a[j].data(), F.data(), n_, minus_right_[j].data());
  }
}

/// By what the linear system made of minus_right_.
void StageNewton::change_stages() {
  for (int j = 0; j < scheme_.stages; ++j) Z_[j] -= minus_right_[j];
}

std::string StageNewton::failure(double t) const {
  const double rate = convergence_.rate();
  switch (failure_) {
    case Failure::slow: {
      const int most = convergence_.most_iterations();
      return fmt::format(
          "t = {:.10g}: Newton's method does not converge in {} iterations with h = {:.3g}; the "
          "last change was {:.2g} of the one before",
          t, convergence_.goal().coupled ? 2 * most : most, failed_h_, rate);
    }
    case Failure::diverged:
      return fmt::format(
          "t = {:.10g}: Newton's method diverges with h = {:.3g}; the last change was {:.2g} of "
          "the one before",
          t, failed_h_, rate);
    case Failure::not_finite:
      return fmt::format(
          "t = {:.10g}: Newton's method gave a value that is not finite with h = {:.3g}: "
          "I - h a J is singular, or the problem overflows",
          t, failed_h_);
    default:
      return {};
  }
}

}  // namespace daewave::ivp
