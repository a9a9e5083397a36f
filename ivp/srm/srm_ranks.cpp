#include "ivp/srm/srm_ranks.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "ivp/run/time_loop.hpp"
#include "ivp/srm/window_text.hpp"

namespace daewave::ivp {
namespace {

constexpr const char *next_one = "next", *no_more = "no more";

/// What the last rank tells the others of the end: how it ended, and the words.
std::string text_of_end(const Report& report) {
  const double termination[] = {static_cast<double>(static_cast<int>(report.termination))};
  return as_text(termination) + report.message;
}
Report report_of_end(const std::string& text) {
  Report report;
  const double termination = as_numbers(text.substr(0, sizeof(double)))[0];
  report.termination = static_cast<Termination>(static_cast<int>(termination));
  report.message = text.substr(sizeof(double));
  return report;
}

class RankRun {
 public:
  RankRun(const Communicator& ranks, WindowedStep& step, int before, int all,
          const SrmProblem& problem, const Interval& span, const Checkpoints& checkpoints,
          const Options& options, int steps, Settings settings)
      : ranks_(ranks),
        last_(step),
        before_(before),
        all_(all),
        problem_(problem),
        span_(span),
        resume_(checkpoints.resume.get()),
        options_(options),
        checkpointer_(checkpoints, std::move(settings)),
        nodes_(span, *options.h),
        steps_(static_cast<int>(std::clamp<long>(nodes_.count(), 1, steps))),
        next_(resume_ == nullptr ? 0 : resume_->step) {
    if (!is_last()) group_.emplace(SrmGroup{std::move(step.group()), !is_first()});
  }

  RunOverRanks run() {
    RunOverRanks found;
    if (is_last()) {
      found = run_last();
    } else {
      run_group();
    }
    const double guarded[] = {static_cast<double>(step().ode().guarded())};
    double sum = 0;
    for (const double one : gather(ranks_, guarded)) sum += one;
    found.solution.report.integration.guarded = static_cast<long>(sum);
    return found;
  }

 private:
  bool is_last() const { return ranks_.rank() == 0; }
  bool is_first() const { return ranks_.rank() + 1 == ranks_.size(); }
  SrmStep& step() { return group_ ? group_->step : last_.group(); }

  void ask(bool for_more) { ranks_.send(ranks_.rank() + 1, for_more ? next_one : no_more); }
  SrmWindow from_before() { return window_of(ranks_.receive(ranks_.rank() + 1)); }
  bool is_asked() { return ranks_.receive(ranks_.rank() - 1) == next_one; }
  void send_on(const SrmWindow& window) { ranks_.send(ranks_.rank() - 1, text_of(window)); }

  /// Where the iterates before began, and why not.
  SrmWindow start_of_those_before() {
    SrmWindow start;
    if (is_first()) {
      start.begin(next_, 0, checkpointer_.saves());
    } else {
      start = from_before();
      if (start.failure.empty()) {
        step().follow_from(
            Eigen::Map<const VecX>(start.wave.data(), static_cast<Eigen::Index>(start.wave.size())),
            before_);
      }
    }
    return start;
  }

  /// Brings the iterates here to where a run before had them.
  void restore() {
    const IterateCheckpoint here = step().checkpoint(1);
    check_resume(*resume_, nodes_, all_, static_cast<int>(here.x.size()),
                 static_cast<int>(here.carried.size()), static_cast<int>(here.kept.size()));
    for (int s = 1; s <= step().iterates(); ++s) {
      step().restore(s, resume_->iterates[static_cast<std::size_t>(before_ + s - 1)]);
    }
    step().restore_time(resume_->t);
    if (before_ == 0) return;
    step().follow_from(resume_->iterates[static_cast<std::size_t>(before_ - 1)].carried, before_);
  }

  /// A window of its own where a step is cut short: there is no checkpoint after it.
  void begin(SrmWindow& window) {
    const bool saves = checkpointer_.saves();
    const long border = saves && next_ < nodes_.shared() ? nodes_.shared() : nodes_.count();
    window.begin(next_, std::min<long>(steps_, border - next_), saves);
    window.wave.resize(static_cast<std::size_t>(window.count) *
                       static_cast<std::size_t>(step().wave_size()));
  }

