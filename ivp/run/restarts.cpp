#include "ivp/run/restarts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <iterator>
#include <limits>
#include <new>
#include <utility>

#include "core/error.hpp"
#include "ivp/run/accumulation.hpp"
#include "ivp/run/event_changes.hpp"
#include "ivp/run/joined_sink.hpp"
#include "ivp/run/joined_solution.hpp"
#include "ivp/run/legs.hpp"

namespace daewave::ivp {
namespace {

constexpr double roundoff = std::numeric_limits<double>::epsilon();

/// From one restart to the next.
class RestartedRun {
 public:
  RestartedRun(const Restarted& how, const VecX& start, const Interval& span,
               const Options& options)
      : how_(how),
        span_(span),
        options_(options),
        sign_(span.end < span.begin ? -1 : 1),
        z_(start),
        label_(span.begin),
        joined_(span, options.keep, options.times),
        sink_(options, static_cast<int>(start.size()), sign_),
        accumulation_(span.begin, options.h, span.end),
        changes_(how.make_consistent, how.second_order, how.slope, options),
        legs_(options, how.settings, start, span) {
    for (std::size_t i = 0; i < options.restart_times.size(); ++i) {
      const double time = options.restart_times[i];
      if (time >= std::min(span.begin, span.end) && time <= std::max(span.begin, span.end)) {
        stops_.push_back(time);
        continue;
      }
      throw InvalidOption(
          fmt::format("restart_times[{}] = {}: must be in [{}, {}], the interval integrated", i,
                      time, std::min(span.begin, span.end), std::max(span.begin, span.end)));
    }
    if (sign_ < 0) std::reverse(stops_.begin(), stops_.end());
    if (legs_.resumed() != nullptr) resume();
  }

  Solution run() {
    const bool is_over = legs_.resumed() != nullptr && begin_ == span_.end;
    bool goes_on = is_over ? give_all_before() : one_piece();
    while (goes_on) {
      if (!after_leg_) joined_.restarted();
      goes_on = one_piece();
    }
    legs_.ended();
    return joined_.end();
  }

 private:
  /// What is about a restart time as rounding of t + c h.
  double margin(double time) const {
    return 4 * roundoff * std::max(std::abs(time), 1e-3 * std::abs(span_.length()));
  }
  bool before(double one, double other) const { return sign_ * one < sign_ * other; }

  void resume() {
    const Checkpoint& from = *legs_.resumed();
    z_ = legs_.resumed_state().x;
    begin_ = label_ = from.t;
    after_leg_ = true;
    joined_.resume(from);
    sink_.resume(from.t);
  }

  /// False where the run is over.
  bool one_piece() {
    const Interval span = next_span();
    piece_.leg = legs_.next();
    piece_.clock = &clock_;
    piece_.before = joined_.so_far().motion;
    piece_.rounding = [this, of_t = time_rounding()](int event, double t, const VecX& z) {
      return changes_.rounding_of(event, {t, of_t}, z);
    };
    const Options options = options_of(span);
    Solution piece;
    try {
      piece = how_.run(z_, span, options, piece_);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const Error& refused) {
      if (!keeps_what_was()) throw;
      return fails({Termination::diverged, refused.what(),
                    "what is given out until there is valid; another method, or a shorter h"});
    } catch (const std::exception& thrown) {
      if (!keeps_what_was()) throw;
      return fails({Termination::stopped,
                    fmt::format("an exception was thrown at the start from t = {:.10g}: {}", label_,
                                thrown.what()),
                    "what is given out until there is valid; mend the function that throws, or end "
                    "before"});
    }
    std::vector<Occurrence> found = found_at_end(piece, span);
    const bool whole = piece.report.usable() && piece.report.integration.reached == span.end;
    const bool at_begin = !found.empty() && found.front().t == begin_;
    const bool usable = piece.report.usable() && (piece.has_values() || at_begin);
    if (piece.has_values()) {
      const int nz = piece.nz;
      if (usable) z_ = Eigen::Map<const VecX>(piece.states.data() + piece.states.size() - nz, nz);
      if (piece.t.front() == begin_) piece.t.front() = label_;
    }
    if (at_begin) piece.report.integration.reached = label_;
    joined_.add(std::move(piece), piece_.gives_begin ? label_ : begin_, whole ? next_ : span.end);
    const bool is_end = whole && next_ == span_.end;
    if (usable && sink_.has_stopped() && !is_end) {
      return fails({Termination::stopped,
                    fmt::format("stopped by the sink at t = {:.10g}", sink_.stopped_at()), ""});
    }
    after_leg_ = piece_.leg != nullptr && piece_.leg->ended;
    if (after_leg_) return leg_ended(*piece_.leg);
    if (!usable) return false;
    if (whole && !is_end && !pass_restart(span.end, found)) return false;
    if (!changes_.any_changes(found)) {
      if (is_end) border_at_end();
      if (!whole || is_end) return false;
      piece_ = {.gives_begin = false};
      return true;
    }
    if (ends_run(found, joined_.so_far().report.integration.reached)) return false;
    if (!at_begin && label_ != next_) {
      begin_ = label_ = joined_.so_far().report.integration.reached;
    }
    if (!change(found, at_begin)) return false;
    return before(begin_, span_.end) || give_last(VecX());
  }

