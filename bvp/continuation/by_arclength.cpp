#include "bvp/continuation/by_arclength.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "bvp/continuation/affine.hpp"
#include "bvp/continuation/crossing.hpp"
#include "bvp/continuation/fold.hpp"
#include "bvp/continuation/predicted.hpp"
#include "bvp/continuation/secant_plane.hpp"
#include "bvp/continuation/stays_on_branch.hpp"
#include "core/error.hpp"

namespace daewave::bvp {
namespace {

class ByArclength {
 public:
  explicit ByArclength(Way& way) : way_(way), metric_(way.entry(), way.range()) {}

  void run() {
    before_ = way_.last();
    last_ = before_;
    sizes_at_last();
    knows_one_branch_ =
        way_.family().unknown.empty() && is_affine(way_.family().member(way_.family().p), last_);
    if (!step_by_parameter()) return;
    last_ = way_.last();
    orientation_ = orientation(last_, before_, last_, sizes_at_last());
    double step = 0;  // 0: as long as the last.
    while (true) {
      if (!way_.has_steps_left()) {
        if (settle()) way_.is_exhausted();
        return;
      }
      const VecX sizes = sizes_at_last();
      const double last_length = metric_.distance(last_, before_, sizes);
      if (step == 0) step = Way::longer * last_length;
      const Solution guess = predicted(before_, last_, step / last_length);
      Solution next = solved_on_plane(guess, before_, last_, sizes, way_.loosely());
      if (is_stopped(next)) return;
      double cosine = next.report.usable() ? cosine_to(next, sizes) : -1;
      Solution end;
      if (cosine > too_curved && is_outside(value_of(next))) {
        end = solved_at_border(next);
        if (is_stopped(end)) return;
        // What is found there may be of another branch.
        if (end.report.usable() && metric_.distance(end, last_, sizes) > Way::least_step) {
          cosine = std::min(cosine, cosine_to(end, sizes));
          const Secant at_last{before_, last_, value_of(last_) - value_of(before_)};
          if (leads_off(last_, end, at_last)) cosine = -1;
          if (is_beyond(end, next, sizes)) cosine = -1;
          if (is_over_) return;
        }
      }
      int orientation_at_next = 0;
      bool leaps_off = false;
      if (cosine > too_curved) {
        const Solution& to = end.has_values() ? end : next;
        orientation_at_next = orientation(to, last_, to, sizes);
        leaps_off = orientation_at_next * orientation_ < 0 && leaps(to, sizes);
        if (is_over_) return;
      }
      const bool turns =
          cosine > too_curved && !leaps_off && !end.has_values() &&
          (value_of(next) - value_of(last_)) * (value_of(last_) - value_of(before_)) < 0;
      Solution fold;
      if (turns) fold = found_fold(next, sizes);
      if (!(cosine > too_curved) || leaps_off ||
          (turns && !fold.has_values() && step > least_step)) {
        way_.step_rejected();
        step *= Way::shorter;
        const bool was_too_long = (!leaps_off && has_cut_bend(next, cosine)) ||
                                  (next.report.usable() && step < least_step);
        if (was_too_long && !is_settled_ && older_.has_values() &&
            Way::shorter * last_length >= least_step) {
          step = Way::shorter * take_last_again();
        } else if (step < least_step) {
          if (!settle()) return;
          return next.report.usable() ? turns_too_sharply(cosine)
                                      : way_.fails_after_last(next.report, "beyond it");
        }
        continue;
      }
      // Told when the next step has confirmed it, and what is behind it with it.
      const bool is_fold_before_last =
          fold.has_values() && metric_.product_of(fold, last_, next, before_, sizes) < 0;
      if (fold.has_values() && is_outside(value_of(fold))) {
        return ends_before_fold(fold, is_fold_before_last ? before_ : last_, sizes);
      }
      const bool is_behind_fold = is_fold_before_last && !is_settled_ && !is_held_;
      if (!is_behind_fold && !settle()) return;
      is_held_ = is_behind_fold;
      way_.step_taken();
      if (end.report.termination != Termination::not_run) {
        return ends_at_border(std::move(end), value_of(next));
      }
      fold_ = turns && !fold.has_values() ? last_ : std::move(fold);
      orientation_before_ = orientation_;
      if (orientation_at_next != 0) orientation_ = orientation_at_next;
      older_ = std::move(before_);
      before_ = std::move(last_);
      last_ = std::move(next);
      is_settled_ = false;
      turn_of_longer_ = 0;
      constexpr double straight = 0.98, curved = 0.94;
      step *= cosine > straight ? Way::longer : cosine > curved ? 1 : 0.6;
      step = std::min(step, longest_step);
    }
  }

