#pragma once
// How a run goes along and why it ended: the part of the time loop that knows no types.

#include <string>

#include "core/not_finite.hpp"
#include "core/report/report.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/step.hpp"

namespace daewave::ivp {

class RunReport {
 public:
  RunReport(Report& report, Interval span, const Options& options);

  /// Goes on where a run before was stopped.
  void resume(const IntegrationReport& before);
  /// Changes of the energy are those from that value, not from the first one here.
  void measure_energy_from(double start) {
    went_.has_energy = true;
    went_.energy_start = start;
  }
  const IntegrationReport& so_far() const { return went_; }

  bool goes_on() const { return goes_on_; }
  long steps() const { return went_.steps; }
  long attempts() const { return went_.steps + went_.rejected; }

  /// A length that steps have where nothing special happens.
  void expects(double h) { expected_ = h; }
  void accepted(double h) {
    ++went_.steps;
    shorter_ = h < creeping_part * went_.largest_step ? shorter_ + 1 : 0;
    see_rate(h);
    went_.smallest_step = h < went_.smallest_step ? h : went_.smallest_step;
    went_.largest_step = h > went_.largest_step ? h : went_.largest_step;
  }
  void rejected() { ++went_.rejected; }
  void drift(const Drift& drift) {
    went_.drift_position = larger(went_.drift_position, drift.position);
    went_.drift_velocity = larger(went_.drift_velocity, drift.velocity);
  }
  double largest_drift() const;
  void energy(double value);

  void diverged(const std::string& failure);
  /// Before the first step, where neither steps nor tolerances matter.
  void cannot_begin(const std::string& failure);
  /// Constraints become dependent, and nothing leads over.
  void singular(const std::string& why);
  void too_many_steps(double t);
  /// Steps are so short, and have been for so long, that the run does not get on.
  /// @param left  of the interval.
  bool creeps(double left) const { return shorter_ > most_creeping || lasts_too_long(left); }
  void crept(double t, double left);
  /// @param h  of the step that is not tried.  @param tried, error  of the attempt before, 0 for
  ///           none.
  /// @param unsolved  why the equations of the step tried were not solved; empty: its error was too
  ///                  large.
  void step_too_small(double t, double h, double tried, double error, const std::string& unsolved);
  /// What an event at t threw back comes back to it within a step of h, and none can be shorter.
  void returns_at_once(const Event& event, double t, double h);
  void stopped(const char* by, double t);
  /// By the problem or an event, on the way from t.
  void threw(const std::string& what, double t);
  /// An event that is not a number.
  void event_failed(const std::string& failure);
  /// An event that ends the run: what was asked for, or a failure.
  void at_event(const Event& event, double t);
  /// After the last step. @param took  seconds.
  void end(double reached, long evaluations, long events, double took);

 private:
  /// A million of them lead no further than ten of the longest.
  static constexpr double creeping_part = 1e-5;
  static constexpr long most_creeping = 1'000'000;
  /// So many steps that together lead no further than ten of the longest, or of those expected, are
  /// slow: a rate at which the rest may take more than most_steps. Such a run would end anyway, and
  /// hours later: where f jumps and the solution stays at the jump, as dry friction that holds a
  /// body. The slower, the fewer: less than most_steps by the root of that ratio.
  static constexpr double slow_part = 1e-3;
  static constexpr long slow_steps = 10'000;
  /// Where they are as slow from the start, nothing longer is known: that many times most_steps,
  /// unless an event may end the run.
  static constexpr double most_from_start = 100;

  void see_rate(double h) {
    way_ += h;
    if (++counted_ < slow_steps) return;
    mean_step_ = way_ / static_cast<double>(slow_steps);
    counted_ = 0;
    way_ = 0;
  }
  double longest() const { return expected_ > went_.largest_step ? expected_ : went_.largest_step; }
  double most_steps_ahead() const;
  bool lasts_too_long(double left) const {
    return mean_step_ > 0 && left > mean_step_ * most_steps_ahead();
  }

  void stop(Termination termination, std::string message, std::string advice = {});

  Report& report_;
  IntegrationReport& went_;
  const Options& options_;
  bool goes_on_ = true;
  long shorter_ = 0;  ///< Steps in a row that are that short.
  double expected_ = 0;
  bool may_stop_;     ///< At an event.
  long counted_ = 0;  ///< Of the next `slow_steps`, which led over that way.
  double way_ = 0;
  double mean_step_ = 0;  ///< Of the last `slow_steps`; 0 before.
};

}  // namespace daewave::ivp
