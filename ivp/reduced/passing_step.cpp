#include "ivp/reduced/passing_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/not_finite.hpp"
#include "ivp/run/shifted.hpp"

namespace daewave::ivp {
namespace {

/// Below this part of the largest pivot it is looked at what lies ahead.
constexpr double near_part = 0.5;
/// Where it is below that, it is looked at where it falls in a step to less than the first, or is
/// below the second: where it turns far from zero, as of chains, looks would cost more than steps.
constexpr double falls_to_part = 0.8, close_part = 0.1;
/// A step in which the pivot falls to less is taken shorter.
constexpr double least_fall = 0.35;
/// A start with a smaller pivot, of the largest there, may be singular. G mixes units, in which a
/// regular one is small too: it is singular where the pivot is below the second of what it is
/// around. It is left by a window where one leads away.
constexpr double begins_part = 1e-4, begins_around = 1e-2;
/// And with less of what it is around it is dependent itself: nothing else leads away.
constexpr double at_once = 1e-6;
/// Of the way to dependent constraints a step of the formula may go.
constexpr double most_of_the_way = 0.5;
/// The last step of a run may be a hundredth longer than it was asked to be.
constexpr double stretched = 1.02;
/// Steps that are so much shorter than the way that is left creep, and so many of them may; of
/// those that are so much shorter than the longest, more.
constexpr double creeping_part = 1e-3;
constexpr long most_creeping = 2000, most_short = 200'000;

}  // namespace

PassingStep::PassingStep(Step& inner, ReducedOde& system,
                         std::function<std::unique_ptr<DaeSystem>()> constraints,
                         const Tolerance& tolerance, double rank_tolerance, bool by_velocities)
    : inner_(inner),
      system_(system),
      make_constraints_(std::move(constraints)),
      tolerance_(tolerance),
      rank_tolerance_(rank_tolerance),
      by_velocities_(by_velocities) {}

bool PassingStep::start(double t, const VecX& z) {
  const bool started = inner_.start(t, z);
  slope_ = moved_ = shift_ = z;
  blind_ = !system_.pivots().knows() && !system_.pivots().is_never_small();
  system_.pivots().reached();
  pivot_ = system_.pivots().last();
  near_ = begins_ = false;
  if (started && system_.pivots().is_never_small()) return true;
  look();
  near_ = false;  // Nothing larger has been seen.
  around_ = part_ < begins_part ? dependence_->part_of_around(t, z) : 1;
  begins_ = around_ < begins_around;
  return started || around_ < at_once;
}

void PassingStep::make_dependence() {
  if (dependence_) return;
  constraints_ = make_constraints_();
  dependence_ = std::make_unique<Dependence>(*constraints_, t(), state(), by_velocities_);
}

void PassingStep::look() {
  make_dependence();
  ++looks_;
  here_ = dependence_->reached(t(), state());
  part_ = dependence_->part();
  near_ = !(here_ > near_part);
  ahead_ = -1;
}

double PassingStep::attempt(double h) {
  failure_.clear();
  length_ = 0;
  trial_h_ = h;
  if (!ending_.empty()) return not_a_number;
  if (begins_) {
    const double error = by_window(h, 0);
    if (error <= 1) return error;
    ++refusals_;
    if (around_ > at_once && refusals_ > 5) {
      begins_ = false;
      refusals_ = 0;
    } else if (refusals_ > 40) {
      give_up("the start is there, and no step leads away from it: " + window_failure_);
      return not_a_number;
    }
    return shorter(0.5 * std::abs(h));
  }
  if (!near_) return by_formula(h);
  if (ahead_ < 0) ahead_ = ahead(h < 0 ? -1 : 1);
  if (ahead_ == 0) return by_formula(h);
  if (planned_ > 0 || here_ < 0.7 * tried_) {
    const double length = 2 * ahead_;
    if (planned_ == 0 && std::abs(std::abs(h) - length) > 1e-9 * length) {
      planned_ = length;
      return shorter(length);
    }
    planned_ = 0;
    const double inside = ahead_ / std::abs(h);
    // Beyond 1 where the run ends just before.
    if (inside < 1.1) {
      const double error = by_window(h, inside);
      if (error <= 1) return error;
    }
    tried_ = here_;
  }
  if (std::abs(h) > stretched * most_of_the_way * ahead_) return shorter(most_of_the_way * ahead_);
  return by_formula(h);
}

double PassingStep::by_formula(double h) {
  trying_ = Taken::formula;
  watch_creeping(h);
  if (!ending_.empty()) return not_a_number;
  PivotWatch& pivots = system_.pivots();
  pivots.mark();
  const double error = inner_.attempt(h);
  if (blind_ || !(error <= 1) || refusals_ >= 30) return error;
  const double least = pivots.since_mark();
  if (least < least_fall * pivot_ && least < near_part * pivots.most() && falls_within(h)) {
    ++refusals_;
    return shorter(0.5 * std::abs(h));
  }
  return error;
}

/// Pivots of an elimination fall too where it takes other columns, in some units far: what is left
/// of a row on the way tells, where that is known.
bool PassingStep::falls_within(double h) {
  constexpr int parts = 8;
  make_dependence();
  ++looks_;
  const double here = dependence_->at(t(), state());
  for (int k = 1; k <= parts; ++k) {
    const double theta = k / static_cast<double>(parts);
    if (!inner_.tried(theta, moved_)) return true;
    ++looks_;
    if (!(dependence_->at(t() + theta * h, moved_) > least_fall * here)) return true;
  }
  return false;
}

/// The formula's steps are so short that they do not get on.
void PassingStep::watch_creeping(double h) {
  if (!near_) {
    creeping_ = short_ = 0;
    return;
  }
  creeping_ = ahead_ > 0 && std::abs(h) < creeping_part * ahead_ ? creeping_ + 1 : 0;
  short_ = std::abs(h) < creeping_part * longest_ ? short_ + 1 : 0;
  if (creeping_ <= most_creeping && short_ <= most_short) return;
  give_up(fmt::format("steps of {:.1e} do not get on there{}, and no longer one leads over it: {}",
                      std::abs(h), creeping_ > most_creeping ? "" : ", or the problem is stiff",
                      window_failure_.empty() ? "none was seen ahead" : window_failure_));
}

/// With a smaller one a state that is wrong by the tolerance may be on any branch.
double PassingStep::least_pivot() const { return std::max(1e-6, 0.1 * tolerance_.relative()); }

void PassingStep::give_up(std::string why) {
  ending_ = fmt::format(
      "constraints become dependent near t = {:.10g} (the smallest pivot of G is {:.1e} of its "
      "largest): {}",
      t(), here_, why);
}

/// Of the loop: the step is tried again with that length.
double PassingStep::shorter(double length) {
  length_ = length;
  return std::numeric_limits<double>::infinity();
}

double PassingStep::by_window(double h, double inside) {
  trying_ = Taken::window;
  inside_ = inside;
  if (!window_) {
    window_ = std::make_unique<SingularWindow>(system_, *constraints_, tolerance_, rank_tolerance_);
  }
  ++looks_;
  if (begins_) {
    slope_.setZero();
    const int half = static_cast<int>(slope_.size()) / 2;
    if (system_.second_order()) slope_.head(half) = state().tail(half);
  } else if (!system_.rhs(t(), state(), slope_)) {
    window_failure_ = system_.failure();
    return not_a_number;
  }
  const double error = window_->solve(t(), state(), slope_, h, inside, begins_ ? 1e-3 : part_);
  window_failure_ = error > 1 ? fmt::format("its error is {:.1e} times what is allowed", error)
                              : window_->failure();
  return error;
}

bool PassingStep::accept() {
  taken_ = trying_;
  if (taken_ == Taken::window) {
    const double t1 = t() + trial_h_;
    window_->interpolate(1, moved_);
    shift_ = window_->end() - moved_;
    window_->interpolate(inside_, moved_);
    const double there = t() + inside_ * trial_h_;
    if (inside_ < 1)
      passages_.push_back({there, dependence_->at(there, moved_), std::abs(trial_h_)});
    const VecX end = window_->end();
    if (!inner_.start(t1, end)) return false;
    begins_ = false;
    length_ = natural_ > 0 ? natural_ : first_length(std::abs(trial_h_));
    tried_ = 2;
    refusals_ = 0;
  } else {
    if (!inner_.accept()) {
      failure_.clear();
      return false;
    }
    longest_ = std::max(longest_, std::abs(trial_h_));
    if (!near_) natural_ = std::abs(trial_h_);
    refusals_ = 0;
  }
  PivotWatch& pivots = system_.pivots();
  pivots.reached();
  const double before = pivot_;
  pivot_ = pivots.last();
  planned_ = 0;
  const bool falls = pivot_ < falls_to_part * before || pivot_ < close_part * pivots.most();
  if (blind_ || (pivot_ < near_part * pivots.most() && falls)) {
    look();
  } else {
    near_ = false;
  }
  if (!near_) tried_ = 2;
  if (near_ && taken_ == Taken::formula && here_ < least_pivot()) {
    give_up("the motion came to them, and no longer step leads over" +
            (window_failure_.empty() ? "" : ": " + window_failure_));
  }
  return true;
}

/// Behind a window before which no step was taken: what the formula, which has just begun there,
/// would choose next is of no step. 0 where the control chooses.
double PassingStep::first_length(double most) {
  return inner_.chooses_length() ? std::abs(inner_.first_step(1, most)) : 0;
}

/// What Dependence says of the state that lies ahead by s.
double PassingStep::measure_at(double s) {
  moved_ = state() + s * slope_;
  const int half = static_cast<int>(moved_.size()) / 2;
  if (system_.second_order()) moved_.head(half) += (s * s / 2) * slope_.tail(half);
  ++looks_;
  return dependence_->at(t() + s, moved_);
}

/// The zero of a pivot that falls like a straight line, by secants from this side of it.
double PassingStep::ahead(double sign) {
  ++looks_;
  if (!system_.rhs(t(), state(), slope_)) return 0;
  const double rate = slope_.norm() / std::max(state().norm(), 1e-300);
  double s = 1e-3 * std::min(here_ / std::max(rate, 1e-300), longest_ > 0 ? longest_ : 1.0);
  double before = here_, at = 0;
  for (int pass = 0; pass < 8; ++pass) {
    const double value = measure_at(sign * s);
    if (!(value < before)) return 0;
    const double zero = s + value * (s - at) / (before - value);
    if (!(zero > 0 && zero < 1e6 * std::max(longest_, 1e-6))) return 0;
    before = value;
    at = s;
    if (value < 0.02 * here_) return zero;
    s += 0.8 * (zero - s);
  }
  return 0;
}

void PassingStep::interpolate(double theta, VecX& out) {
  if (taken_ == Taken::formula) return inner_.interpolate(theta, out);
  window_->interpolate(theta, out);
  out += shifted(theta) * shift_;
}

void PassingStep::roughly(const double* theta, int count, int n, double* out) {
  if (taken_ == Taken::formula) return inner_.roughly(theta, count, n, out);
  Step::roughly(theta, count, n, out);
}

int PassingStep::dense_degree() const {
  return std::max(inner_.dense_degree(), SingularWindow::most_stages);
}

double PassingStep::first_step(double sign, double most) {
  if (!begins_) return inner_.first_step(sign, most);
  // z' is not known: as far as z changes by a hundredth.
  const int half = static_cast<int>(state().size()) / 2;
  const double rate = system_.second_order() ? state().tail(half).norm() : 1;
  const double size = std::max(state().norm(), 1e-3);
  return sign * std::min(most, rate > 0 ? 0.02 * size / rate : 1e-3 * most);
}

}  // namespace daewave::ivp
