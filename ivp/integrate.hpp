#pragma once
// The time loop: steps, fixed or as long as their errors allow, from the begin of an interval to
// its end, and what is given out on the way.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "ivp/event_watch.hpp"
#include "ivp/fixed_steps.hpp"
#include "ivp/monitors.hpp"
#include "ivp/options.hpp"
#include "ivp/output_times.hpp"
#include "ivp/progress_clock.hpp"
#include "ivp/recorder.hpp"
#include "ivp/run_report.hpp"
#include "ivp/sampled_output.hpp"
#include "ivp/solution.hpp"
#include "ivp/step.hpp"
#include "ivp/step_control.hpp"

namespace daewave::ivp {

/// The loop of one run; see integrate().
template <Step S>
class TimeLoop {
  using State = typename S::State;

 public:
  TimeLoop(S& step, Interval span, const Options& options, const Monitors<State>& monitors)
      : step_(step),
        span_(span),
        options_(options),
        monitors_(monitors),
        report_(solution_.report, span, options),
        recorder_(step, options, solution_),
        events_(options.events),
        times_(options.times, span) {}

  Solution run(const State& z0) {
    begin(z0);
    if (options_.h) {
      const FixedSteps nodes(span_, *options_.h);
      fixed_steps(nodes, 0, nodes.count());
    } else if (goes_on()) {
      controlled_steps();
    }
    return end(step_.evaluations());
  }

  // The same in parts, for a loop outside that knows when the next steps can be taken.

  /// False where the problem cannot be evaluated at the start.
  bool prepare(const State& z0) {
    before_ = std::chrono::steady_clock::now();
    solution_.nz = static_cast<int>(z0.size());
    solution_.second_order = monitors_.second_order;
    solution_.carries_By = monitors_.carries_By;
    t_ = span_.begin;
    sign_ = span_.end < span_.begin ? -1 : 1;
    until_output_ = options_.every;
    between_ = z0;
    if (step_.start(t_, z0)) return true;
    report_.diverged(step_.failure());
    return false;
  }

  void begin(const State& z0) {
    if (!prepare(z0)) return;
    keep_watch();
    watch();
    if (!recorder_.give(0, t_, step_.state())) stopped_by_sink(t_);
  }

  /// After prepare(): goes on at t from a checkpoint, to which the step has been brought.
  void resume(const Checkpoint& from, double t) {
    report_.resume(from.integration);
    t_ = t;
    if (options_.every > 0) until_output_ = options_.every - from.step % options_.every;
    while (times_.has_until(t_)) times_.take();
    keep_watch();
    if (!recorder_.give(from.step, t_, step_.state())) stopped_by_sink(t_);
  }
  const IntegrationReport& so_far() const { return report_.so_far(); }

  /// Steps number from, ..., to - 1, as long as the run goes on.
  void fixed_steps(const FixedSteps& nodes, long from, long to) {
    for (long i = from; i < to && goes_on(); ++i) {
      if (i >= options_.most_steps) return report_.too_many_steps(t_);
      const double next = nodes.node(i + 1);
      if (std::isnan(step_.attempt(next - step_.t())) || !step_.accept()) {
        return report_.diverged(step_.failure());
      }
      accepted(next);
    }
  }

  bool goes_on() const { return report_.goes_on(); }

