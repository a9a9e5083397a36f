#pragma once
// All iterates of a sequential regularization, window by window: iterate s passes through window k
// of the horizon while iterate s - 1 passes through window k + 1. An iterate keeps its own state
// from window to window, so that nothing depends on where windows end, and the bits are those of
// the step-local order. Memory: a waveform of one window for each window on its way.
//
// Iterates are shared out in groups; a group is one SrmStep, that follows the waveform of the group
// before. The last group is driven by the time loop, so that output, events and reports are those
// of every other run.

#include <exception>
#include <string>
#include <vector>

#include "core/report/checkpoint.hpp"
#include "core/threads/pipeline.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/checkpointer.hpp"
#include "ivp/run/fixed_steps.hpp"
#include "ivp/run/monitors.hpp"
#include "ivp/run/solution.hpp"
#include "ivp/srm/srm_step.hpp"

namespace daewave::ivp {

/// The steps of a window, and what its iterates hand on.
struct SrmWindow {
  long first = 0;               ///< Number of its first step.
  long count = 0;               ///< Steps.
  long valid = 0;               ///< Those that all groups so far have taken.
  std::string failure{};        ///< Why not all; empty where all.
  std::exception_ptr thrown{};  ///< By the problem, where that is why.
  std::vector<double> wave;     ///< y at the points of its steps, of the group that was here last.
  std::vector<IterateCheckpoint> ends;  ///< Iterates s = 1, 2, ... there, of the groups so far.
  bool wants_kept = false;              ///< In `ends`, for a checkpoint there.
  long evaluations = 0;                 ///< Of the groups so far, since the start.

  void begin(long at, long steps, bool keeps);
  /// `step` has come to the end of the window.
  void left_by(const SrmStep& step);
};

/// The last group of iterates, for the time loop. Without windows it is the step alone, and has all
/// iterates.
class WindowedStep final : public Step {
 public:
  explicit WindowedStep(SrmStep step) : step_(std::move(step)) {}

  /// The next steps are those of this window, which must stay.
  void enter(const SrmWindow& window) {
    window_ = &window;
    next_ = 0;
  }
  /// A group before could not start.
  void cannot_start(std::string why) { cannot_start_ = std::move(why); }
  SrmStep& group() { return step_; }
  const SrmStep& group() const { return step_; }

  bool start(double t, const VecX& x) override {
    return cannot_start_.empty() && step_.start(t, x);
  }
  double attempt(double h) override;
  bool accept() override {
    ++next_;
    return step_.accept();
  }

  double t() const override { return step_.t(); }
  const VecX& state() const override { return step_.state(); }
  void interpolate(double theta, VecX& out) override { step_.interpolate(theta, out); }
  int dense_degree() const override { return step_.dense_degree(); }
  int solved_degree() const override { return step_.solved_degree(); }
  bool solve_inside(double theta, VecX& out) override { return step_.solve_inside(theta, out); }
  bool multiplier(VecX& carried) override { return step_.multiplier(carried); }
  bool knows_multiplier_between() const override { return step_.knows_multiplier_between(); }
  bool multiplier_at(double t, const VecX& z, VecX& carried) override {
    return step_.multiplier_at(t, z, carried);
  }
  Drift drift() override { return step_.drift(); }
  /// Of the last group.
  int iterates() const override { return step_.iterates(); }
  Drift drift_of(int s) override { return step_.drift_of(s); }
  int error_order() const override { return step_.error_order(); }
  Control control() const override { return step_.control(); }
  std::string failure() const override;
  long evaluations() const override { return step_.evaluations(); }

 private:
  SrmStep step_;
  const SrmWindow* window_ = nullptr;
  long next_ = 0;  ///< Step of the window to be tried next.
  std::string cannot_start_;
};

/// A group of iterates before the last one.
struct SrmGroup {
  SrmStep step;
  bool follows = false;  ///< Another group.
  bool failed = false;
  std::string failure{};
  std::exception_ptr thrown{};

  /// Overwrites the waveform of the group before with its own, step by step.
  void pass(SrmWindow& window, const FixedSteps& nodes);
};

/// Runs the groups of one solve through the windows.
class SrmWindows {
 public:
  /// @param before  all groups but the last, in their order; `last` is kept by reference.
  SrmWindows(std::vector<SrmStep> before, WindowedStep& last);

  /// @param options   h fixed.  @param steps  of a window, >= 1.
  /// @param settings  what a checkpoint of this run is marked with.
  Solution run(const VecX& start, const Interval& span, const Checkpoints& checkpoints,
               const Options& options, const Monitors& monitors, const Pipeline& pipeline,
               int steps, Settings settings);

  /// |x_s - x_{s-1}|, s = 2, 3, ..., at the end of the last window that was passed in full, here or
  /// before the checkpoint; of the last group alone where there is none.
  const std::vector<VecX>& changes() const { return changes_; }

  long evaluations() const;
  long guarded() const;

 private:
  int iterates() const;
  void start_groups(double t, const VecX& start);
  void hand_over(std::size_t i);
  void restore(const Checkpoint& from, const FixedSteps& nodes);
  std::vector<IterateCheckpoint> ends_of_last_group() const;

  std::vector<SrmGroup> groups_;
  WindowedStep& last_;
  std::vector<VecX> changes_;
};

/// |x_s - x_{s-1}|, s = 2, 3, ..., of iterates.
std::vector<VecX> changes_of(const std::vector<IterateCheckpoint>& at);

/// Seconds of one step of one group, measured over a few from (t, x); 0 where they fail.
double seconds_per_step(SrmStep step, double t, const VecX& x, double h);

}  // namespace daewave::ivp
