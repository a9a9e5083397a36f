#pragma once
// All iterates of a sequential regularization, window by window: iterate s passes through window k
// of the horizon while iterate s - 1 passes through window k + 1. An iterate keeps its own state
// from window to window, so that nothing depends on where windows end, and the bits are those of
// the step-local order. Memory: a waveform of one window for each window on its way.
//
// Iterates are shared out in groups; a group is one of the steps of srm_step.hpp or
// srm_collocation_step.hpp, that follows the waveform of the group before. The last group is driven
// by the time loop, so that output, events and reports are those of every other run.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/problem/constraint_residual.hpp"
#include "core/threads/pipeline.hpp"
#include "ivp/run/checkpointer.hpp"
#include "ivp/run/fixed_steps.hpp"
#include "ivp/run/loop_step.hpp"
#include "ivp/run/time_loop.hpp"
#include "ivp/srm/window_choice.hpp"

namespace daewave::ivp {

/// Empty where an iterate has nothing but its state.
template <class S>
VecX kept_by(const S& step, int s) {
  if constexpr (requires { step.kept(s); }) return step.kept(s);
  return {};
}

/// The steps of a window, and what its iterates hand on. S is the step of a group.
template <class S>
struct SrmWindow {
  using Carried = typename S::Carried;
  using Iterate = std::decay_t<decltype(std::declval<const S&>().iterate(1))>;

  long first = 0;             ///< Number of its first step.
  long count = 0;             ///< Steps.
  long valid = 0;             ///< Those that all groups so far have taken.
  std::string failure{};      ///< Why not all; empty where all.
  std::vector<Carried> wave;  ///< y at the points of its steps, of the group that was here last.
  std::vector<Iterate> ends;  ///< Iterates s = 1, 2, ... at its end, of the groups so far.
  std::vector<VecX> kept;     ///< What they keep besides; where it is wanted.
  bool wants_kept = false;
  long evaluations = 0;  ///< Of the groups so far, since the start.

  /// @param keeps  for a checkpoint at its end.
  void begin(long at, long steps, bool keeps) {
    wants_kept = keeps;
    kept.clear();
    first = at;
    count = valid = steps;
    failure.clear();
    ends.clear();
    evaluations = 0;
  }
  /// `step` has come to the end of the window.
  void left_by(const S& step) {
    for (int s = 1; s <= step.iterates(); ++s) {
      ends.push_back(step.iterate(s));
      if (wants_kept) kept.push_back(kept_by(step, s));
    }
    evaluations += step.evaluations();
  }
};

/// The last group of iterates: a `Step` for the time loop. Without windows it is the step alone,
/// and has all iterates.
template <class S>
class WindowedStep {
 public:
  using State = typename S::State;
  using Carried = typename S::Carried;
  using Window = SrmWindow<S>;

  explicit WindowedStep(S step) : step_(std::move(step)) {}

  /// The next steps are those of this window, which must stay.
  void enter(const Window& window) {
    window_ = &window;
    next_ = 0;
  }
  /// A group before could not start.
  void cannot_start(std::string why) { cannot_start_ = std::move(why); }
  S& group() { return step_; }
  const S& group() const { return step_; }

  bool start(double t, const State& x) { return cannot_start_.empty() && step_.start(t, x); }

  double attempt(double h) {
    if (window_ != nullptr) {
      if (next_ == window_->valid) return std::numeric_limits<double>::quiet_NaN();
      step_.follow(&window_->wave[static_cast<std::size_t>(next_ * step_.points())]);
    }
    return step_.attempt(h);
  }
  bool accept() {
    ++next_;
    return step_.accept();
  }

