#include "ivp/multistep/blocked_multistep_step.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/not_finite.hpp"

namespace daewave::ivp {
namespace {

/// Shrinking by more than half at once disturbs the multiplier of adams-moulton.
Control control_of(const BlockedFormula& formula) {
  Control control;
  control.shrink = 0.5;
  control.safety = 0.8;
  control.grow = largest_step_ratio(formula);
  return control;
}

/// So small a part of the tolerance that starting values do not count.
double part_of(const Tolerance& tolerance, int nx) {
  double least = tolerance.relative();
  for (int i = 0; i < nx; ++i) least = std::min(least, tolerance.weight(i, 0, 0));
  return std::clamp(1e-3 * least, UnderlyingSolution::tightest, 1e-6);
}

}  // namespace

BlockedMultistepStep::BlockedMultistepStep(IndexTwoSystem& system, const BlockedFormula& formula,
                                           const Tolerance& tolerance, bool estimate,
                                           KnownSolution known, bool multipliers)
    : system_(system),
      formula_(formula),
      tolerance_(tolerance),
      estimates_(estimate),
      multipliers_(multipliers),
      known_(std::move(known)),
      control_(control_of(formula)),
      needed_(estimate ? formula.order_of_pair() + 1 : formula.k),
      underlying_(system,
                  estimate ? part_of(tolerance, system.nx()) : UnderlyingSolution::tightest),
      newton_(system, !estimate || multipliers) {}

bool BlockedMultistepStep::start(double t, const VecX& x) {
  const int nx = system_.nx(), nl = system_.nl();
  past_.start(nx, nl);
  newton_.start();
  ahead_.clear();
  for (VecX* values : {&D_, &predicted_, &weight_, &error_, &equation_.constant})
    values->setZero(nx);
  for (VecX* values : {&L_, &lambda_, &c_, &change_of_L_, &largest_lambda_}) values->setZero(nl);
  B_.setZero(nx, nl);
  start_h_ = 0;
  t_ = begin_of_step_ = t;
  if (!underlying_.start(t, x) || !underlying_.multiplier(lambda_)) {
    return fails(underlying_.failure());
  }
  if (known_ && !known_(t, error_, lambda_)) {
    return fails(failed_at_text("the starting value is not known", t));
  }
  if (!put_next(t, x, lambda_)) return false;
  largest_lambda_ = lambda_.cwiseAbs();
  past_.keep_next();
  return true;
}

double BlockedMultistepStep::attempt(double h) {
  if (starts()) return attempt_start(h);
  set_equation(h);
  for (int i = 0; estimates_ && i < weight_.size(); ++i) {
    weight_[i] = tolerance_.weight(i, state()[i], state()[i]);
  }
  unsolved_ = !newton_.solve(equation_, weight_, past_, D_, L_);
  if (unsolved_) {
    failure_ = newton_.failure();
    // Half the step.
    const double halves = std::pow(2 * control_.safety, error_order() + 1);
    return newton_.finite() && estimates_ ? halves : not_a_number;
  }
  PastNode& next = past_.next();
  next.t = trial_t_;
  next.f = newton_.f();
  next.lambda = L_;
  for (int j = 1; j <= formula_.k; ++j) next.lambda += at_.tau[j] * past_.node(j - 1).lambda;
  next.lambda /= at_.multiplier;
  if (estimates_) take_multiplier_of_state();
  next.term.noalias() = newton_.B() * next.lambda;
  return estimates_ ? error() : 0.0;
}

/// In a step as short as the rest of a piece may be. The difference D / h, in which lambda is, has
/// the part of the tolerance that Newton's method leaves, a thousandth, divided by h: here more
/// than a thousandth of what x' is.
void BlockedMultistepStep::take_multiplier_of_state() {
  PastNode& next = past_.next();
  if (tolerance_.norm(D_, state(), next.x) > 1) return;
  if (system_.underlying(trial_t_, next.x, error_, lambda_)) next.lambda = lambda_;
}

bool BlockedMultistepStep::accept() {
  if (starts()) {
    ahead_.erase(ahead_.begin());
  } else {
    ahead_.clear();
  }
  largest_lambda_ = largest_lambda_.cwiseMax(past_.next().lambda.cwiseAbs());
  past_.keep_next();
  begin_of_step_ = t_;
  t_ = trial_t_;
  return true;
}

/// Coefficients, the part of the equation that is known, and where its solution is expected.
void BlockedMultistepStep::set_equation(double h) {
  trial_t_ = t_ + h;
  past_.nodes_before(trial_t_, h, nodes_);
  find_coefficients(formula_, nodes_, at_);
  equation_.t = trial_t_;
  equation_.h = h;
  equation_.gamma = h / at_.increment[0];
  equation_.part = at_.slope[0];

  predicted_.setZero();
  for (int j = 1; j < at_.predicts_from; ++j) {
    predicted_ += at_.predict[j] * past_.node(j - 1).increment;
  }
  D_ = predicted_;
  VecX& s = equation_.constant;
  s.setZero();
  for (int j = 1; j <= formula_.k; ++j) {
    const PastNode& node = past_.node(j - 1);
    s -= h * (at_.slope[j] * node.f - at_.term[j] * node.term);
    if (j < formula_.k) s += at_.increment[j] * node.increment;
  }
  s /= at_.increment[0];

  L_.setZero();
  for (int j = 1; j <= at_.extrapolates_from; ++j) {
    L_ += at_.extrapolate[j] * past_.node(j - 1).lambda;
  }
  L_ *= at_.multiplier;
  for (int j = 1; j <= formula_.k; ++j) L_ -= at_.tau[j] * past_.node(j - 1).lambda;
}

/// lambda_ = tau lambda at the end of the step.
void BlockedMultistepStep::apply_tau() {
  const bool term = formula_.blocking == Blocking::term;
  lambda_ = (at_.slope[0] - at_.multiplier) * past_.next().lambda;
  for (int j = 1; j <= formula_.k; ++j) {
    lambda_ += (term ? at_.slope[j] - at_.term[j] : at_.tau[j]) * past_.node(j - 1).lambda;
  }
}

double BlockedMultistepStep::error() {
  error_ = at_.error * (D_ - predicted_);
  apply_tau();
  if (formula_.blocking == Blocking::term && formula_.c != 0) {
    // tau (B lambda) - B_n tau lambda: the order of x is k because of it.
    error_ += (equation_.gamma * (at_.slope[0] - at_.term[0])) * past_.next().term;
    for (int j = 1; j <= formula_.k; ++j) {
      error_ += (equation_.gamma * (at_.slope[j] - at_.term[j])) * past_.node(j - 1).term;
    }
    error_.noalias() -= equation_.gamma * (newton_.B() * lambda_);
  }
  // What lies across the constraints does not stay, but between nodes.
  newton_.filter(error_, change_of_L_);
  double of_x = tolerance_.norm(error_, state(), past_.next().x);
  error_ = at_.between * (D_ - predicted_);
  of_x = larger(of_x, tolerance_.norm(error_, state(), past_.next().x));
  if (!multipliers_) return of_x;
  // As if it were of the order of x, which is what the control of steps expects.
  const double power = (formula_.order() + 1.0) / formula_.k;
  return larger(of_x, std::pow(error_of_multiplier(), power));
}

/// In units of the tolerance: relative to lambda_i and a tenth of the largest of all that was seen,
/// as nobody has said what of lambda is small, and the smallest of the absolute ones.
double BlockedMultistepStep::error_of_multiplier() {
  const VecX& lambda = past_.next().lambda;
  double largest = 0, least = tolerance_.weight(0, 0, 0), most = 0;
  for (int i = 1; i < state().size(); ++i) least = std::min(least, tolerance_.weight(i, 0, 0));
  for (int i = 0; i < lambda.size(); ++i) {
    largest = std::max({largest, std::abs(lambda[i]), largest_lambda_[i]});
  }
  for (int i = 0; i < lambda.size(); ++i) {
    const double weight = tolerance_.relative() * (std::abs(lambda[i]) + 0.1 * largest) + least;
    const double error = std::abs(lambda_[i]) + std::abs(change_of_L_[i] / at_.multiplier);
    most = larger(most, error / weight);
  }
  return most;
}

/// A node that is known, as the next one.
bool BlockedMultistepStep::put_next(double t, const VecX& x, const VecX& lambda) {
  PastNode& next = past_.next();
  if (past_.count() == 0) {
    next.x = x;
    next.increment.setZero();
  } else {
    past_.set_next_x(x - state());
    next.x = x;
  }
  next.t = t;
  next.lambda = lambda;
  if (!system_.evaluate(t, x, next.f, B_, c_)) return fails(system_.failure());
  next.term.noalias() = B_ * lambda;
  return true;
}

bool BlockedMultistepStep::fails(const std::string& why) {
  failure_ = why;
  return false;
}

template <class Values>
void BlockedMultistepStep::interpolate_nodes(int most, double t, Values values, VecX& out) const {
  const double h = t_ == begin_of_step_ ? 1 : t_ - begin_of_step_;
  const int used = std::clamp(static_cast<int>(ahead_.size()), 0, most - 2);
  // Nodes ahead are numbered from the farthest, as those of the past.
  const auto ahead = [&](int j) -> const Ahead& {
    return ahead_[static_cast<std::size_t>(used - 1 - j)];
  };
  GridNodes nodes;
  nodes.count = std::min(used + past_.count(), most);
  for (int j = 0; j < nodes.count; ++j) {
    nodes.at[j] = ((j < used ? ahead(j).t : past_.node(j - used).t) - t_) / h;
  }
  const double theta = (t - t_) / h;
  out.setZero(values(past_.node(0)).size());
  for (int j = 0; j < nodes.count; ++j) {
    const VecX& at_node = j < used ? values(ahead(j)) : values(past_.node(j - used));
    out += lagrange(nodes, nodes.count, j, theta) * at_node;
  }
}

void BlockedMultistepStep::interpolate(double theta, VecX& out) {
  const double t = t_ - (1 - theta) * (t_ - begin_of_step_);
  interpolate_nodes(
      formula_.order_of_pair() + 1, t, [](const auto& node) -> const VecX& { return node.x; }, out);
}

bool BlockedMultistepStep::multiplier(VecX& lambda) {
  lambda = past_.node(0).lambda;
  return true;
}

bool BlockedMultistepStep::multiplier_at(double t, const VecX&, VecX& lambda) {
  interpolate_nodes(
      formula_.k + 1, t, [](const auto& node) -> const VecX& { return node.lambda; }, lambda);
  return true;
}

}  // namespace daewave::ivp