  /// Whether one of them does, which then says so.
  bool ends_run(const std::vector<Occurrence>& found, double t) {
    const Event* const end = changes_.end_among(found);
    if (end != nullptr) EventChanges::tell_end(*end, t, joined_.so_far().report);
    return end != nullptr;
  }

  /// What happened where a piece ends. That is at the restart, or the end, where it is as near as
  /// rounding, as between the two there is no room for a step.
  std::vector<Occurrence> found_at_end(Solution& piece, const Interval& span) const {
    std::vector<Occurrence> found;
    double& reached = piece.report.integration.reached;
    const double at = reached;
    const auto is_there = [at](const Occurrence& one) {
      return std::abs(one.t - at) <= 32 * roundoff * std::max(std::abs(at), std::abs(one.t));
    };
    std::copy_if(piece.occurrences.begin(), piece.occurrences.end(), std::back_inserter(found),
                 is_there);
    if (!changes_.any_changes(found) || at == begin_ ||
        before(at + 8 * sign_ * margin(next_), next_)) {
      return found;
    }
    reached = span.end;
    for (Occurrence& one : piece.occurrences) {
      if (is_there(one)) one.t = next_;
    }
    for (Occurrence& one : found) one.t = next_;
    return found;
  }

  /// To the other side of a restart time, with what happens between. False where that stops the
  /// run.
  bool pass_restart(double from, std::vector<Occurrence>& found) {
    begin_ = next_ + sign_ * margin(next_);
    label_ = next_;
    const std::size_t before = found.size();
    if (const auto failure = changes_.pass_gap(from, begin_, label_, z_, found)) {
      return fails(*failure);
    }
    // So near to it all that jumps would pass for rounding of t.
    const double beside = 32 * sign_ * margin(label_);
    if (const auto behind = changes_.beyond_turn(label_, beside, z_)) z_ = *behind;
    take_warning();
    Solution& all = joined_.so_far();
    all.occurrences.insert(all.occurrences.end(),
                           found.begin() + static_cast<std::ptrdiff_t>(before), found.end());
    all.report.integration.events += static_cast<long>(found.size() - before);
    return !ends_run(found, label_);
  }

  void take_warning() {
    if (std::string warning = changes_.take_warning(); !warning.empty()) {
      joined_.so_far().report.warnings.push_back(std::move(warning));
    }
  }

  /// Of a time at which events were found, in steps that may be long.
  double time_rounding() {
    const double longest = joined_.so_far().report.integration.largest_step;
    return 32 * roundoff * std::max({std::abs(begin_), longest, 1e-3 * std::abs(span_.length())});
  }

  /// Where the begin of a later piece has thrown.
  bool keeps_what_was() const { return joined_.steps() > 0 && !caller_threw_; }

  /// The next one goes on from its end.
  bool leg_ended(const Leg& leg) {
    begin_ = label_ = leg.t;
    z_ = leg.z;
    piece_ = {.gives_begin = false};
    border(leg.t, VecX());
    return true;
  }

  void border(double t, const VecX& multipliers) {
    legs_.at_border(t, z_, multipliers, joined_.integration(), joined_.so_far().motion);
  }

  void border_at_end() {
    const Solution& all = joined_.so_far();
    const double* const last = all.multipliers.data() + all.multipliers.size() - all.ny;
    border(next_, all.multipliers.empty() ? VecX() : Eigen::Map<const VecX>(last, all.ny));
  }

  Interval next_span() {
    while (!stops_.empty() && !before(label_ + 2 * sign_ * margin(label_), stops_.front())) {
      stops_.erase(stops_.begin());
    }
    if (joined_.steps() == 0) begin_ = span_.begin;
    const bool last =
        stops_.empty() || !before(stops_.front() + 2 * sign_ * margin(stops_.front()), span_.end);
    next_ = last ? span_.end : stops_.front();
    return {begin_, last ? next_ : next_ - sign_ * margin(next_)};
  }

  Options options_of(const Interval& span) {
    Options options = options_;
    options.most_steps = std::max(options_.most_steps - joined_.attempts(), 1L);
    const auto most = accumulation_.first_step();
    if (most && !piece_.passed.empty() && !options_.h) {
      const double first = std::max(*most, 16 * margin(begin_));
      options.first_step = std::min(first, options_.first_step.value_or(first));
    }
    options.times.clear();
    if (after_leg_ && piece_.leg->next_step > 0) options.first_step = piece_.leg->next_step;
    for (const double time : options_.times) {
      const double gap = margin(time);
      const bool after_begin = after_leg_
                                   ? before(begin_, time)
                                   : before(label_ + sign_ * gap, time) || time == span.begin;
      const bool until_end =
          next_ == span_.end ? !before(next_, time) : before(time, span.end - sign_ * gap);
      if (after_begin && until_end) options.times.push_back(time);
    }
    if (options.times.empty() && !options_.times.empty()) options.every = 0;
    options.checkpoints = {};
    wrap(options, span);
    return options;
  }