  double t() const { return step_.t(); }
  const State& state() const { return step_.state(); }
  void interpolate(double theta, State& out) const { step_.interpolate(theta, out); }
  int dense_degree() const {
    if constexpr (requires { step_.dense_degree(); }) return step_.dense_degree();
    return 5;
  }
  bool multiplier(Carried& carried) const { return step_.multiplier(carried); }
  bool multiplier_at(double t, const State& z, Carried& carried) {
    return step_.multiplier_at(t, z, carried);
  }
  Drift drift() { return step_.drift(); }
  /// Of the last group.
  int iterates() const { return step_.iterates(); }
  Drift drift_of(int s) requires TellsDriftOfIterates<S> { return step_.drift_of(s); }
  int error_order() const { return step_.error_order(); }
  Control control() const { return step_.control(); }
  std::string failure() const {
    if (!cannot_start_.empty()) return cannot_start_;
    const bool before = window_ != nullptr && next_ == window_->valid;
    return before ? window_->failure : step_.failure();
  }
  long evaluations() const { return step_.evaluations(); }

 private:
  S step_;
  const Window* window_ = nullptr;
  long next_ = 0;  ///< Step of the window to be tried next.
  std::string cannot_start_;
};

/// Runs the groups of one solve through the windows.
template <class S>
class SrmWindows {
 public:
  using State = typename S::State;
  using Window = SrmWindow<S>;

  /// @param before  all groups but the last, in their order; `last` is kept by reference.
  SrmWindows(std::vector<S> before, WindowedStep<S>& last) : last_(last) {
    for (S& step : before) groups_.push_back({std::move(step)});
  }

  /// @param options   h fixed.  @param steps  of a window, >= 1.
  /// @param settings  what a checkpoint of this run is marked with.
  Solution run(const State& start, const Interval& span, const Options& options,
               const Monitors<State>& monitors, const Pipeline& pipeline, int steps,
               Settings settings) {
    Checkpointer checkpointer(options.checkpoints, std::move(settings));
    const Checkpoint* const resume = options.checkpoints.resume.get();
    const FixedSteps nodes(span, *options.h);
    start_groups(span.begin, start);
    LoopStepOf<WindowedStep<S>> seen(last_, start, monitors);
    TimeLoop loop(seen, span, options);
    if (resume == nullptr) {
      loop.begin();
    } else if (loop.prepare()) {
      restore(*resume, nodes);
      loop.resume(*resume, nodes.node(resume->step));
    }
    const int slots = static_cast<int>(groups_.size()) + 1 + 2 * pipeline.threads();
    std::vector<Window> windows(static_cast<std::size_t>(slots));
    std::atomic<bool> stopping = !loop.goes_on();
    long next = resume == nullptr ? 0 : resume->step;
    const bool saves = options.checkpoints.save != nullptr;
    if (saves && loop.goes_on() && next <= nodes.shared()) {
      Window none;
      none.begin(next, 0, true);
      for_each_group([&](const S& step) { none.left_by(step); });
      checkpointer.at_border(next, last_.t(), none.ends, none.kept, none.evaluations,
                             loop.so_far());
    }
    const auto source = [&](int slot) {
      if (stopping || next >= nodes.count()) return false;
      Window& window = windows[static_cast<std::size_t>(slot)];
      // A step that is cut short is a window of its own: there is no checkpoint after it.
      const long border = saves && next < nodes.shared() ? nodes.shared() : nodes.count();
      window.begin(next, std::min<long>(steps, border - next), saves);
      const auto points = groups_.empty() ? 0 : last_.group().points();
      window.wave.resize(static_cast<std::size_t>(steps * points), none_);
      next += window.count;
      return true;
    };
    std::vector<Pipeline::Stage> stages;
    for (Group& group : groups_) {
      stages.push_back([&group, &windows, &nodes](int slot) {
        group.pass(windows[static_cast<std::size_t>(slot)], nodes);
      });
    }
    stages.push_back([&](int slot) {
      Window& window = windows[static_cast<std::size_t>(slot)];
      if (!loop.goes_on()) return;
      if (!groups_.empty()) last_.enter(window);
      const long end = window.first + window.count;
      loop.fixed_steps(nodes, window.first, end);
      if (!loop.goes_on()) {
        stopping = true;
        return;
      }
      window.left_by(last_.group());
      compare(window.ends);
      if (end > nodes.shared()) return;
      checkpointer.at_border(end, last_.t(), window.ends, window.kept, window.evaluations,
                             loop.so_far());
    });
    pipeline.run(slots, source, stages);
    checkpointer.ended();
    const long before = resume == nullptr ? 0 : resume->integration.evaluations;
    return loop.end(before + evaluations());
  }

