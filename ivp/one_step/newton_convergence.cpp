#include "ivp/one_step/newton_convergence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daewave::ivp {

NewtonConvergence::NewtonConvergence(const NewtonGoal& goal, int stages)
    : goal_(goal),
      stages_(stages),
      most_iterations_(goal.rounding ? 30 : std::max(7, 2 * stages + 1)) {}

void NewtonConvergence::start(int n) {
  largest_.setZero(n);
  size_.setZero(n);
  contraction_ = 1;
}

void NewtonConvergence::begin_step(const VecX& x) { largest_ = largest_.cwiseMax(x.cwiseAbs()); }

void NewtonConvergence::begin_iteration() {
  seen_.begin();
  rate_ = rate_before_ = 0;
}

void NewtonConvergence::forget() { contraction_ = std::pow(std::max(contraction_, 1e-16), 0.8); }

void NewtonConvergence::begin_stages() { size_ = largest_; }

void NewtonConvergence::see_stage(const VecX& X) {
  if (goal_.rounding) size_ = size_.cwiseMax(X.cwiseAbs());
}

double NewtonConvergence::size_of(const StageRow<VecX>& dZ, const VecX& weight) const {
  const int n = static_cast<int>(largest_.size());
  if (!goal_.rounding) {
    double sum = 0;
    for (int j = 0; j < stages_; ++j) sum += dZ[j].cwiseQuotient(weight).squaredNorm();
    return std::sqrt(sum / std::max(1, n * stages_));
  }
  double most = 0;
  const double least =
      std::max(n > 0 ? floor_ * size_.maxCoeff() : 0, std::numeric_limits<double>::min());
  for (int j = 0; j < stages_; ++j) {
    for (int i = 0; i < n; ++i) {
      const double change = std::abs(dZ[j][i]);
      if (!std::isfinite(change)) return change;
      if (change > 0) most = std::max(most, change / std::max(least, size_[i]));
    }
  }
  return most;
}

bool NewtonConvergence::measure(double change, int iteration) {
  if (!seen_.see(change)) return false;
  const double quotient = seen_.rate();
  rate_ = iteration == 2 ? quotient : std::sqrt(quotient * rate_before_);
  rate_before_ = quotient;
  if (rate_ < 0.99) contraction_ = Contraction::left(rate_, 1);
  if (goal_.rounding) contraction_ = std::max(contraction_, least_contraction_);
  return true;
}

bool NewtonConvergence::too_slow(double change, int iteration) const {
  if (goal_.rounding) return false;
  return contraction_ * change * std::pow(rate_, most_iterations_ - 1 - iteration) >= goal_.error;
}

}  // namespace daewave::ivp
