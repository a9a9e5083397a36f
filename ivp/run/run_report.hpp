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
  const IntegrationReport& so_far() const { return went_; }

  bool goes_on() const { return goes_on_; }
  long steps() const { return went_.steps; }
  long attempts() const { return went_.steps + went_.rejected; }

  void accepted(double h) {
    ++went_.steps;
    shorter_ = h < creeping_part * went_.largest_step ? shorter_ + 1 : 0;
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
  /// Constraints become dependent, and nothing leads over.
  void singular(const std::string& why);
  void too_many_steps(double t);
  /// Steps are so short, and have been for so long, that the run does not get on.
  bool creeps() const { return shorter_ > most_creeping; }
  void crept(double t);
  /// @param h  of the step that is not tried.  @param tried, error  of the attempt before, 0 for
  ///           none.
  void step_too_small(double t, double h, double tried, double error);
  void stopped(const char* by, double t);
  /// By the problem or an event, on the way from t.
  void threw(const std::string& what, double t);
  /// An event that is not a number.
  void event_failed(const std::string& failure);
  /// An event with Then::stop: what was asked for.
  void at_event(const Event& event, double t);
  /// After the last step. @param took  seconds.
  void end(double reached, long evaluations, long events, double took);

 private:
  /// A million of them lead no further than ten of the longest.
  static constexpr double creeping_part = 1e-5;
  static constexpr long most_creeping = 1'000'000;

  void stop(Termination termination, std::string message, std::string advice = {});

  Report& report_;
  IntegrationReport& went_;
  const Options& options_;
  bool goes_on_ = true;
  long shorter_ = 0;  ///< Steps in a row that are that short.
};

}  // namespace daewave::ivp