  /// max |x_s - x_{s-1}|, s = 2, 3, ..., at the end of the last window that was passed in full;
  /// empty where there is none.
  const std::vector<double>& changes() const { return changes_; }

  long evaluations() const {
    return sum_over_groups([](const S& step) { return step.evaluations(); });
  }

  /// Of a number that the step of a group tells.
  template <class Function>
  long sum_over_groups(Function function) const {
    long sum = function(last_.group());
    for (const Group& group : groups_) sum += function(group.step);
    return sum;
  }

 private:
  struct Group {
    S step;
    bool follows = false;
    bool failed = false;
    std::string failure{};

    /// Overwrites the waveform of the group before with its own, step by step.
    void pass(Window& window, const FixedSteps& nodes) {
      if (failed) {
        window.valid = 0;
        window.failure = failure;
      }
      const auto points = static_cast<std::size_t>(step.points());
      for (long i = 0; i < window.valid; ++i) {
        auto* const wave = &window.wave[static_cast<std::size_t>(i) * points];
        if (follows) step.follow(wave);
        step.leave(wave);
        const double h = nodes.node(window.first + i + 1) - step.t();
        if (!std::isnan(step.attempt(h)) && step.accept()) continue;
        failed = true;
        window.valid = i;
        window.failure = failure = step.failure();
      }
      window.left_by(step);
    }
  };

  /// All groups in their order, the last included.
  template <class Function>
  void for_each_group(Function function) {
    for (Group& group : groups_) function(group.step);
    function(last_.group());
  }

  /// The last one is left to the time loop.
  void start_groups(double t, const State& start) {
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      groups_[i].follows = i > 0;
      if (!groups_[i].step.start(t, start)) {
        return last_.cannot_start(groups_[i].step.failure());
      }
      none_ = groups_[i].step.iterate(1).carried;
      hand_over(i);
    }
  }

  /// The group after number i begins with the y of its last iterate.
  void hand_over(std::size_t i) {
    S& step = groups_[i].step;
    S& after = i + 1 < groups_.size() ? groups_[i + 1].step : last_.group();
    int iterates = 0;
    for (std::size_t j = 0; j <= i; ++j) iterates += groups_[j].step.iterates();
    after.follow_from(step.iterate(step.iterates()).carried, iterates);
  }

  void restore(const Checkpoint& from, const FixedSteps& nodes) {
    const S& last = last_.group();
    check_resume(from, nodes,
                 static_cast<int>(sum_over_groups([](const S& step) { return step.iterates(); })),
                 static_cast<int>(last.state().size()),
                 static_cast<int>(last.iterate(1).carried.size()),
                 static_cast<int>(kept_by(last, 1).size()));
    std::size_t next = 0;
    for_each_group([&](S& step) {
      for (int s = 1; s <= step.iterates(); ++s) step.restore(s, from.iterates[next++]);
      step.restore_time(from.t);
    });
    for (std::size_t i = 0; i < groups_.size(); ++i) hand_over(i);
  }

  void compare(const std::vector<typename Window::Iterate>& at) {
    changes_.clear();
    for (std::size_t s = 1; s < at.size(); ++s) {
      changes_.push_back(largest_residual((at[s].x - at[s - 1].x).eval()));
    }
  }

  std::vector<Group> groups_;
  WindowedStep<S>& last_;
  typename S::Carried none_;
  std::vector<double> changes_;
};

/// Seconds of one step of one iterate, measured over a few from (t, x); 0 where they fail.
template <class S>
double seconds_per_step(S step, double t, const typename S::State& x, double h) {
  constexpr int steps = 32;
  if (!step.start(t, x)) return 0;
  const auto before = std::chrono::steady_clock::now();
  for (int i = 0; i < steps; ++i) {
    if (std::isnan(step.attempt(h)) || !step.accept()) return 0;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
  return took.count() / steps;
}

}  // namespace daewave::ivp
