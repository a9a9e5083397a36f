#include "ivp/run/time_loop.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "ivp/run/thrown.hpp"

namespace daewave::ivp {

TimeLoop::TimeLoop(Step& step, VecX z0, Interval span, const Options& options,
                   const Monitors& monitors)
    : step_(step),
      z0_(std::move(z0)),
      span_(span),
      options_(options),
      monitors_(monitors),
      report_(solution_.report, span, options),
      recorder_(step, options, solution_),
      events_(options.events),
      times_(options.times, span),
      clock_(monitors.piece.clock != nullptr ? *monitors.piece.clock : own_clock_) {}

Solution TimeLoop::run() {
  begin();
  if (options_.h) {
    const FixedSteps nodes(span_, *options_.h);
    fixed_steps(nodes, 0, nodes.count());
  } else if (goes_on()) {
    guarded([this] { controlled_steps(); });
  }
  return end(step_.evaluations());
}

bool TimeLoop::prepare() {
  watch_.restart();
  solution_.nz = static_cast<int>(z0_.size());
  solution_.second_order = monitors_.second_order;
  solution_.carries_By = monitors_.carries_By;
  t_ = from_ = valid_t_ = span_.begin;
  valid_ = z0_;
  sign_ = span_.end < span_.begin ? -1 : 1;
  until_output_ = options_.every;
  if (const Leg* const leg = monitors_.piece.leg) {
    if (leg->until_output > 0 && options_.every > 0) until_output_ = leg->until_output;
    if (leg->energy_start) report_.measure_energy_from(*leg->energy_start);
  }
  if (step_.start(t_, z0_)) return true;
  report_.cannot_begin(step_.failure());
  return false;
}

void TimeLoop::begin() {
  if (!prepare()) return;
  solution_.motion.see(z0_.data(), solution_.nz);
  keep_watch();
  watch();
  if (!monitors_.piece.gives_begin) return recorder_.pass_over(t_);
  if (!give_now(0)) stopped_by_sink(t_);
}

void TimeLoop::resume(const Checkpoint& from, double t) {
  report_.resume(from.integration);
  t_ = from_ = valid_t_ = t;
  valid_ = step_.state();
  solution_.motion = from.motion;
  if (options_.every > 0) until_output_ = options_.every - from.step % options_.every;
  while (times_.has_until(t_)) times_.take();
  keep_watch();
  if (!give_now(from.step)) stopped_by_sink(t_);
}

/// What the problem or an event throws ends the run where all went well last.
template <class Steps>
void TimeLoop::guarded(const Steps& steps) {
  const auto what = thrown_in(steps);
  if (!what) return;
  gives_valid_ = true;
  t_ = valid_t_;
  report_.threw(*what, t_);
}

void TimeLoop::fixed_steps(const FixedSteps& nodes, long from, long to) {
  guarded([&] {
    for (long i = from; i < to && goes_on(); ++i) {
      if (i >= options_.most_steps) return report_.too_many_steps(t_);
      if (leg_ends()) return end_leg(0);
      const double next = nodes.node(i + 1);
      if (std::isnan(step_.attempt(next - step_.t())) || !step_.accept()) {
        return report_.diverged(step_.failure());
      }
      if (part_of_step(next) < 1) {
        return report_.returns_at_once(options_.events[*returning_], t_, std::abs(next - t_));
      }
      accepted(next);
    }
  });
}

Solution TimeLoop::end(long evaluations) {
  give_end();
  for (std::string& text : events_.overlooked()) {
    solution_.report.warnings.push_back(std::move(text));
  }
  report_.end(t_, evaluations, static_cast<long>(solution_.occurrences.size()), watch_.seconds());
  return std::move(solution_);
}

bool TimeLoop::give_now(long steps) {
  return as_thrown([&] { return recorder_.give(steps, t_); });
}

void TimeLoop::give_end() {
  const Leg* const leg = monitors_.piece.leg;
  if (leg != nullptr && leg->ended) return;  // The next one goes on from there.
  if (report_.steps() == 0 || recorder_.has_given(t_)) return;
  if (!gives_valid_) guarded([this] { recorder_.give(report_.steps(), t_); });
  if (!gives_valid_ || recorder_.has_given(t_)) return;
  as_thrown([this] { return recorder_.give_alone(report_.steps(), t_, valid_); });
}

/// From t_ on.
void TimeLoop::keep_watch() {
  if (events_.watches() &&
      !events_.start(t_, step_.state(), monitors_.piece.passed, monitors_.piece.rounding)) {
    report_.event_failed(events_.failure());
  }
  if (!options_.dense) return;
  solution_.dense = dense_ =
      std::make_shared<SampledOutput>(solution_.nz, step_.dense_degree(), t_);
}

void TimeLoop::controlled_steps() {
  const double tiny = 10 * std::numeric_limits<double>::epsilon();
  const double span = std::abs(span_.length());
  const auto lost = [&](double h) { return h <= tiny * std::max(std::abs(t_), tiny * span); };
  const double most = std::min(span, options_.largest_step.value_or(span));
  StepControl control(options_.control ? *options_.control : step_.control(), step_.error_order());
  double h = std::min(first_step(most), most);  // Its size; sign_ has the direction.
  report_.expects(h);
  double error = 0, tried = 0;  // Of the attempt before.
  while (report_.goes_on() && t_ != span_.end) {
    if (report_.attempts() >= options_.most_steps) return report_.too_many_steps(t_);
    if (leg_ends()) return end_leg(h);
    const double left = std::abs(span_.end - t_);
    if (report_.creeps(left)) return report_.crept(t_, left);
    const bool last = 1.01 * h >= left;
    if (last) h = left;
    if (lost(h)) {
      return std::isnan(error) ? report_.diverged(step_.failure())
                               : report_.step_too_small(t_, h, tried, error,
                                                        step_.unsolved() ? step_.failure() : "");
    }
    tried = h;
    error = step_.attempt(sign_ * h);
    if (!(error <= 1)) {
      const std::string ending = step_.ending();
      if (!ending.empty()) return report_.singular(ending);
    }
    if (error <= 1 && !step_.accept()) {
      if (step_.t() != t_) return report_.diverged(step_.failure());
      error = NAN;  // Nothing has moved: a shorter step may succeed.
    }
    if (const double part = error <= 1 ? part_of_step(step_.t()) : 1; part < 1) {
      report_.rejected();
      if (returning_ && lost(part * h)) {
        return report_.returns_at_once(options_.events[*returning_], t_, h);
      }
      if (!begin_again()) return;
      if (!returning_) control.remember_rejected();
      h *= part;
    } else if (error <= 1) {
      accepted(last ? span_.end : step_.t());
      h = std::min(length_after_accepted(h, error, control), most);
    } else {
      report_.rejected();
      h = length_after_rejected(h, error, control);
    }
  }
}

bool TimeLoop::leg_ends() const {
  const Leg* const leg = monitors_.piece.leg;
  return leg != nullptr && report_.steps() >= leg->steps;
}

void TimeLoop::end_leg(double next_step) {
  Leg& leg = *monitors_.piece.leg;
  leg.ended = true;
  leg.t = t_;
  leg.z = valid_;
  leg.next_step = next_step;
  leg.until_output = until_output_;
  if (report_.so_far().has_energy) leg.energy_start = report_.so_far().energy_start;
}

double TimeLoop::length_after_accepted(double h, double error, StepControl& control) const {
  if (!step_.chooses_length()) return h * control.after_accepted(error);
  control.remember_accepted(error);
  return step_.next_length();
}

double TimeLoop::length_after_rejected(double h, double error, StepControl& control) const {
  if (!step_.chooses_length()) return h * control.after_rejected(error);
  control.remember_rejected();
  return step_.next_length();
}

double TimeLoop::first_step(double most) {
  if (options_.first_step) return *options_.first_step;
  return std::abs(step_.first_step(sign_, most));
}

/// From where the step that was accepted began.
bool TimeLoop::begin_again() {
  if (!step_.start(t_, valid_)) return report_.diverged(step_.failure()), false;
  const Piece& piece = monitors_.piece;
  if (report_.steps() == 0 ? events_.start(t_, valid_, piece.passed, piece.rounding)
                           : events_.go_back(t_, valid_)) {
    return true;
  }
  report_.event_failed(events_.failure());
  return false;
}

/// How much of the step that has led to t may be taken, 1 for all.
double TimeLoop::part_of_step(double t) {
  returning_.reset();
  const double part = part_by_constraints(t);
  return part < 1 || !events_.watches() ? part : part_by_events(t);
}

double TimeLoop::part_by_constraints(double t) {
  if (monitors_.between == nullptr) return 1;
  // Some formulas are less exact inside of steps than at their ends.
  const double many = step_.solved_degree() > 0 ? 100 : 10;
  return monitors_.between->part_of_step(t_, t, step_, many);
}

/// By what it tells of events.
double TimeLoop::part_by_events(double t) {
  constexpr double shorter = 1.0 / 8;
  const auto at = [this](double theta, VecX& state) { step_.interpolate(theta, state); };
  const double part = report_.steps() > 0 ? 1 : events_.part_of_first(t_, t, step_.state(), at);
  if (part < 1) returning_ = events_.returning();
  // Only a step of order 1 may be so rough that positions and velocities do not agree in it.
  if (part < 1 || step_.error_order() != 1 || !monitors_.second_order) return part;
  found_ = &look_for_events(t_, t);
  if (!events_.failure().empty()) return 1;
  const auto rough = std::find_if(found_->begin(), found_->end(),
                                  [&](const Occurrence& one) { return !agrees(one, t); });
  if (rough == found_->end()) return 1;
  returning_ = static_cast<std::size_t>(rough->event);
  found_ = nullptr;
  return shorter;
}

/// By the positions of the step that has led to t the event is passed about as fast as by its
/// velocities, which its change takes. Where a flight is as short as a few steps of order 1, an
/// impact may else be found on the way up.
bool TimeLoop::agrees(const Occurrence& found, double t) {
  const Event& event = options_.events[static_cast<std::size_t>(found.event)];
  if (!event.change || found.t == t_) return true;
  constexpr double beside = 0.01, times = 1.25;
  const auto n = found.state.size() / 2;
  const double h = t - t_, middle = (found.t - t_) / h;
  double by_positions = 0, by_velocities = 0;
  for (const double side : {-1.0, 1.0}) {
    const double theta = std::clamp(middle + side * beside, 0.0, 1.0);
    step_.interpolate(theta, between_);
    by_positions += side * event.function(t_ + theta * h, between_);
    between_.head(n) = found.state.head(n) + (theta - middle) * h * found.state.tail(n);
    by_velocities += side * event.function(t_ + theta * h, between_);
  }
  const auto& rounding = monitors_.piece.rounding;
  const double rounded = rounding ? 4 * rounding(found.event, found.t, found.state) : 0;
  if (std::abs(by_positions - by_velocities) <= rounded) return true;
  const double ratio = by_velocities / by_positions;
  return ratio * times >= 1 && ratio <= times;
}

/// A step has led to t.
void TimeLoop::accepted(double t) {
  const double before = t_;
  t_ = t;
  report_.accepted(std::abs(t - before));
  const bool cut = events_.watches() && happened(before, t);
  if (!events_.failure().empty()) return;
  if (dense_) sample(t);
  valid_t_ = t;
  valid_ = step_.state();
  solution_.motion.see(valid_.data(), solution_.nz);
  if (!give_between(before, t)) return;
  if (cut) return tell_progress();
  watch();
  if (options_.times.empty() && --until_output_ == 0) {
    until_output_ = options_.every;
    if (!recorder_.give(report_.steps(), t_)) return stopped_by_sink(t);
  }
  tell_progress();
}

void TimeLoop::watch() {
  if (monitors_.node) monitors_.node(t_, step_.state());
  if (monitors_.root && step_.multiplier(root_)) monitors_.root(t_, step_.state(), root_);
  if (monitors_.drift) report_.drift(step_.drift());
  if (monitors_.energy) report_.energy(monitors_.energy(t_, step_.state()));
}

/// In the step from `before` to t.
const std::vector<Occurrence>& TimeLoop::look_for_events(double before, double t) {
  const auto at = [this](double theta, VecX& state) { step_.interpolate(theta, state); };
  EventWatch::Solved solved;
  if (step_.solved_degree() > 0) {
    solved = [this](double theta, VecX& state) { return step_.solve_inside(theta, state); };
  }
  return events_.step(before, t, step_.state(), at, step_.is_long(), solved);
}

/// True where an event ends the run, at t_ inside the step.
bool TimeLoop::happened(double before, double t) {
  const std::vector<Occurrence>& found = found_ ? *found_ : look_for_events(before, t);
  found_ = nullptr;
  if (!events_.failure().empty()) {
    // Beyond an event that was not found the state may be another one.
    t_ = valid_t_;
    gives_valid_ = true;
    report_.event_failed(events_.failure());
    return true;
  }
  solution_.occurrences.insert(solution_.occurrences.end(), found.begin(), found.end());
  const auto last = std::find_if(found.begin(), found.end(),
                                 [this](const Occurrence& one) { return events_.ends(one); });
  if (last == found.end()) return false;
  t_ = found.back().t;
  report_.at_event(options_.events[static_cast<std::size_t>(last->event)], t_);
  return true;
}

/// Times asked for in the step from `before` to t, and the end of a step cut short at t_.
bool TimeLoop::give_between(double before, double t) {
  const std::unique_ptr<SampledOutput> solved = solved_inside(before, t);
  const auto give = [&](double time) {
    if (time == t) return recorder_.give(report_.steps(), t);
    if (solved) {
      between_ = solved->at(time);
    } else {
      look_inside((time - before) / (t - before));
    }
    return recorder_.give_between(report_.steps(), time, between_);
  };
  while (times_.has_until(t_)) {
    const double time = times_.take();
    if (give(time)) continue;
    stopped_by_sink(time);
    return false;
  }
  if (t_ != t && !recorder_.has_given(t_)) {
    between_ = solution_.occurrences.back().state;
    recorder_.give_between(report_.steps(), t_, between_);
  }
  return true;
}

/// The state in the step last accepted, as exact as its end, to between_.
void TimeLoop::look_inside(double theta) {
  if (step_.solved_degree() > 0 && step_.solve_inside(theta, between_)) return;
  step_.interpolate(theta, between_);
}

/// Where more times are asked for in the step than a polynomial that is as exact takes states, that
/// polynomial; else null.
std::unique_ptr<SampledOutput> TimeLoop::solved_inside(double before, double t) {
  const int degree = step_.solved_degree();
  if (degree == 0 || times_.count_until(t_) < degree) return nullptr;
  auto solved = std::make_unique<SampledOutput>(solution_.nz, degree, before);
  for (const double theta : solved->points()) {
    if (theta > 0 && theta < 1) {
      look_inside(theta);
    } else {
      step_.interpolate(theta, between_);
    }
    solved->add(between_.data());
  }
  solved->add_step(t);
  return solved;
}

void TimeLoop::sample(double t) {
  for (double theta : dense_->points()) {
    step_.interpolate(theta, between_);
    dense_->add(between_.data());
  }
  dense_->add_step(t);  // Last: where a point cannot be evaluated there is no such step.
}

void TimeLoop::tell_progress() {
  if (!options_.progress || !clock_.due()) return;
  RunProgress progress{t_, span_.begin, span_.end, report_.steps(), report_.largest_drift()};
  if (monitors_.drift) {
    for (int s = 1; s <= step_.iterates(); ++s) {
      const Drift drift = step_.drift_of(s);
      progress.drift_of_iterates.push_back(larger(drift.position, drift.velocity));
    }
  }
  progress.seconds = watch_.seconds();
  if (t_ != from_) progress.seconds_left = progress.seconds * ((span_.end - t_) / (t_ - from_));
  if (!by_caller([&] { return options_.progress(progress); })) report_.stopped("progress()", t_);
}

void TimeLoop::stopped_by_sink(double t) {
  t_ = t;
  report_.stopped("the sink", t);
}

}  // namespace daewave::ivp