  /// Counts and times of the whole run, for those who watch it.
  void wrap(Options& options, const Interval& span) {
    const long steps = joined_.steps();
    const double seconds = joined_.seconds();
    const auto as_whole = [this, span](double t) {
      return t == span.end ? next_ : t == span.begin ? label_ : t;
    };
    const auto by_caller = [this](const auto& call) {
      caller_threw_ = true;
      const bool goes_on = call();
      caller_threw_ = false;
      return goes_on;
    };
    if (options_.sink) {
      options.sink = [this, steps, as_whole, by_caller](const Output& out) {
        Output whole = out;
        whole.step += steps;
        whole.t = as_whole(out.t);
        return by_caller([&] { return sink_.give(whole); });
      };
    }
    if (options_.progress) {
      options.progress = [this, steps, seconds, by_caller](const RunProgress& now) {
        RunProgress whole = now;
        whole.begin = span_.begin;
        whole.end = span_.end;
        whole.steps += steps;
        whole.seconds += seconds;
        const double done = std::abs(now.t - span_.begin);
        whole.seconds_left = done > 0 ? whole.seconds * std::abs(span_.end - now.t) / done : 0;
        return by_caller([&] { return options_.progress(whole); });
      };
    }
  }

  /// The state after the events found at label_. False where there is none.
  /// @param at_begin  the last piece began there too.
  bool change(std::vector<Occurrence>& found, bool at_begin) {
    std::sort(found.begin(), found.end(),
              [](const Occurrence& a, const Occurrence& b) { return a.event < b.event; });
    const VecX state_before = z_;
    std::vector<int> passed_before = std::move(piece_.passed);
    piece_ = {};
    if (at_begin) piece_.passed = std::move(passed_before);
    piece_.passed.resize(options_.events.size());
    for (const Occurrence& one : found) {
      piece_.passed[static_cast<std::size_t>(one.event)] = one.rising ? 1 : -1;
    }
    const auto failure = changes_.apply(label_, found, z_);
    take_warning();
    if (failure) return fails(*failure);
    std::vector<Occurrence>& all = joined_.so_far().occurrences;
    for (auto one = all.end() - static_cast<std::ptrdiff_t>(found.size()); one != all.end();
         ++one) {
      if (changes_.event_of(*one).change) one->after = z_;
    }
    const std::string accumulates = accumulation_.at(label_, found.front().event);
    if (!accumulates.empty()) {
      const Event& event = changes_.event_of(found.front());
      return fails({Termination::step_too_small, EventChanges::told(event, label_, accumulates),
                    after_accumulation});
    }
    const EventChanges::Place here{label_, time_rounding()};
    const auto stuck = changes_.stuck(here, found, state_before, z_, at_begin);
    if (stuck) return fails(*stuck);
    const auto off = changes_.leave_zero(here, found, state_before, z_, piece_.passed);
    if (off) return fails(*off);
    return true;
  }

  /// There is nothing left to do.
  bool give_all_before() {
    Solution& all = joined_.so_far();
    all.nz = static_cast<int>(z_.size());
    all.second_order = how_.second_order;
    all.report.termination = Termination::converged;
    all.report.integration.available = true;
    all.report.integration.reached = begin_;
    all.ny = static_cast<int>(legs_.resumed_state().carried.size());
    return give_last(legs_.resumed_state().carried);
  }

  /// The end, without a step there: of an event at the very end, or known from before.
  /// @param multipliers  empty: not known.
  bool give_last(VecX multipliers) {
    Solution& all = joined_.so_far();
    const bool known = multipliers.size() > 0;
    if (!known) multipliers.setConstant(all.ny, NAN);
    joined_.add_row(begin_, z_, multipliers);
    sink_.give({joined_.steps(), begin_, z_.data(), known ? multipliers.data() : nullptr, all.ny,
                all.carries_By});
    return false;
  }

  bool fails(EventChanges::Failure why) {
    joined_.fails(why.termination, std::move(why.message), why.advice);
    return false;
  }

  const Restarted& how_;
  const Interval span_;
  const Options& options_;
  const double sign_;
  std::vector<double> stops_;  ///< Those that are left.
  VecX z_;
  double begin_ = 0;  ///< Of the next piece.
  double label_;      ///< The time asked for that it begins at.
  double next_ = 0;   ///< The time asked for that it is to end at.
  Piece piece_{};
  JoinedSolution joined_;
  JoinedSink sink_;
  Accumulation accumulation_;
  EventChanges changes_;
  Legs legs_;
  ProgressClock clock_;
  bool after_leg_ = false;  ///< The next piece goes on from the end of a leg.
  bool caller_threw_ = false;
};

}  // namespace

Solution solve_with_restarts(const Restarted& how, const VecX& start, const Interval& span,
                             const Options& options) {
  if (!starts_anew(options) && !uses_checkpoints(options)) {
    return how.run(start, span, options, {});
  }
  return RestartedRun(how, start, span, options).run();
}

}  // namespace daewave::ivp
