#include "ivp/sensitivities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "ivp/doors/method_choice.hpp"
#include "ivp/doors/run_setup.hpp"
#include "ivp/doors/solve_reduced.hpp"
#include "ivp/estimate/second_method.hpp"
#include "ivp/run/progress_clock.hpp"
#include "ivp/solve.hpp"
#include "ivp/variation/end_difference.hpp"
#include "ivp/variation/members_beside.hpp"
#include "ivp/variation/solve_varied.hpp"
#include "ivp/variation/variation_around.hpp"

namespace daewave::ivp {
namespace {

/// Of runs whose differences are taken: as much better as the differences lose.
double rtol_beside(const Options& options) { return std::clamp(1e-4 * options.rtol, 1e-13, 1e-10); }

/// Events with a change that were passed, in their order.
std::vector<int> changes_of(const Solution& solution) {
  std::vector<int> passed;
  for (const Occurrence& one : solution.occurrences) {
    if (one.after.size() > 0) passed.push_back(one.event);
  }
  return passed;
}

/// What counts as a move of one: the size that an entry has on the way, at least a hundredth of the
/// largest of its kind; of velocities at least what moves positions by theirs in the longest step,
/// as a run near an equilibrium tells nothing of how fast motions beside it are.
VecX units_of(const Solution& solution) {
  VecX unit = solution.motion.least.cwiseAbs().cwiseMax(solution.motion.greatest.cwiseAbs());
  const Eigen::Index half = solution.second_order ? unit.size() / 2 : unit.size();
  for (Eigen::Index from = 0; from < unit.size(); from += half) {
    const double kind = unit.segment(from, half).maxCoeff();
    for (Eigen::Index i = from; i < from + half; ++i) {
      unit[i] = kind > 0 ? std::max(unit[i], 0.01 * kind) : 1;
    }
  }
  const double longest = solution.report.integration.largest_step;
  if (solution.second_order && longest > 0) {
    unit.tail(half) = unit.tail(half).cwiseMax(unit.head(half) / longest);
  }
  return unit;
}

/// What small tolerances cost least with, of problems that the method asked for is taken for; that
/// method where there is no other one.
Method at_small_tolerances(const DaeProblem& problem, const Method& method) {
  if (problem.kind() != Kind::invariants && !is_reducible(problem)) return method;
  constexpr int stages = 5;
  if (is_implicit(method)) return Automatic{.formula = {Stepper::radau, stages}};
  return Automatic{};
}

class SensitivityOf {
 public:
  /// @param family  null: of the start alone.
  SensitivityOf(const DaeProblem& problem, const VecX& start, const Family* family,
                const VecX& parameters, const Interval& span, const Options& options)
      : problem_(problem),
        start_(start),
        members_(problem, start, family, parameters, span.begin, options),
        span_(span),
        options_(options) {}

  Sensitivities find() {
    std::string why_not = choose();
    if (options_.h && !why_not.empty()) {
      const bool needs_h = std::holds_alternative<SymmetricProjection>(options_.method);
      throw InvalidOption(fmt::format(
          "h = {:g}: {}, so that sensitivities are differences of runs to a small tolerance; {}",
          *options_.h, why_not, needs_h ? "take method = s-both2 without h" : "leave h open"));
    }
    Sensitivities found;
    found.solution = solve(problem_, start_, span_, options_);
    if (!found.solution.report.usable()) return found;
    require_end(found.solution);
    passed_ = changes_of(found.solution);
    unit_ = units_of(found.solution);
    beside_ = options_beside(found.solution);
    if (why_not.empty() && !found.solution.report.singular_points.empty()) {
      why_not = "a singular configuration is passed";
    }
    if (why_not.empty()) why_not = vary(found);
    if (!why_not.empty()) by_differences(why_not, found);
    return found;
  }

 private:
  int starts() const { return members_.starts(); }
  int columns() const { return members_.columns(); }

  void require_end(const Solution& run) const {
    if (run.report.integration.reached == span_.end) return;
    throw InvalidOption(fmt::format(
        "events: one stops the run at t = {:.10g}, and sensitivities are those at a given time; "
        "leave it out, or end the interval there",
        run.report.integration.reached));
  }

  /// Where more are needed, runs to a small tolerance creep: on a right side that is not smooth, or
  /// that is made of differences.
  long most_steps(const Solution& run, long more) const {
    constexpr long least = 1000;
    return std::min(options_.most_steps, least + more * run.report.integration.steps);
  }

