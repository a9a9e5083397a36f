#include "bvp/nonlinear/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "bvp/mesh/fixed_nodes.hpp"
#include "bvp/nonlinear/choose.hpp"
#include "bvp/nonlinear/infinite_interval.hpp"
#include "bvp/nonlinear/posed.hpp"
#include "bvp/nonlinear/refined_solve.hpp"
#include "core/error.hpp"
#include "core/report/report.hpp"
#include "core/report/stopwatch.hpp"

namespace daewave::bvp {
namespace {

/// Solves of one family, whose seconds add up.
class Attempts {
 public:
  Attempts(const ProblemFamily& family, Seconds& phases) : family_(family), phases_(phases) {}

  /// With epsilon as given; or as chosen, and smaller where iterates do not settle: what changes
  /// within some epsilon, which near dependent constraints is many times as much, keeps them from
  /// it.
  Solution settled(const Options& options, Effort effort) {
    const Posed posed(family_, options);
    const NonlinearProblem& problem = posed.problem();
    if (!has_open_epsilon(options, problem)) return solved(posed, effort);
    // Beside dependent constraints what does not settle asks for any number of intervals.
    const bool limited = problem.carries_By;
    Solution solution = limited ? solved(Posed(family_, limited_to(many, options)), effort, few)
                                : solved(posed, effort);
    if (!may_settle(problem, solution.report)) return solution;
    for (const double smaller : {0.1, 1e-3}) {
      Options of_smaller = limited_to(many, options);
      of_smaller.epsilon = smaller * problem.epsilon;
      Solution again;
      if (can_start_from(solution, options.ranks)) again = solved_from(solution, of_smaller);
      if (!again.report.usable() && again.report.termination != Termination::stopped) {
        again = solved(Posed(family_, of_smaller), effort);
      }
      if (again.report.termination == Termination::stopped) return again;
      if (again.report.usable()) {
        return settled_with(*of_smaller.epsilon, problem.epsilon, std::move(again));
      }
    }
    return limited ? solved(posed, effort) : solution;
  }

 private:
  /// Intervals on which what will settle does, and that are enough where it has.
  static constexpr int few = 500, many = 8000;
  static constexpr int any = std::numeric_limits<int>::max();

  static Options limited_to(int intervals, Options options) {
    options.max_intervals = std::min(most_intervals(options), intervals);
    return options;
  }

  Solution solved_from(const Solution& solution, Options options) {
    options.from = solution;
    options.guess = nullptr;
    const Mesh& mesh = solution.mesh_of_all();
    if (!options.mesh && !options.intervals && mesh.intervals() > few) {
      options.mesh = resized_with(mesh, few, solution.fixed_nodes);
    }
    return solved(Posed(family_, options), Effort::some, few);
  }

  Solution solved(const Posed& posed, Effort effort, int most_unsettled = any) {
    const auto refined = [&](const Options& as) {
      Solution solution =
          posed.solution(refined_solve(posed.problem(), as, effort, most_unsettled));
      phases_.add_phases(solution.report.seconds);
      return solution;
    };
    if (!posed.options().on_each_mesh) return refined(posed.options());
    Options of_posed = posed.options();
    of_posed.on_each_mesh = [&posed](const Solution& found) {
      posed.options().on_each_mesh(posed.solution(found));
    };
    return refined(of_posed);
  }

