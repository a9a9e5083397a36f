#include "ivp/run/run_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/not_finite.hpp"
#include "ivp/run/accumulation.hpp"
#include "ivp/run/event_changes.hpp"

namespace daewave::ivp {
namespace {

constexpr const char* not_smooth =
    "where f has a discontinuity (dry friction, a contact, a table) state it as an event with a "
    "change, as restart_times, or smoothly, as tanh(v / v0), by radau";

}  // namespace

RunReport::RunReport(Report& report, Interval span, const Options& options)
    : report_(report),
      went_(report.integration),
      options_(options),
      may_stop_(std::any_of(options.events.begin(), options.events.end(),
                            [](const Event& event) { return event.ends_run(); })) {
  went_.available = true;
  went_.begin = went_.reached = span.begin;
  went_.end = span.end;
  went_.smallest_step = std::numeric_limits<double>::infinity();
  report_.termination = Termination::converged;
  report_.message.clear();
}

void RunReport::resume(const IntegrationReport& before) {
  const double begin = went_.begin, end = went_.end;
  went_ = before;
  went_.begin = begin;
  went_.end = end;
}

double RunReport::largest_drift() const {
  return larger(went_.drift_position, went_.drift_velocity);
}

void RunReport::energy(double value) {
  if (!went_.has_energy) {
    went_.has_energy = true;
    went_.energy_start = value;
  }
  went_.energy_change = larger(went_.energy_change, std::abs(value - went_.energy_start));
}

void RunReport::diverged(const std::string& failure) {
  stop(Termination::diverged, failure,
       options_.h ? "a shorter h; leave h open" : "a smaller rtol; a shorter largest_step");
}

void RunReport::cannot_begin(const std::string& failure) {
  stop(Termination::diverged, failure,
       "a start, or parameters, with which the functions can be evaluated there");
}

void RunReport::singular(const std::string& why) {
  stop(Termination::singular_constraint, why,
       "where the motion stops there, a model without that configuration");
}

void RunReport::too_many_steps(double t) {
  const bool short_now = shorter_ > went_.steps / 4;
  stop(Termination::too_many_steps,
       fmt::format("most_steps = {} were used up at t = {:.10g}{}", options_.most_steps, t,
                   short_now ? fmt::format(", the last {} of them shorter than {:g} of the longest",
                                           shorter_, creeping_part)
                             : ""),
       short_now ? not_smooth : "a larger most_steps; a larger rtol");
}

double RunReport::most_steps_ahead() const {
  const auto most = static_cast<double>(options_.most_steps);
  const double part = mean_step_ / (slow_part * longest());
  if (part < 1) return most * std::sqrt(part);
  return may_stop_ ? std::numeric_limits<double>::infinity() : most_from_start * most;
}

void RunReport::crept(double t, double left) {
  const std::string why =
      shorter_ > most_creeping
          ? fmt::format(
                "the last {} steps, up to t = {:.10g}, are all shorter than {:g} of the "
                "longest, {:.3g}",
                shorter_, t, creeping_part, went_.largest_step)
          : fmt::format(
                "the last {} steps, up to t = {:.10g}, have h = {:.3g} in the mean, where "
                "{:.3g} was taken or expected; at that rate the rest takes {:.2g} steps, "
                "where {:.2g} would be many",
                slow_steps, t, mean_step_, longest(), left / mean_step_, most_steps_ahead());
  stop(Termination::step_too_small, fmt::format("{}: the run does not get on", why), not_smooth);
}

void RunReport::step_too_small(double t, double h, double tried, double error,
                               const std::string& unsolved) {
  const std::string why =
      !unsolved.empty()
          ? fmt::format("a step of h = {:.3g} was not solved ({}), and ", tried, unsolved)
      : error > 1 ? fmt::format("a step of h = {:.3g} had {:.3g} times the error allowed, and ",
                                tried, error)
                  : std::string();
  stop(Termination::step_too_small,
       fmt::format("at t = {:.10g} {}the next, h = {:.3g}, is lost in rounding", t, why, h),
       fmt::format("a singularity of the solution may be there; {}", not_smooth));
}

void RunReport::returns_at_once(const Event& event, double t, double h) {
  stop(Termination::step_too_small,
       fmt::format("event \"{}\" at t = {:.10g}: events accumulate: what it threw back is there "
                   "again within a step of h = {:.3g}, which cannot be shorter",
                   event.name, t, h),
       after_accumulation);
}

void RunReport::stopped(const char* by, double t) {
  stop(Termination::stopped, fmt::format("stopped by {} at t = {:.10g}", by, t));
}

void RunReport::threw(const std::string& what, double t) {
  stop(Termination::stopped,
       fmt::format("an exception was thrown in the step from t = {:.10g}: {}", t, what),
       "what is given out until there is valid; mend the function that throws, or end before");
}

void RunReport::event_failed(const std::string& failure) {
  stop(Termination::diverged, failure,
       "an event has to be a number at every state of the run: mend its function, or leave it out");
}

void RunReport::at_event(const Event& event, double t) {
  EventChanges::tell_end(event, t, report_);
  goes_on_ = false;
}

void RunReport::end(double reached, long evaluations, long events, double took) {
  if (went_.steps == 0) went_.smallest_step = 0;
  went_.reached = reached;
  went_.evaluations = evaluations;
  went_.events = events;
  report_.smallest_step = went_.smallest_step;
  report_.largest_step = went_.largest_step;
  report_.seconds.total = took;
  if (report_.message.empty()) {
    report_.message = fmt::format("reached t = {:.10g} in {} steps", reached, went_.steps);
  }
}

void RunReport::stop(Termination termination, std::string message, std::string advice) {
  goes_on_ = false;
  report_.termination = termination;
  report_.message = std::move(message);
  report_.advice = std::move(advice);
}

}  // namespace daewave::ivp