  /// As the run, with nothing given out but the end.
  Options options_beside(const Solution& run) {
    Options one;
    one.seek_way_out = false;
    one.method = at_small_tolerances(problem_, options_.method);
    one.rtol = rtol_beside(options_);
    one.repair_start = problem_.kind() == Kind::invariants;
    one.start_tolerance = one.repair_start ? 1e-13 : options_.start_tolerance;
    one.rank_tolerance = options_.rank_tolerance;
    if (options_.progress) {
      one.progress = [this](const RunProgress& now) {
        return !(stopped_ = !options_.progress(now));
      };
    }
    one.most_steps = most_steps(run, 20);
    one.every = 0;
    one.multipliers = false;
    one.monitor = false;
    one.events = options_.events;
    one.restart_times = options_.restart_times;
    one.largest_step = options_.largest_step;
    one.reset = options_.reset;
    return one;
  }

  std::optional<VecX> end_at(const VecX& moved, const Options& options) {
    // Many of them are too short to ask on their way.
    if (options.progress && clock_.due()) {
      options.progress({span_.begin, span_.begin, span_.end, 0, 0});
    }
    if (stopped_ || crept_ == most_crept) return {};
    Solution run;
    try {
      const Member member = members_.at(moved);
      if (!member.problem) {
        failure_ = members_.failure();
        return {};
      }
      run = solve(*member.problem, member.start, span_, with_events(options, member));
    } catch (const InvalidProblem& refused) {
      failure_ = std::string("a start beside this one: ") + refused.what();
      return {};
    }
    if (!run.report.usable()) {
      if (has_crept(run.report)) ++crept_;
      failure_ = "a run beside this one ended as " + run.report.brief();
      return {};
    }
    if (changes_of(run) != passed_) {
      failure_ =
          "a run beside this one passes other events, or in another order, and the end does not "
          "move smoothly; where changes of events set more than the state, give reset";
      return {};
    }
    return run.end();
  }

  static Options with_events(Options options, const Member& member) {
    if (!member.events.empty()) options.events = member.events;
    for (Event& event : options.events) event.then = Event::Then::go_on;
    return options;
  }

  /// To a larger tolerance where the runs do not get on with a small one: by other columns neither.
  EndDifference difference(const VecX& direction, Options options) {
    EndDifference found;
    for (; options.rtol <= 1.1 * options_.rtol; options.rtol *= 100) {
      crept_ = 0;
      found = end_difference([&](double d) { return end_at(d * direction, options); }, 1, unit_,
                             1e3 * options.rtol);
      if (found.value.size() > 0) beside_.rtol = options.rtol;
      if (found.value.size() > 0 || crept_ < most_crept) break;
    }
    return found;
  }

  void take(const MatX& scaled, Sensitivities& found) const {
    found.start = scaled.leftCols(starts());
    found.parameters = scaled.rightCols(columns() - starts());
    for (int j = 0; j < columns(); ++j) {
      (j < starts() ? found.start.col(j) : found.parameters.col(j - starts())) /= members_.size(j);
    }
  }

  void by_differences(const std::string& why, Sensitivities& found) {
    MatX scaled(unit_.size(), columns());
    for (int j = 0; j < columns(); ++j) {
      const EndDifference column = difference(VecX::Unit(columns(), j), beside_);
      if (stopped_) return stop(found);
      if (column.value.size() == 0) throw InvalidProblem("sensitivities: " + failure_);
      scaled.col(j) = column.value;
      found.error = std::max(found.error, column.apart);
    }
    take(scaled, found);
    found.how =
        fmt::format("differences of runs, as {}; two of them agree to {:.1e}", why, found.error);
  }

  void stop(Sensitivities& found) const {
    found.solution.report.termination = Termination::stopped;
    found.solution.report.message = "stopped by progress, before all sensitivities were there";
  }

  /// The method of the run. Why it has no equations of first order, where it has none; else empty.
  std::string choose() {
    check(options_);
    const auto changes = [](const Event& event) { return static_cast<bool>(event.change); };
    if (std::any_of(options_.events.begin(), options_.events.end(), changes)) {
      return "events change the state";
    }
    if (problem_.kind() == Kind::invariants) return "the problem is one with invariants";
    if (problem_.kind() == Kind::ordinary) return "the problem has no constraints";
    std::vector<std::string> warnings;
    consistent_ = start_;
    consistency_ = consistent(problem_, consistent_, span_.begin, options_, warnings);
    check_span(span_);
    chosen_ = method_for(problem_, consistent_, span_, consistency_, options_, false);
    const std::string why_not = no_variation(chosen_.method);
    if (why_not.empty() || options_.h) return why_not;
    in_place_ = fmt::format(", as {}", why_not);
    Options other = options_;
    other.method = at_small_tolerances(problem_, options_.method);
    chosen_ = method_for(problem_, consistent_, span_, consistency_, other, false);
    return no_variation(chosen_.method);
  }