 private:
  /// The least is a hundredth of that by the parameter, so that branches are followed around bends
  /// that are as short.
  static constexpr double longest_step = 0.5, least_step = 0.01 * Way::least_step, too_curved = 0.8;
  static constexpr double for_tangent = 0.1;  ///< The part of a step along which it is taken.
  /// Components are told from their errors from so many of these on.
  static constexpr double seen = 100;

  double value_of(const Solution& solution) const { return metric_.value_of(solution); }

  /// Between the last step and one from there.
  double cosine_to(const Solution& next, const VecX& sizes) const {
    return metric_.product_of(next, last_, last_, before_, sizes) /
           (metric_.distance(next, last_, sizes) * metric_.distance(last_, before_, sizes));
  }

  /// The last solution is one of the branch, and the fold beside it. @return false where the
  /// observer stops.
  bool settle() {
    if (is_settled_) return true;
    return settle_before_last() && way_.take(value_of(last_), last_);
  }

  /// What is before the last one is of the branch. @return false where the observer stops.
  bool settle_before_last() {
    if (is_settled_) return true;
    is_settled_ = true;
    if (fold_.has_values()) {
      const double at = value_of(fold_);
      if (!way_.take(at, std::exchange(fold_, {}), true)) return false;
    }
    return !std::exchange(is_held_, false) || way_.take(value_of(before_), before_);
  }

  bool is_stopped(const Solution& solution) {
    if (solution.report.termination != Termination::stopped) return false;
    if (settle()) way_.is_stopped(solution);
    return true;
  }

  /// Whether steps from the last one would turn too far however short they are, as two of them
  /// tell.
  bool has_cut_bend(const Solution& next, double cosine) {
    if (!next.report.usable()) return false;
    const double turn = std::acos(std::clamp(cosine, -1.0, 1.0));
    const double longer = std::exchange(turn_of_longer_, turn);
    constexpr double beyond = Way::shorter / (1 - Way::shorter);
    return longer > 0 && turn - beyond * (longer - turn) > std::acos(too_curved);
  }

  /// The branch turns by more within the last step than beside its end: the step was too long.
  /// @return its length, in the units of where it is taken again.
  double take_last_again() {
    const Solution taken_back = std::move(last_);
    last_ = std::move(before_);
    before_ = std::move(older_);
    orientation_ = orientation_before_;
    fold_ = {};
    is_settled_ = !std::exchange(is_held_, false);
    turn_of_longer_ = 0;
    way_.step_taken_back();
    return metric_.distance(taken_back, last_, sizes_at_last());
  }

  /// S of the last solution, by which components that are small all along count as much as others.
  VecX sizes_at_last() {
    const VecX largest = last_.share().extents(last_.x_at_nodes(), MatX()).first.col(0);
    if (largest_.size() == 0) largest_ = seen * way_.errors_allowed(largest.size());
    largest_ = largest_.cwiseMax(largest);
    return largest + largest_.cwiseMin(1);
  }

  /// @param cosine  between the last step and one that is as short as any.
  void turns_too_sharply(double cosine) {
    Report turned;
    turned.termination = Termination::step_too_small;
    turned.message =
        cosine > too_curved
            ? "steps lead to another branch there, however short they are"
            : fmt::format(
                  "the branch turns by {:.0f} degrees there, however short the step, as "
                  "where it has a corner or meets another one",
                  std::acos(std::clamp(cosine, -1.0, 1.0)) * 180 / std::numbers::pi);
    way_.fails_after_last(turned, "beyond it");
    way_.advise(fmt::format(
        "by the parameter, arclength = false, where {0} need not turn; or begin with a solution "
        "beyond that {0}",
        way_.parameter()));
  }

  Solution solved_on_plane(const Solution& guess, const Solution& a, const Solution& b,
                           const VecX& sizes, double tolerance) {
    return way_.solved(on_plane(way_.family(), metric_, guess, a, b, sizes), &guess, tolerance);
  }

