// The first steps of a beta-blocked formula: values it takes instead of solving for them, and how
// far apart.

#include <algorithm>
#include <cmath>

#include "core/not_finite.hpp"
#include "ivp/multistep/blocked_multistep_step.hpp"

namespace daewave::ivp {
namespace {

/// Steps of DOP853 between two starting values; while a length is looked for, more tell that it is
/// too long.
constexpr int any_number = 100000, few = 4;

}  // namespace

double BlockedMultistepStep::attempt_start(double h) {
  trial_t_ = t_ + h;
  const bool follows =
      !ahead_.empty() && std::abs(ahead_.front().t - trial_t_) <= 1e-12 * std::abs(h);
  if (!follows && !look_ahead(h, any_number)) return not_a_number;
  const Ahead& next = ahead_.front();
  trial_t_ = next.t;
  if (!put_next(next.t, next.x, next.lambda)) return not_a_number;
  if (!estimates_) return 0;
  return start_error_ * std::pow(std::abs(h / start_h_), formula_.order() + 1);
}

std::size_t BlockedMultistepStep::nodes_to_look_at() const {
  const int missing = formula_.order_of_pair() + 1 - past_.count() + (estimates_ ? 1 : 0);
  return static_cast<std::size_t>(missing);
}

/// Fills ahead_ with the starting values that are missing, h apart, and as many as dense output
/// takes; with error control one more, to estimate the error that the formula would make.
bool BlockedMultistepStep::look_ahead(double h, int most_steps) {
  const std::size_t count = nodes_to_look_at();
  ahead_.resize(count);
  if (!known_ && !underlying_.start(t_, state())) return fails(underlying_.failure());
  for (std::size_t i = 0; i < count; ++i) {
    const double t = t_ + static_cast<double>(i + 1) * h;
    // What is to be exact to rounding takes no step as long as the formula's.
    const double longest = (estimates_ ? 1.0 : 0.5) * std::abs(h);
    if (ahead_to(t, longest, most_steps, ahead_[i])) continue;
    // Only the first is asked for. Nodes beyond may lie where the problem is not defined.
    ahead_.resize(i);
    if (i == 0) return false;
    break;
  }
  start_h_ = h;
  start_error_ = ahead_.size() == count && estimates_ ? error_of_start(h) : 0;
  return true;
}

bool BlockedMultistepStep::ahead_to(double t, double longest, int most_steps, Ahead& node) {
  node.t = t;
  node.x.resize(system_.nx());
  node.lambda.resize(system_.nl());
  if (known_) {
    if (known_(t, node.x, node.lambda)) return true;
    return fails(failed_at_text("the starting value is not known", t));
  }
  if (!underlying_.go_to(t, longest, most_steps) || !underlying_.multiplier(node.lambda)) {
    return fails(underlying_.failure());
  }
  node.x = underlying_.x();
  return true;
}

/// Of a formula with the nodes of the past, those ahead as its past and the last of them as its
/// end.
double BlockedMultistepStep::error_of_start(double h) {
  const int ahead = static_cast<int>(ahead_.size()), count = needed_ + 1;
  const auto x = [&](int j) -> const VecX& {
    return j < ahead ? ahead_[static_cast<std::size_t>(ahead - 1 - j)].x : past_.node(j - ahead).x;
  };
  const auto time = [&](int j) {
    return j < ahead ? ahead_[static_cast<std::size_t>(ahead - 1 - j)].t : past_.node(j - ahead).t;
  };
  nodes_.count = count;
  for (int j = 0; j < count; ++j) nodes_.at[j] = (time(j) - time(0)) / h;
  find_coefficients(formula_, nodes_, at_);
  error_ = x(0) - x(1);
  for (int j = 1; j < at_.predicts_from; ++j) error_ -= at_.predict[j] * (x(j) - x(j + 1));
  error_ *= at_.error;  // Without the part of tau (B lambda), which the first step shows.
  return tolerance_.norm(error_, x(1), x(0));
}

double BlockedMultistepStep::first_step(double sign, double most) {
  const VecX& x = state();
  const double size = tolerance_.norm(x, x, x);
  const double speed = tolerance_.norm(underlying_.slope(), x, x);
  double longest = most / (needed_ + 1);
  double h = size > 1e-5 && speed > 1e-5 ? 0.01 * (size / speed) : 1e-3 * most;
  h = std::min(h, longest);
  constexpr int most_trials = 12;
  for (int i = 0; i < most_trials; ++i) {
    const bool looked = look_ahead(sign * h, few);
    const bool all = looked && ahead_.size() == nodes_to_look_at();
    const double wanted =
        std::pow(0.5 / std::max(start_error_, 1e-12), 1.0 / (formula_.order() + 1));
    if (all && start_error_ <= 1) {
      const double longer = std::min({h * wanted, 10 * h, longest});
      if (longer <= longer_by() * h) return sign * h;
      h = longer;
    } else {
      // Rest may end there: what is shorter may show no error at all.
      longest = 0.5 * h;
      h *= all ? std::clamp(wanted, 0.1, 0.5) : 0.1;
    }
  }
  ahead_.clear();
  return sign * h;
}

/// The growth that steps reach by less work than starting values of a longer step take: those are
/// some nodes with a dozen evaluations each, a step and its part of a Jacobian are about eight.
double BlockedMultistepStep::longer_by() const {
  return std::clamp(std::pow(control_.grow, 1.5 * (needed_ + 1)), 1.5, 10.0);
}

}  // namespace daewave::ivp