  const ProblemFamily& family_;
  Seconds& phases_;
};

bool is_stopped(const Solution& solution) {
  return solution.report.termination == Termination::stopped;
}

/// The caller stops what may be better than what was found first.
Solution stopped_after(Solution first, Solution stopped) {
  if (stopped.has_values() || !first.has_values()) return stopped;
  first.report.message = fmt::format("{}; the values are those found before: {}",
                                     stopped.report.message, first.report.message);
  first.report.termination = Termination::stopped;
  first.report.advice = std::move(stopped.report.advice);
  return first;
}

/// By faster decay of what iterates are off their constraints: a straight line is far off those of
/// a motion that turns, and Newton's method with it where the decay takes the whole interval. Empty
/// where that is not open, or finds nothing; stopped where the caller stops it.
/// @param form  as chosen.
Solution found_by_faster_decay(const Options& options, const Regularization& form,
                               Attempts& attempts) {
  // A guess that is a solution is near the next one, on whose branch it is to stay.
  if (form.alpha1 == 0 || options.alpha2 || options.from) return {};
  // Of an interval: within about a radian where it is one or two, or five, swings long.
  for (const double faster : {10.0, 30.0}) {
    Options damped = options;
    damped.alpha2 = faster * form.alpha2;
    Solution solution = attempts.settled(damped, Effort::some);
    if (is_stopped(solution)) return solution;
    if (!solution.report.usable()) continue;
    solution.report.warnings.push_back(
        fmt::format("alpha2 = {:.3g} was taken, as none was found from the guess with {:.3g}; give "
                    "alpha2, or a better guess, and that is saved",
                    *damped.alpha2, form.alpha2));
    return solution;
  }
  return {};
}

/// As asked for, and by B y in place of y where that may do better.
///
/// @param phases  to which the seconds of all attempts are added.
Solution solve_in_attempts(const ProblemFamily& family, const Options& options, Seconds& phases) {
  Attempts attempts(family, phases);
  const Posed posed(family, options);
  const bool constrained = posed.problem().equations->sizes().ny > 0;
  // B y has other entries than y.
  const Tolerances& tolerances = options.tolerances;
  const bool of_entries =
      tolerances.carried_absolute.is_each() || tolerances.carried_relative.is_each();
  const bool is_open = !options.variant && !(options.alpha1.value_or(0) > 0);
  if (!constrained || !is_open || of_entries) return attempts.settled(options, Effort::all);
  Solution first = attempts.settled(options, Effort::some);
  if (!may_be_singular(options, first.report)) return first;
  Options with_By = options;
  with_By.variant = Variant::singular;
  Solution second = attempts.settled(with_By, Effort::some);
  if (is_stopped(second)) return stopped_after(std::move(first), std::move(second));
  // What failed for want of a better guess may need finer meshes; what is fast comes first.
  if (!second.report.usable() && needs_guess(first.report)) {
    Solution third = found_by_faster_decay(options, posed.problem().form, attempts);
    if (is_stopped(third)) return stopped_after(std::move(first), std::move(third));
    if (third.report.usable()) return third;
    first = attempts.settled(options, Effort::all);
    if (first.report.usable() || is_stopped(first)) return first;
  }
  if (!second.report.usable() && needs_guess(second.report)) {
    second = attempts.settled(with_By, Effort::all);
    if (is_stopped(second)) return stopped_after(std::move(first), std::move(second));
  }
  return better_of(std::move(first), std::move(second));
}

Solution solve_on_finite(const ProblemFamily& family, const Options& options) {
  const Stopwatch watch;
  Seconds seconds;
  Solution solution = solve_in_attempts(family, options, seconds);
  seconds.total = watch.seconds();
  solution.report.seconds = seconds;
  return solution;
}

}  // namespace

Solution solve(const ProblemFamily& family, const Options& options) {
  check(options);
  refuse_linear_options(options);
  check(family);
  check_ranks(options);
  if (is_infinite(family.member(family.p).interval)) {
    return solve_on_infinite(family, options, solve_on_finite);
  }
  if (options.truncation) {
    throw InvalidOption(
        "truncation: is of infinite intervals, and that of the problem is not; leave it out");
  }
  return solve_on_finite(family, options);
}

Solution solve(const BoundaryProblem& problem, const Options& options) {
  return solve(ProblemFamily{.member = [&problem](const VecX&) { return problem; }}, options);
}

}  // namespace daewave::bvp