  void check_interval(double value) const {
    // Of a value that the family does not have a shorter step is taken.
    if (way_.is_on_interval_of_last(value)) return;
    throw InvalidOption(
        fmt::format("arclength = true: the interval depends on {0}, so that it cannot be unknown; "
                    "leave it out, or state the problem on [0, 1] with {0} in its equations",
                    way_.parameter()));
  }

  /// A first step by the parameter gives the direction. False where the way ends there.
  bool step_by_parameter() {
    const double begin = way_.begin(), all = way_.end() - begin;
    const auto& given = way_.how().first_step;
    double first = given ? std::min(0.5, *given / way_.range()) : 0.02;
    const Solution from = way_.last();
    check_interval(begin + first * all);
    while (!way_.is_exhausted()) {
      const double value = begin + first * all;
      Solution solution = way_.solved(value, &from, way_.loosely());
      if (way_.is_stopped(solution)) return false;
      const bool is_on_branch = solution.report.usable() && !leads_off(from, solution, {});
      if (is_over_) return false;
      if (is_on_branch) {
        way_.step_taken();
        return way_.take(value, std::move(solution));
      }
      way_.step_rejected();
      first *= 0.1;
      constexpr double least = 1e-6;  // Of a parameter whose range is long for what depends on it.
      if (first < least) {
        if (solution.report.usable()) {
          solution.report.termination = Termination::step_too_small;
          solution.report.message = "what is found there is of another branch";
          solution.report.advice = fmt::format(
              "begin at a {} that is farther from where the branch turns", way_.parameter());
        }
        way_.fails(solution.report, fmt::format("no solution beside {} = {:g}, at {:.10g}",
                                                way_.parameter(), begin, value));
        return false;
      }
    }
    return false;
  }

  /// Whether a step by the parameter ends on another branch.
  /// @param at_last  over its part of the parameter; where it is not known it is found.
  bool leads_off(const Solution& last, const Solution& next, std::optional<Secant> at_last) {
    const double from = value_of(last), step = value_of(next) - from;
    const BranchStepEnds ends{last, next, way_.tolerance()};
    if (!may_leap(way_.family(), way_.entry(), from + step, ends)) return false;
    if (!at_last) at_last = secant(last, for_tangent * step);
    std::optional<Secant> at_next;
    if (!is_over_) at_next = secant(next, -for_tangent * step);
    if (!at_last || !at_next) return true;
    if (!stays_on_branch(ends, step, *at_last, *at_next, false)) return true;
    const Solution guess = predicted(last, next, -0.5);
    const Solution middle = way_.solved(from + 0.5 * step, &guess, way_.loosely());
    is_over_ = is_stopped(middle);
    return !middle.report.usable() || !is_between(ends, step, *at_last, *at_next, middle);
  }

  /// None where there is no solution, or the way is over.
  std::optional<Secant> secant(const Solution& from, double step) {
    Solution to = way_.solved(value_of(from) + step, &from, way_.loosely());
    is_over_ = is_stopped(to);
    if (!to.report.usable()) return {};
    return Secant{from, std::move(to), step};
  }

  /// Of the branch with its parameter, which goes through `at` as from a to b.
  int orientation(const Solution& at, const Solution& a, const Solution& b,
                  const VecX& sizes) const {
    if (knows_one_branch_) return 0;  // Linear problems have one solution.
    return way_.orientation(on_plane(way_.family(), metric_, at, a, b, sizes), at);
  }

  /// Of a step to a solution at which the branch is the other way round.
  bool leaps(const Solution& next, const VecX& sizes) {
    const TurnedStep step{
        .last = last_,
        .next = next,
        .at_last = orientation_,
        .between =
            [&](const Solution& from, const Solution& to, double part) {
              const Solution guess = predicted(from, to, part - 1);
              Solution found = solved_on_plane(guess, last_, next, sizes, way_.loosely());
              is_over_ = is_stopped(found);
              return found;
            },
        .orientation = [&](const Solution& at) { return orientation(at, last_, next, sizes); },
        .distance = [&](const Solution& a,
                        const Solution& b) { return metric_.distance(a, b, sizes); },
        .error = [&](const Solution& a, const Solution& b) { return errors_of(a, b, sizes); }};
    return crossing(step, Way::least_step) == Crossing::leapt;
  }