  /// Of the run: at rest as much as in motion.
  std::vector<StateAt> some_states(const Solution& run) const {
    constexpr int parts = 4;
    std::vector<StateAt> states{{span_.begin, consistent_}};
    for (int k = 1; k <= parts && run.count() > 0; ++k) {
      const int i = k * (run.count() - 1) / parts;
      if (run.t[static_cast<std::size_t>(i)] == states.back().t) continue;
      states.push_back({run.t[static_cast<std::size_t>(i)], run.state(i)});
    }
    return states;
  }

  static bool has_crept(const Report& report) {
    return report.termination == Termination::too_many_steps ||
           report.termination == Termination::step_too_small;
  }

  /// Directions that decay at once are what a run by windows, or along them, does not see: an
  /// explicit formula creeps where they are stepped. False where there is nothing to turn to.
  bool turn_implicit() {
    constexpr Eigen::Index largest = 600;  // The linear systems are dense.
    if (options_.h || is_implicit(chosen_.method)) return false;
    if (unit_.size() * (1 + columns()) > largest) return false;
    in_place_ += fmt::format(", as {} crept", chosen_.formula());
    Options other = options_;
    other.method = SBoth2{.formula = {Stepper::radau, 5}};
    chosen_ = method_for(problem_, consistent_, span_, consistency_, other, false);
    beside_.method = at_small_tolerances(problem_, other.method);
    return no_variation(chosen_.method).empty();
  }

  /// By these equations. Why they could not be stepped; else empty.
  std::string vary(Sensitivities& found) {
    Options with =
        with_atol(options_, consistent_, problem_.has_velocity(), span_, chosen_.choices);
    const std::optional<Variation> variation =
        variation_around(problem_, members_, some_states(found.solution), chosen_, with, unit_,
                         found.solution.report.integration.largest_step);
    if (!variation) throw InvalidProblem("sensitivities: " + members_.failure());
    with.progress = beside_.progress;
    with.most_steps = most_steps(found.solution, 5);
    Solution run = solve_varied(problem_, consistent_, span_, chosen_, with, *variation);
    if (!stopped_ && has_crept(run.report) && turn_implicit()) {
      run = solve_varied(problem_, consistent_, span_, chosen_, with, *variation);
    }
    if (stopped_) return stop(found), std::string();
    if (!run.report.usable()) {
      return "the equations of first order ended as " + run.report.brief();
    }
    const MatX scaled = run.end().tail(unit_.size() * columns()).reshaped(unit_.size(), columns());
    take(scaled, found);
    found.how = fmt::format("equations of first order, by {} with {}{}", name_of(chosen_.method),
                            chosen_.formula(), in_place_);
    check_by_another(scaled, found);
    if (stopped_) stop(found);
    return {};
  }

  /// Of a mixture of all columns, what runs by another method say.
  void check_by_another(const MatX& scaled, Sensitivities& found) {
    VecX mixture(columns());
    for (int j = 0; j < columns(); ++j) mixture[j] = std::cos(1 + 2.4 * j);
    // By dop853, whatever explicit formula the run has: it costs least.
    Options like = options_;
    like.method =
        is_implicit(chosen_.method) ? chosen_.method : SBoth2{.formula = {Stepper::dopri5, {}}};
    for (const SecondMethod& second : second_methods(problem_, like, false)) {
      Options options = beside_;
      options.method = second.method;
      const EndDifference by_runs = difference(mixture, options);
      if (by_runs.value.size() == 0) continue;
      const VecX expected = scaled * mixture;
      const double measure = std::max(largest_of(expected, unit_), 1e-3);
      found.error = largest_of(by_runs.value - expected, unit_) / measure;
      found.how +=
          fmt::format("; differences of runs by {} agree to {:.1e}", second.name, found.error);
      return;
    }
    found.error = std::nan("");
    found.how += "; no differences of runs to compare with: " + failure_;
  }

  const DaeProblem& problem_;
  const VecX& start_;
  MembersBeside members_;
  const Interval span_;
  const Options& options_;
  Options beside_;
  MethodChoice chosen_;
  std::string in_place_;  ///< Why it is not that of the run; empty where it is.
  VecX consistent_;       ///< The start.
  Consistency consistency_;
  std::vector<int> passed_;
  VecX unit_;
  std::string failure_;
  static constexpr int most_crept = 2;
  int crept_ = 0;  ///< Runs of one direction that did.
  bool stopped_ = false;
  ProgressClock clock_;
};

}  // namespace

Sensitivities sensitivities(const DaeProblem& problem, const VecX& start, const Interval& span,
                            const Options& options) {
  const VecX none;
  return SensitivityOf(problem, start, nullptr, none, span, options).find();
}

Sensitivities sensitivities(const Family& family, const VecX& parameters, const Interval& span,
                            const Options& options) {
  const Member member = family(parameters);
  if (!member.problem) {
    throw InvalidProblem("sensitivities: the family gives no problem for these parameters");
  }
  return SensitivityOf(*member.problem, member.start, &family, parameters, span, options).find();
}

}  // namespace daewave::ivp