  /// Iterates before the last ones.
  void run_group() {
    SrmWindow start = start_of_those_before();
    bool goes_on = start.failure.empty();
    if (goes_on && !step().start(span_.begin, problem_.start)) {
      start.failure = step().failure();
      goes_on = false;
    }
    if (goes_on) {
      const VecX carried = step().iterate(step().iterates()).carried;
      start.wave.assign(carried.begin(), carried.end());
      if (resume_ != nullptr) restore();
      start.left_by(step());
    }
    send_on(start);
    while (next_ < nodes_.count()) {
      SrmWindow window;
      if (!is_first()) {
        ask(goes_on);
        if (goes_on) window = from_before();
      } else if (goes_on) {
        begin(window);
      }
      if (goes_on) {
        next_ = window.first + window.count;
        group_->pass(window, nodes_);
      }
      if (!is_asked() || !goes_on) {
        if (goes_on && !is_first() && next_ < nodes_.count()) ask(false);
        break;
      }
      send_on(window);
    }
  }

  /// The last ones, which the time loop drives.
  RunOverRanks run_last() {
    RunOverRanks found;
    const SrmWindow start = start_of_those_before();
    if (!start.failure.empty()) last_.cannot_start(start.failure);
    TimeLoop loop(last_, problem_.start, span_, options_, problem_.monitors);
    if (resume_ == nullptr) {
      loop.begin();
    } else if (loop.prepare()) {
      restore();
      loop.resume(*resume_, nodes_.node(resume_->step));
      found.changes = changes_of(resume_->iterates);
    }
    if (checkpointer_.saves() && loop.goes_on() && next_ <= nodes_.shared()) {
      at_border(next_, start, loop);
    }
    long evaluations = start.evaluations;  // Of iterates before.
    while (next_ < nodes_.count()) {
      ask(loop.goes_on());
      if (!loop.goes_on()) break;
      SrmWindow window = from_before();
      evaluations = window.evaluations;
      const long end = window.first + window.count;
      last_.enter(window);
      loop.fixed_steps(nodes_, window.first, end);
      next_ = end;
      if (!loop.goes_on()) continue;
      window.left_by(step());
      found.changes = changes_of(window.ends);
      if (end <= nodes_.shared()) at_border(end, window, loop);
    }
    if (found.changes.empty() && loop.so_far().steps > 0) {
      SrmWindow here;
      here.left_by(step());
      found.changes = changes_of(here.ends);
    }
    checkpointer_.ended();
    const long earlier = resume_ == nullptr ? 0 : resume_->integration.evaluations;
    found.solution = loop.end(earlier + evaluations + step().evaluations());
    return found;
  }

  /// @param window  with the iterates before, or all of them.
  void at_border(long end, const SrmWindow& window, const TimeLoop& loop) {
    SrmWindow with_all = {};
    with_all.wants_kept = window.wants_kept;
    with_all.ends = window.ends;
    with_all.evaluations = window.evaluations;
    if (static_cast<int>(with_all.ends.size()) < all_) with_all.left_by(step());
    checkpointer_.at_border(end, last_.t(), with_all.ends, with_all.evaluations, loop.so_far(),
                            loop.motion());
  }

  const Communicator& ranks_;
  WindowedStep& last_;
  std::optional<SrmGroup> group_{};  ///< Of ranks other than the last.
  int before_, all_;
  const SrmProblem& problem_;
  const Interval& span_;
  const Checkpoint* resume_;
  const Options& options_;
  Checkpointer checkpointer_;
  FixedSteps nodes_;
  int steps_;
  long next_;  ///< Step of the next window.
};

}  // namespace

void tell_end(const Communicator& ranks, Report& report) {
  const bool is_last = ranks.rank() == 0;
  const std::string end = ranks.gather(is_last ? text_of_end(report) : std::string())[0];
  if (!is_last) report = report_of_end(end);
}

RunOverRanks run_over_ranks(const Communicator& ranks, WindowedStep& step, int before, int all,
                            const SrmProblem& problem, const Interval& span,
                            const Checkpoints& checkpoints, const Options& options, int steps,
                            Settings settings) {
  return RankRun(ranks, step, before, all, problem, span, checkpoints, options, steps,
                 std::move(settings))
      .run();
}

}  // namespace daewave::ivp
