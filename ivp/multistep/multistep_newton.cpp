#include "ivp/multistep/multistep_newton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/blocks/singular_to_rounding.hpp"
#include "core/derivatives/moved_entries.hpp"
#include "core/not_finite.hpp"
#include "ivp/one_step/contraction.hpp"

namespace daewave::ivp {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// Estimated error of D that is accepted, in units of the goal.
constexpr double rounding_goal = 0.05 * epsilon, weight_goal = 1e-3;
/// Relative changes that may be rounding: forces of a stiff mechanism cancel to some digits less
/// than x has.
constexpr double rounding_level = 1e-10;
/// Entries of x below this part of the largest one are compared with that part.
constexpr double least_part = 1e-2;
/// Iterations that converge slower get new derivatives in the next step.
constexpr double slow = 0.2;
/// gamma may differ by this part from that of the factors.
constexpr double gamma_change = 0.02;
/// Of an iteration whose second change is not known: derivatives have become older since.
constexpr double least_contraction = 0.05;

}  // namespace

void MultistepNewton::start() {
  const int nx = system_.nx(), nl = system_.nl(), n = nx + nl;
  for (VecX* values : {&f_, &largest_, &size_, &moved_x_, &D_first_, &push_}) values->setZero(nx);
  for (VecX* values : {&c_, &L_first_}) values->setZero(nl);
  for (VecX* values : {&right_, &solved_, &stacked_, &moved_}) values->setZero(n);
  B_.setZero(nx, nl);
  kept_B_ = B_;
  derivatives_.setZero(n, nx);
  slope_x_.setZero(nx, nx);
  c_x_.setZero(nl, nx);
  matrix_.setIdentity(n, n);
  factor_.compute(matrix_);
  has_derivatives_ = false;
  factorized_gamma_ = 0;
  contraction_ = 1;
  rounding_seen_ = 0;
}

bool MultistepNewton::solve(const MultistepEquation& equation, const VecX& weight,
                            MultistepPast& past, VecX& D, VecX& L) {
  D_first_ = D;
  L_first_ = L;
  from_ = has_derivatives_ ? Derivatives::kept : Derivatives::of_step;
  while (true) {
    failure_ = iterate(equation, weight, past, D, L);
    const bool again = failure_ == Failure::slow || failure_ == Failure::singular;
    if (!again || from_ == Derivatives::of_iteration) break;
    from_ = from_ == Derivatives::kept ? Derivatives::of_step : Derivatives::of_iteration;
    has_derivatives_ = false;
    D = D_first_;
    L = L_first_;
  }
  if (failure_ == Failure::none) {
    if (contraction_ > slow) has_derivatives_ = false;
    return true;
  }
  has_derivatives_ = false;
  failed_t_ = equation.t - equation.h;
  failed_h_ = equation.h;
  return false;
}

MultistepNewton::Failure MultistepNewton::iterate(const MultistepEquation& equation,
                                                  const VecX& weight, MultistepPast& past, VecX& D,
                                                  VecX& L) {
  const int nx = static_cast<int>(D.size());
  const double goal = to_rounding_ ? rounding_goal : weight_goal;
  Contraction seen;
  constexpr int most_iterations = 15;
  for (int iteration = 1; iteration <= most_iterations; ++iteration) {
    past.set_next_x(D);
    const VecX& x = past.next().x;
    if (iteration == 1) see_sizes(x);
    if (!evaluate(equation.t, x)) return Failure::evaluation;
    if (from_ == Derivatives::of_iteration) has_derivatives_ = false;
    if (!has_derivatives_ && !differentiate(equation, x, L)) return Failure::evaluation;
    if (std::abs(equation.gamma / factorized_gamma_ - 1) > gamma_change &&
        !factorize(equation.gamma)) {
      return Failure::singular;
    }
    auto R = right_.head(nx);
    R = -D - equation.constant + (equation.gamma * equation.part) * f_;
    R.noalias() -= equation.gamma * (B_ * L);
    right_.tail(c_.size()) = -c_;
    solved_ = factor_.solve(right_);
    if (!solved_.allFinite()) return Failure::not_finite;
    // What dL does to D counts too: where B has vanished, D alone stands still.
    push_.noalias() = kept_B_ * solved_.tail(c_.size());
    const Change size = change(weight);
    D += solved_.head(nx);
    L += solved_.tail(c_.size()) / equation.gamma;
    double rate = std::max(contraction_, least_contraction);
    if (seen.see(size.relative)) {
      failed_rate_ = rate = seen.rate();
      if (iteration == 2) contraction_ = rate;
    }
    bool converged = Contraction::left(std::clamp(rate, 1e-4, 0.9), size.goal) <= goal;
    if (!converged && iteration > 1 && rate >= 0.9) {
      // Rounding stops changes that are small: as small as with derivatives of a step before.
      const bool fresh = from_ != Derivatives::kept;
      converged = size.relative <= (fresh ? rounding_level : 4 * rounding_seen_);
      if (converged && fresh) rounding_seen_ = std::max(rounding_seen_, size.relative);
      if (!converged && stops(rate, iteration)) return Failure::slow;
    }
    if (!converged) continue;
    past.set_next_x(D);
    return evaluate(equation.t, past.next().x) ? Failure::none : Failure::evaluation;
  }
  return Failure::slow;
}

