#pragma once
// The time loop: steps, fixed or as long as their errors allow, from the begin of an interval to
// its end, and what is given out on the way.

#include <memory>
#include <optional>

#include "core/report/stopwatch.hpp"
#include "core/types.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/event_watch.hpp"
#include "ivp/run/fixed_steps.hpp"
#include "ivp/run/monitors.hpp"
#include "ivp/run/output_times.hpp"
#include "ivp/run/progress_clock.hpp"
#include "ivp/run/recorder.hpp"
#include "ivp/run/run_report.hpp"
#include "ivp/run/sampled_output.hpp"
#include "ivp/run/solution.hpp"
#include "ivp/run/step.hpp"

namespace daewave::ivp {

/// The loop of one run; see integrate().
class TimeLoop {
 public:
  /// @param step, options, monitors  kept by reference.
  TimeLoop(Step& step, VecX z0, Interval span, const Options& options, const Monitors& monitors);

  Solution run();

  // The same in parts, for a loop outside that knows when the next steps can be taken.

  /// False where the problem cannot be evaluated at the start.
  bool prepare();
  void begin();
  /// After prepare(): goes on at t from a checkpoint, to which the step has been brought.
  void resume(const Checkpoint& from, double t);
  const IntegrationReport& so_far() const { return report_.so_far(); }
  const Motion& motion() const { return solution_.motion; }
  /// Steps number from, ..., to - 1, as long as the run goes on.
  void fixed_steps(const FixedSteps& nodes, long from, long to);
  bool goes_on() const { return report_.goes_on(); }
  Solution end(long evaluations);

 private:
  void keep_watch();
  void controlled_steps();
  bool leg_ends() const;
  void end_leg(double next_step);
  double length_after_accepted(double h, double error, StepControl& control) const;
  double length_after_rejected(double h, double error, StepControl& control) const;
  double first_step(double most);
  void accepted(double t);
  template <class Steps>
  void guarded(const Steps& steps);
  void watch();
  bool happened(double before, double t);
  const std::vector<Occurrence>& look_for_events(double before, double t);
  bool give_between(double before, double t);
  void look_inside(double theta);
  std::unique_ptr<SampledOutput> solved_inside(double before, double t);
  void sample(double t);
  bool begin_again();
  double part_of_step(double t);
  double part_by_constraints(double t);
  double part_by_events(double t);
  bool agrees(const Occurrence& found, double t);
  bool give_now(long steps);
  void give_end();
  void tell_progress();
  void stopped_by_sink(double t);

  Step& step_;
  VecX z0_;
  Interval span_;
  const Options& options_;
  const Monitors& monitors_;
  Solution solution_;
  RunReport report_;
  Recorder recorder_;
  EventWatch events_;
  const std::vector<Occurrence>* found_ = nullptr;  ///< In a step that was looked into already.
  /// The event that part_of_step() asked for less for; none: constraints that are driven.
  std::optional<std::size_t> returning_;
  OutputTimes times_;
  std::shared_ptr<SampledOutput> dense_;
  ProgressClock own_clock_;
  ProgressClock& clock_;
  Stopwatch watch_;
  VecX between_, root_;
  VecX valid_;  ///< The state at valid_t_, where all went well last.
  double valid_t_ = 0;
  bool gives_valid_ = false;  ///< That is the end: what came after threw, or cannot be known.
  double t_ = 0, from_ = 0;   ///< Now, and where the run began or went on.
  double sign_ = 1;
  long until_output_ = 1;
};

}  // namespace daewave::ivp