  Solution end(long evaluations) {
    if (report_.steps() > 0 && !recorder_.has_given(t_)) {
      recorder_.give(report_.steps(), t_, step_.state());
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before_;
    report_.end(t_, evaluations, static_cast<long>(solution_.occurrences.size()), took.count());
    return std::move(solution_);
  }

 private:
  /// From t_ on.
  void keep_watch() {
    if (events_.watches()) events_.start(t_, VecX(step_.state()));
    if (!options_.dense) return;
    solution_.dense = dense_ = std::make_shared<SampledOutput>(solution_.nz, degree(), t_);
  }

  void controlled_steps() {
    const double tiny = 10 * std::numeric_limits<double>::epsilon();
    const double span = std::abs(span_.length());
    const double most = std::min(span, options_.largest_step.value_or(span));
    StepControl control(constants(), step_.error_order());
    double h = std::min(first_step(most), most);  // Its size; sign_ has the direction.
    double error = 0, tried = 0;  // Of the attempt before.
    while (report_.goes_on() && t_ != span_.end) {
      if (report_.attempts() >= options_.most_steps) return report_.too_many_steps(t_);
      const double left = std::abs(span_.end - t_);
      const bool last = 1.01 * h >= left;
      if (last) h = left;
      if (h <= tiny * std::max(std::abs(t_), tiny * span)) {
        return std::isnan(error) ? report_.diverged(step_.failure())
                                 : report_.step_too_small(t_, h, tried, error);
      }
      tried = h;
      error = step_.attempt(sign_ * h);
      if (error <= 1 && !step_.accept()) {
        if (step_.t() != t_) return report_.diverged(step_.failure());
        error = NAN;  // Nothing has moved: a shorter step may succeed.
      }
      if (error <= 1) {
        accepted(last ? span_.end : step_.t());
        h = std::min(next_length(h, control.after_accepted(error)), most);
      } else {
        report_.rejected();
        h = next_length(h, control.after_rejected(error));
      }
    }
  }

  double next_length(double h, double factor) const {
    if constexpr (ChoosesLength<S>) return step_.next_length();
    return h * factor;
  }

  Control constants() const {
    if (options_.control) return *options_.control;
    if constexpr (requires { step_.control(); }) return step_.control();
    return {};
  }

  int degree() const {
    if constexpr (requires { step_.dense_degree(); }) return step_.dense_degree();
    return 5;
  }

  double first_step(double most) {
    if (options_.first_step) return *options_.first_step;
    if constexpr (requires { step_.first_step(sign_, most); }) {
      return std::abs(step_.first_step(sign_, most));
    }
    return 1e-4 * most;
  }

  /// A step has led to t.
  void accepted(double t) {
    const double before = t_;
    t_ = t;
    report_.accepted(std::abs(t - before));
    if (dense_) sample(t);
    const bool cut = events_.watches() && happened(before, t);
    if (!give_between(before, t)) return;
    if (cut) return;
    watch();
    if (options_.times.empty() && --until_output_ == 0) {
      until_output_ = options_.every;
      if (!recorder_.give(report_.steps(), t_, step_.state())) return stopped_by_sink(t);
    }
    if (options_.progress && clock_.due()) show_progress();
  }

  void watch() {
    if (monitors_.drift) report_.drift(step_.drift());
    if (monitors_.energy) report_.energy(monitors_.energy(t_, step_.state()));
  }

  /// True where an event ends the run, at t_ inside the step.
  bool happened(double before, double t) {
    const auto at = [this](double theta, VecX& state) {
      step_.interpolate(theta, between_);
      state = between_;
    };
    event_state_ = step_.state();
    const std::vector<Occurrence>& found = events_.step(before, t, event_state_, at);
    solution_.occurrences.insert(solution_.occurrences.end(), found.begin(), found.end());
    if (found.empty() || !events_.stops(found.back())) return false;
    t_ = found.back().t;
    report_.at_event(options_.events[static_cast<std::size_t>(found.back().event)], t_);
    return true;
  }

  /// Times asked for in the step from `before` to t, and the end of a step cut short at t_.
  bool give_between(double before, double t) {
    const auto give = [&](double time) {
      if (time == t) return recorder_.give(report_.steps(), t, step_.state());
      step_.interpolate((time - before) / (t - before), between_);
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

  void sample(double t) {
    dense_->add_step(t);
    for (double theta : dense_->points()) {
      step_.interpolate(theta, between_);
      dense_->add(between_.data());
    }
  }

  void show_progress() {
    const Progress progress{t_, span_.begin, span_.end, report_.steps(), report_.largest_drift()};
    if (!options_.progress(progress)) report_.stopped("progress()", t_);
  }

  void stopped_by_sink(double t) {
    t_ = t;
    report_.stopped("the sink", t);
  }

  S& step_;
  Interval span_;
  const Options& options_;
  const Monitors<State>& monitors_;
  Solution solution_;
  RunReport report_;
  Recorder<S> recorder_;
  EventWatch events_;
  OutputTimes times_;
  std::shared_ptr<SampledOutput> dense_;
  ProgressClock clock_;
  std::chrono::steady_clock::time_point before_;
  State between_;
  VecX event_state_;
  double t_ = 0;
  double sign_ = 1;
  long until_output_ = 1;
};

/// Integrates from z0 over `span`; end < begin goes backward.
///
/// The start and the end are always given out, the end being where the run came to.
/// @throws InvalidOption, before any step. Numerical failure is told by the report.
template <Step S>
Solution integrate(S& step, const typename S::State& z0, Interval span, const Options& options,
                   const Monitors<typename S::State>& monitors = {}) {
  check(options);
  if (!options.h && step.error_order() == 0) {
    throw InvalidOption(
        "h: must be given, as the stepper does not estimate errors; or use dopri5, dop853, radau");
  }
  return TimeLoop<S>(step, span, options, monitors).run(z0);
}

}  // namespace daewave::ivp
