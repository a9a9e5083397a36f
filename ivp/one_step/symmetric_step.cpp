#include "ivp/one_step/symmetric_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/not_finite.hpp"
#include "ivp/one_step/collocation_accuracy.hpp"
#include "ivp/one_step/contraction.hpp"
#include "ivp/one_step/difference_jacobian.hpp"

namespace daewave::ivp {
namespace {

constexpr int most_sweeps = 60, most_corrections = 20;
/// Sweeps look at the constraints when their changes are below this, and again each time they
/// have become smaller by `nearer`: mu is nearly that of the step before.
constexpr double near = 1e-5, nearer = 1e-4;
/// What a component that is small is compared with, as a part of the largest one.
constexpr double least_part = 1e-3;
constexpr double rounding = 1e-16;
/// Changes that shrink no more are rounding where they are below this.
constexpr double rounding_level = 1e-13;
constexpr double diverged = 1e6;

/// Of an iteration to rounding, from the sizes of its changes.
struct Convergence {
  Contraction seen{};
  bool done = false;    ///< From then on, as two iterations need not come there at once.
  bool regular = true;  ///< Changes follow each other at one rate, which tells the next.

  /// Done with a tenth of a rounding error left: more would lead away from the constraints, and
  /// from the energy, in the same direction step after step.
  void see(double size) {
    const bool measured = seen.see(size);
    const double rate = seen.rate();
    const bool shrinks = regular && measured && rate < 1;
    if (size <= rounding || (measured && rate >= 0.5 && size <= rounding_level) ||
        (shrinks && Contraction::left(rate, size) <= 0.1 * rounding)) {
      done = true;
    } else if (size > rounding_level) {
      done = false;
    }
  }
};

}  // namespace

SymmetricStep::SymmetricStep(OdeSystem& system, std::unique_ptr<NormalDirections> begin,
                             std::unique_ptr<NormalDirections> end, const Collocation& scheme,
                             StageIteration iteration)
    : system_(system),
      begin_(std::move(begin)),
      end_(std::move(end)),
      sweeps_(scheme, system.second_order()) {
  if (iteration == StageIteration::newton) {
    newton_ = std::make_unique<StageNewton>(stage_transform(scheme), NewtonGoal{});
  }
}

bool SymmetricStep::start(double t, const VecX& z) {
  t_ = t;
  z_ = before_ = trial_ = per_size_ = slope_ = pushed_ = weight_ = at_ = z;
  for (VecX* zero : {&lost_, &trial_lost_, &push_begin_, &push_end_, &moved_, &largest_}) {
    zero->setZero(z.size());
  }
  if (!evaluate(t, z_, slope_) || !all_finite("z'", slope_, t, failure_)) return false;
  sweeps_.start(slope_);
  if (newton_) newton_->start(static_cast<int>(z.size()));
  if (!begin_->evaluate(t, z_)) return not_finite(t);
  begin_->residual(off_);
  mu_ = off_;
  mu_.setZero();
  return true;
}

double SymmetricStep::attempt(double h) {
  system_.tries_from(t_);
  trial_h_ = h;
  measure(z_);
  // The multipliers of a step differ little from those of the step before.
  begin_->along(mu_, push_begin_);
  push_end_ = push_begin_;
  return newton_ ? attempt_by_newton(h) : attempt_by_sweeps(h);
}

bool SymmetricStep::accept() {
  before_.swap(z_);
  z_ = trial_;
  lost_ = trial_lost_;
  std::swap(begin_, end_);
  if (newton_) {
    newton_->accept(trial_h_);
  } else {
    sweeps_.accept(trial_h_);
  }
  t_ += trial_h_;
  return true;
}

void SymmetricStep::interpolate(double theta, VecX& out) {
  if (newton_) {
    newton_->interpolate(theta, out);
  } else {
    sweeps_.interpolate(theta, pushed_, out);
  }
  out += before_ + push_begin_;
  const double end = theta * theta * (3 - 2 * theta);
  out += end * push_end_ - (1 - end) * push_begin_;
}

int SymmetricStep::dense_degree() const { return std::max(3, sweeps_.scheme().stages); }

bool SymmetricStep::multiplier_at(double t, const VecX& z, VecX& carried) {
  if (system_.multiplier(t, z, carried)) return true;
  failure_ = system_.failure();
  return false;
}

double SymmetricStep::attempt_by_sweeps(double h) {
  const auto slope = [&](int j, const VecX& X, VecX& F) {
    return evaluate(t_ + sweeps_.scheme().c[j] * h, X, F);
  };
  sweeps_.predict(h);
  Convergence stages, ends{.regular = false};
  double look = near;
  for (int sweep = 1; sweep <= most_sweeps; ++sweep) {
    pushed_ = z_ + push_begin_;
    double change = 0;
    if (!sweeps_.sweep(pushed_, h, per_size_, slope, change)) return not_a_number;
    stages.see(change);
    if (change < look || stages.done) {
      look = nearer * change;
      sweeps_.increment(pushed_, h, trial_);
      if (!constrain(h, change)) return not_a_number;
      ends.see(change);
      if (stages.done && ends.done) return 0;
    }
    if (!(change < diverged)) break;
  }
  failure_ = fmt::format(
      "t = {:.10g}: sweeps over the stages do not converge with h = {:.3g}, the last change was "
      "{:.2g} of the one before",
      t_, h, stages.seen.rate());
  return not_a_number;
}

double SymmetricStep::attempt_by_newton(double h) {
  const auto slope = [&](int j, const VecX& X, VecX& F) {
    return evaluate(t_ + sweeps_.scheme().c[j] * h, X, F);
  };
  const auto differentiate = [&](int j, const VecX& X, const VecX& F, MatX& J) {
    const double t = j < 0 ? t_ : t_ + sweeps_.scheme().c[j] * h;
    at_ = j < 0 ? pushed_ : X;
    if (j < 0 && !evaluate(t, at_, slope_)) return false;
    if (j >= 0) slope_ = F;
    weigh_by_digits(z_, weight_);
    return difference_jacobian(
        [&](const VecX& moved, VecX& at_moved) { return evaluate(t, moved, at_moved); }, at_,
        slope_, weight_, h, trial_, J);
  };
  Convergence ends;
  for (int correction = 1; correction <= most_corrections; ++correction) {
    pushed_ = z_ + push_begin_;
    if (correction > 1) newton_->keep_stages();
    if (!newton_->solve(pushed_, h, weight_, slope, differentiate)) {
      if (newton_->evaluated()) failure_ = newton_->failure(t_);
      return not_a_number;
    }
    newton_->increment(trial_);
    double change = 0;
    if (!constrain(h, change)) return not_a_number;
    ends.see(change);
    if (ends.done) return 0;
  }
  failure_ = fmt::format(
      "t = {:.10g}: the projection at both ends of the step does not converge with h = {:.3g}", t_,
      h);
  return not_a_number;
}

bool SymmetricStep::evaluate(double t, const VecX& z, VecX& slope) {
  ++evaluations_;
  if (system_.rhs(t, z, slope)) return true;
  failure_ = system_.failure();
  return false;
}

/// per_size_: 1 / what changes of the components are compared with.
void SymmetricStep::measure(const VecX& z) {
  largest_ = largest_.cwiseMax(z.cwiseAbs());
  const double least =
      std::max(least_part * largest_.maxCoeff(), std::numeric_limits<double>::min());
  per_size_ = largest_.cwiseMax(least).cwiseInverse();
}

/// From z~_1 - z~_0 in trial_ to z_{n+1}; then the next mu.
/// @param change  out: by how much of their size that moves the components of z_{n+1}.
bool SymmetricStep::constrain(double h, double& change) {
  // What rounding cuts off is carried to the next step.
  trial_ += push_begin_ + push_end_ + lost_;
  trial_lost_ = trial_;
  trial_ += z_;
  trial_lost_ -= trial_ - z_;
  measure(trial_);
  const double t = t_ + h;
  if (!end_->evaluate(t, trial_)) return not_finite(t);
  end_->residual(off_);
  if (system_.second_order()) off_.position -= h / 2 * off_.velocity;
  mu_.add(-0.5, off_);
  begin_->along(mu_, push_begin_);
  moved_ = push_end_;
  end_->along(mu_, push_end_);
  moved_ -= push_end_;
  change = 0;
  for (int i = 0; i < moved_.size(); ++i) {
    const double part = std::abs(moved_[i]) * per_size_[i];
    change = part <= change ? change : part;  // So NaN stays.
  }
  return true;
}

bool SymmetricStep::not_finite(double t) {
  failure_ = fmt::format("t = {:.10g}: the constraints or G are not finite", t);
  return false;
}

}  // namespace daewave::ivp