  bool is_outside(double value) const {
    const double all = way_.end() - way_.begin();
    return (value - way_.end()) * all >= 0 || (value - way_.begin()) * all <= 0;
  }

  bool is_at_end(double value) const {
    return (value - way_.end()) * (way_.end() - way_.begin()) >= 0;
  }

  /// The parameter passes an end of its range between the last solution and the next.
  Solution solved_at_border(const Solution& next) {
    const double value = is_at_end(value_of(next)) ? way_.end() : way_.begin();
    const double step = value_of(next) - value_of(last_);
    const Solution guess =
        predicted(last_, next, (value - value_of(next)) / (step == 0 ? 1 : step));
    return way_.solved(value, &guess, way_.tolerance());
  }

  /// The parameter passes an end of its range on the way to a fold, and again behind it.
  /// @param last  the last solution before the fold.
  void ends_before_fold(const Solution& fold, const Solution& last, const VecX& sizes) {
    if (!(&last == &before_ ? settle_before_last() : settle())) return;
    const double beyond = value_of(fold), all = beyond - value_of(last);
    const double border = is_at_end(beyond) ? way_.end() : way_.begin();
    // Beside a fold the parameter is a parabola over the length.
    const double part = std::sqrt(std::clamp((beyond - border) / all, 0.0, 1.0));
    const Solution guess = predicted(last, fold, -part);
    Solution end = way_.solved(border, &guess, way_.tolerance());
    if (is_stopped(end)) return;
    if (end.report.usable() && metric_.product_of(end, fold, last, fold, sizes) < 0) {
      end.report.termination = Termination::step_too_small;
      end.report.message = "what is found there is behind the fold";
    }
    way_.step_taken();
    ends_at_border(std::move(end), beyond);
  }

  /// Whether the end of the range was found behind a solution that is outside of it already, as
  /// where the branch turns before that.
  bool is_beyond(const Solution& end, const Solution& next, const VecX& sizes) const {
    const double step = metric_.distance(next, last_, sizes);
    return metric_.product_of(end, next, next, last_, sizes) > Way::least_step * step * step;
  }

  /// @param beyond  the parameter of a solution that is not within its range.
  void ends_at_border(Solution end, double beyond) {
    const double value = is_at_end(beyond) ? way_.end() : way_.begin();
    if (!end.report.usable()) {
      return way_.fails_after_last(end.report, fmt::format("at {:.10g}", value));
    }
    if (way_.take(value, std::move(end))) {
      way_.reaches_end(is_at_end(beyond)
                           ? "reached"
                           : "where it began reached again, on another part of the branch,");
    }
  }

  /// Of a branch on which the parameter turns between the last solution and its neighbours.
  Solution found_fold(const Solution& next, const VecX& sizes) {
    const double length = metric_.distance(next, before_, sizes);
    return fold_between({.before = before_,
                         .last = last_,
                         .next = next,
                         .length = length,
                         .tolerance = way_.tolerance(),
                         .range = way_.range(),
                         .along =
                             [&](const Solution& at) {
                               return metric_.product_of(at, last_, next, before_, sizes) / length;
                             },
                         .value = [&](const Solution& at) { return value_of(at); },
                         .on_plane =
                             [&](const Solution& guess) {
                               return solved_on_plane(guess, before_, next, sizes,
                                                      way_.tolerance());
                             }});
  }

  Way& way_;
  BranchMetric metric_;
  /// The last one is kept back until a step from there has shown how the branch goes on.
  Solution older_{}, before_{}, last_{};
  Solution fold_{};  ///< On the way to the last one.
  bool is_settled_ = true, is_over_ = false;
  bool knows_one_branch_ = false;
  int orientation_ = 0, orientation_before_ = 0;  ///< At the last one, and before; 0: not known.
  bool is_held_ = false;       ///< The one before the last is not told yet: it is behind that fold.
  double turn_of_longer_ = 0;  ///< Of a step from the last one that was too long; 0: there is none.
  VecX largest_{};  ///< Of each component on the way; not below what is told from errors.
};

}  // namespace

void follow_by_arclength(Way& way) { ByArclength(way).run(); }

}  // namespace daewave::bvp
