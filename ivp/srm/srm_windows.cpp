#include "ivp/srm/srm_windows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>

#include "core/machine/memory.hpp"
#include "core/not_finite.hpp"
#include "core/report/stopwatch.hpp"
#include "ivp/run/time_loop.hpp"

namespace daewave::ivp {

void SrmWindow::begin(long at, long steps, bool keeps) {
  wants_kept = keeps;
  first = at;
  count = valid = steps;
  failure.clear();
  thrown = nullptr;
  ends.clear();
  evaluations = 0;
}

void SrmWindow::left_by(const SrmStep& step) {
  for (int s = 1; s <= step.iterates(); ++s) ends.push_back(step.checkpoint(s, wants_kept));
  evaluations += step.evaluations();
}

double WindowedStep::attempt(double h) {
  if (window_ != nullptr) {
    if (next_ == window_->valid) {
      if (window_->thrown) std::rethrow_exception(window_->thrown);
      return not_a_number;
    }
    step_.follow(window_->wave.data() + next_ * step_.wave_size());
  }
  return step_.attempt(h);
}

std::string WindowedStep::failure() const {
  if (!cannot_start_.empty()) return cannot_start_;
  const bool before = window_ != nullptr && next_ == window_->valid;
  return before ? window_->failure : step_.failure();
}

SrmWindows::SrmWindows(std::vector<SrmStep> before, WindowedStep& last) : last_(last) {
  for (SrmStep& step : before) groups_.push_back({std::move(step)});
}

Solution SrmWindows::run(const VecX& start, const Interval& span, const Checkpoints& checkpoints,
                         const Options& options, const Monitors& monitors, const Pipeline& pipeline,
                         int steps, Settings settings) {
  Checkpointer checkpointer(checkpoints, std::move(settings));
  const Checkpoint* const resume = checkpoints.resume.get();
  const FixedSteps nodes(span, *options.h);
  start_groups(span.begin, start);
  TimeLoop loop(last_, start, span, options, monitors);
  if (resume == nullptr) {
    loop.begin();
  } else if (loop.prepare()) {
    restore(*resume, nodes);
    loop.resume(*resume, nodes.node(resume->step));
    changes_ = changes_of(resume->iterates);
  }
  const int slots = static_cast<int>(groups_.size()) + 1 + 2 * pipeline.threads();
  steps = static_cast<int>(std::clamp<long>(nodes.count(), 1, steps));
  refuse_beyond_memory(groups_.empty() ? 0 : 8.0 * slots * steps * last_.group().wave_size(),
                       fmt::format("windows of {} steps", steps), "take fewer, or leave it open");
  std::vector<SrmWindow> windows(static_cast<std::size_t>(slots));
  std::atomic<bool> stopping = !loop.goes_on();
  long next = resume == nullptr ? 0 : resume->step;
  const bool saves = checkpointer.saves();
  if (saves && loop.goes_on() && next <= nodes.shared()) {
    SrmWindow none;
    none.begin(next, 0, true);
    for (const SrmGroup& group : groups_) none.left_by(group.step);
    none.left_by(last_.group());
    checkpointer.at_border(next, last_.t(), none.ends, none.evaluations, loop.so_far(),
                           loop.motion());
  }
  const int wave = groups_.empty() ? 0 : last_.group().wave_size();
  const auto source = [&](int slot) {
    if (stopping || next >= nodes.count()) return false;
    SrmWindow& window = windows[static_cast<std::size_t>(slot)];
    // A step that is cut short is a window of its own: there is no checkpoint after it.
    const long border = saves && next < nodes.shared() ? nodes.shared() : nodes.count();
    window.begin(next, std::min<long>(steps, border - next), saves);
    window.wave.resize(static_cast<std::size_t>(steps) * static_cast<std::size_t>(wave));
    next += window.count;
    return true;
  };
  std::vector<Pipeline::Stage> stages;
  for (SrmGroup& group : groups_) {
    stages.push_back([&group, &windows, &nodes](int slot) {
      group.pass(windows[static_cast<std::size_t>(slot)], nodes);
    });
  }
  stages.push_back([&](int slot) {
    SrmWindow& window = windows[static_cast<std::size_t>(slot)];
    if (!loop.goes_on()) return;
    if (!groups_.empty()) last_.enter(window);
    const long end = window.first + window.count;
    loop.fixed_steps(nodes, window.first, end);
    if (!loop.goes_on()) {
      stopping = true;
      return;
    }
    window.left_by(last_.group());
    changes_ = changes_of(window.ends);
    if (end > nodes.shared()) return;
    checkpointer.at_border(end, last_.t(), window.ends, window.evaluations, loop.so_far(),
                           loop.motion());
  });
  pipeline.run(slots, source, stages);
  if (changes_.empty() && loop.so_far().steps > 0) changes_ = changes_of(ends_of_last_group());
  checkpointer.ended();
  const long before = resume == nullptr ? 0 : resume->integration.evaluations;
  return loop.end(before + evaluations());
}

long SrmWindows::evaluations() const {
  long sum = last_.evaluations();
  for (const SrmGroup& group : groups_) sum += group.step.evaluations();
  return sum;
}

long SrmWindows::guarded() const {
  long sum = last_.group().ode().guarded();
  for (const SrmGroup& group : groups_) sum += group.step.ode().guarded();
  return sum;
}

int SrmWindows::iterates() const {
  int sum = last_.iterates();
  for (const SrmGroup& group : groups_) sum += group.step.iterates();
  return sum;
}

void SrmGroup::pass(SrmWindow& window, const FixedSteps& nodes) {
  if (failed) {
    window.valid = 0;
    window.failure = failure;
    window.thrown = thrown;
  }
  for (long i = 0; i < window.valid; ++i) {
    double* const wave = window.wave.data() + i * step.wave_size();
    if (follows) step.follow(wave);
    step.leave(wave);
    const double h = nodes.node(window.first + i + 1) - step.t();
    try {
      if (!std::isnan(step.attempt(h)) && step.accept()) continue;
      failure = step.failure();
    } catch (...) {
      thrown = std::current_exception();
    }
    failed = true;
    window.valid = i;
    window.failure = failure;
    window.thrown = thrown;
  }
  window.left_by(step);
}

/// The last one is left to the time loop.
void SrmWindows::start_groups(double t, const VecX& start) {
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    groups_[i].follows = i > 0;
    if (!groups_[i].step.start(t, start)) return last_.cannot_start(groups_[i].step.failure());
    hand_over(i);
  }
}

