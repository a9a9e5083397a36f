#include "bvp/nonlinear/solve.hpp"

#include "bvp/nonlinear/choose.hpp"
#include "bvp/nonlinear/infinite_interval.hpp"
#include "bvp/nonlinear/posed.hpp"
#include "bvp/nonlinear/refined_solve.hpp"
#include "core/error.hpp"
#include "core/report/report.hpp"
#include "core/report/stopwatch.hpp"

namespace daewave::bvp {
namespace {

/// As asked for, and by B y in place of y where that may do better.
///
/// @param phases  to which the seconds of all attempts are added.
Solution solve_in_attempts(const ProblemFamily& family, const Options& options, Seconds& phases) {
  const Posed posed(family, options);
  const auto solved = [&phases](const Posed& by, Effort effort) {
    const auto refined = [&](const Options& as) {
      Solution solution = by.solution(refined_solve(by.problem(), as, effort));
      phases.add_phases(solution.report.seconds);
      return solution;
    };
    if (!by.options().on_each_mesh) return refined(by.options());
    Options of_posed = by.options();
    of_posed.on_each_mesh = [&by](const Solution& found) {
      by.options().on_each_mesh(by.solution(found));
    };
    return refined(of_posed);
  };
  const bool constrained = posed.problem().equations->sizes().ny > 0;
  // B y has other entries than y.
  const Tolerances& tolerances = options.tolerances;
  const bool of_entries =
      tolerances.carried_absolute.is_each() || tolerances.carried_relative.is_each();
  const bool is_open = !options.variant && !(options.alpha1.value_or(0) > 0);
  if (!constrained || !is_open || of_entries) return solved(posed, Effort::all);
  Solution first = solved(posed, Effort::some);
  if (may_settle(options, posed.problem(), first.report)) {
    constexpr double smaller = 0.1;  // What changes within epsilon does not settle.
    const double before = posed.problem().epsilon, epsilon = smaller * before;
    Options of_smaller = options;
    of_smaller.epsilon = epsilon;
    Solution settled = solved(Posed(family, of_smaller), Effort::some);
    if (settled.report.usable()) return settled_with(epsilon, before, std::move(settled));
  }
  if (!may_be_singular(options, first.report)) return first;
  Options again = options;
  again.variant = Variant::singular;
  const Posed with_By(family, again);
  Solution second = solved(with_By, Effort::some);
  // What failed for want of a better guess may need finer meshes; what is fast comes first.
  if (!second.report.usable() && needs_guess(first.report)) {
    first = solved(posed, Effort::all);
    if (first.report.usable()) return first;
  }
  if (!second.report.usable() && needs_guess(second.report)) second = solved(with_By, Effort::all);
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