/// Velocities that are large numbers make positions no larger; at rest velocities are what noise
/// has left.
void MultistepNewton::see_sizes(const VecX& x) {
  largest_ = largest_.cwiseMax(x.cwiseAbs());
  size_ = largest_.cwiseMax(least_part * largest_.maxCoeff());
  const int positions = system_.positions();
  if (positions == 0) return;
  const auto seen = largest_.head(positions);
  const double most = seen.maxCoeff();
  if (most > 0) size_.head(positions) = seen.cwiseMax(least_part * most);
}

/// Changes of full Newton may grow before they shrink.
bool MultistepNewton::stops(double rate, int iteration) const {
  if (from_ == Derivatives::of_iteration) return rate > 1e3;
  return rate > 2 || iteration > 2;
}

bool MultistepNewton::evaluate(double t, const VecX& x) {
  ++evaluations_;
  return system_.evaluate(t, x, f_, B_, c_);
}

bool MultistepNewton::differentiate(const MultistepEquation& equation, const VecX& x,
                                    const VecX& L) {
  const int nx = static_cast<int>(x.size()), nl = static_cast<int>(L.size());
  ++jacobians_;
  kept_B_ = B_;
  if (system_.has_jacobian()) {
    if (!system_.jacobian(equation.t, x, equation.part, L, slope_x_, c_x_)) return false;
  } else {
    const auto stack = [&](VecX& out) {
      out.head(nx) = equation.part * f_;
      out.head(nx).noalias() -= B_ * L;
      out.tail(nl) = c_;
    };
    stack(stacked_);
    // Half of the digits, also of entries that are zero at rest: there terms cancel, and how much
    // rounding they leave cannot be seen from what is left.
    const double digits = std::sqrt(epsilon);
    moved_x_ = x;
    const auto step = [&](int i, double) { return digits * std::max(size_[i], digits); };
    const auto column = [&](int i, double taken) {
      if (!evaluate(equation.t, moved_x_)) return false;
      stack(moved_);
      derivatives_.col(i) = (moved_ - stacked_) / taken;
      return true;
    };
    const auto entry = [&](int i) -> double& { return moved_x_[i]; };
    if (!move_each(nx, entry, step, column)) return false;
    if (!evaluate(equation.t, x)) return false;
    slope_x_ = derivatives_.topRows(nx);
    c_x_ = derivatives_.bottomRows(nl);
  }
  has_derivatives_ = true;
  factorized_gamma_ = 0;
  contraction_ = 1;
  return true;
}

bool MultistepNewton::factorize(double gamma) {
  const int nx = static_cast<int>(f_.size()), nl = static_cast<int>(c_.size());
  matrix_.topLeftCorner(nx, nx) = -gamma * slope_x_;
  matrix_.topLeftCorner(nx, nx).diagonal().array() += 1.0;
  matrix_.topRightCorner(nx, nl) = kept_B_;
  matrix_.bottomLeftCorner(nl, nx) = c_x_;
  matrix_.bottomRightCorner(nl, nl).setZero();
  factor_.compute(matrix_);
  ++factorizations_;
  factorized_gamma_ = gamma;
  const MatX& LU = factor_.matrixLU();
  return !is_singular_to_rounding(
      nx + nl, [&](int i, int j) { return LU(i, j); }, [&](int k) { return LU(k, k); });
}

MultistepNewton::Change MultistepNewton::change(const VecX& weight) const {
  Change size;
  for (int i = 0; i < largest_.size(); ++i) {
    const double move = larger(std::abs(solved_[i]), std::abs(push_[i]));
    size.relative = larger(size.relative, move / std::max(size_[i], 1e-300));
    if (!to_rounding_) size.goal = larger(size.goal, move / weight[i]);
  }
  if (to_rounding_) size.goal = size.relative;
  return size;
}

void MultistepNewton::filter(VecX& e, VecX& change_of_L) {
  right_.head(e.size()) = e;
  right_.tail(c_.size()).setZero();
  solved_ = factor_.solve(right_);
  e = solved_.head(e.size());
  change_of_L = solved_.tail(c_.size()) / factorized_gamma_;
}

std::string MultistepNewton::failure() const {
  switch (failure_) {
    case Failure::none:
      return "";
    case Failure::evaluation:
      return system_.failure();
    case Failure::not_finite:
      return fmt::format(
          "t = {:.10g}: Newton's method gives a number that is not finite, h = {:.3g}", failed_t_,
          failed_h_);
    case Failure::slow:
      return fmt::format(
          "t = {:.10g}: Newton's method does not converge with h = {:.3g}; the last change was "
          "{:.2g} of the one before",
          failed_t_, failed_h_, failed_rate_);
    case Failure::singular:
      return fmt::format(
          "t = {:.10g}: the matrix of Newton's method is singular, h = {:.3g}; the constraints are "
          "dependent there",
          failed_t_, failed_h_);
  }
  return "";
}

}  // namespace daewave::ivp