/// The group after number i begins with the y of its last iterate.
void SrmWindows::hand_over(std::size_t i) {
  const SrmStep& step = groups_[i].step;
  SrmStep& after = i + 1 < groups_.size() ? groups_[i + 1].step : last_.group();
  int before = 0;
  for (std::size_t j = 0; j <= i; ++j) before += groups_[j].step.iterates();
  after.follow_from(step.iterate(step.iterates()).carried, before);
}

void SrmWindows::restore(const Checkpoint& from, const FixedSteps& nodes) {
  const IterateCheckpoint last = last_.group().checkpoint(1);
  check_resume(from, nodes, iterates(), static_cast<int>(last.x.size()),
               static_cast<int>(last.carried.size()), static_cast<int>(last.kept.size()));
  std::size_t next = 0;
  const auto restore_group = [&](SrmStep& step) {
    for (int s = 1; s <= step.iterates(); ++s) step.restore(s, from.iterates[next++]);
    step.restore_time(from.t);
  };
  for (SrmGroup& group : groups_) restore_group(group.step);
  restore_group(last_.group());
  for (std::size_t i = 0; i < groups_.size(); ++i) hand_over(i);
}

std::vector<IterateCheckpoint> SrmWindows::ends_of_last_group() const {
  std::vector<IterateCheckpoint> ends;
  const SrmStep& step = last_.group();
  for (int s = 1; s <= step.iterates(); ++s) ends.push_back(step.checkpoint(s, false));
  return ends;
}

std::vector<VecX> changes_of(const std::vector<IterateCheckpoint>& at) {
  std::vector<VecX> changes;
  for (std::size_t s = 1; s < at.size(); ++s) {
    changes.push_back((at[s].x - at[s - 1].x).cwiseAbs());
  }
  return changes;
}

double seconds_per_step(SrmStep step, double t, const VecX& x, double h) {
  constexpr int steps = 32;
  try {
    if (!step.start(t, x)) return 0;
    const Stopwatch watch;
    for (int i = 0; i < steps; ++i) {
      if (std::isnan(step.attempt(h)) || !step.accept()) return 0;
    }
    return watch.seconds() / steps;
  } catch (...) {
    return 0;  // The run itself tells of it, where it comes there.
  }
}

}  // namespace daewave::ivp
