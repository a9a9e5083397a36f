#include "bvp/nonlinear/solve.hpp"

#include "bvp/nonlinear/choose.hpp"
#include "bvp/nonlinear/infinite_interval.hpp"
#include "bvp/nonlinear/posed.hpp"
#include "bvp/nonlinear/refined_solve.hpp"
#include "core/error.hpp"

namespace daewave::bvp {
namespace {

Solution solve_on_finite(const ProblemFamily& family, const Options& options) {
  const Posed posed(family, options);
  Solution solution = posed.solution(refined_solve(posed.problem(), posed.options()));
  const bool constrained = posed.problem().equations->sizes().ny > 0;
  if (!constrained || !may_be_singular(options, solution.report)) return solution;
  // B y has other entries than y.
  const Tolerances& tolerances = options.tolerances;
  if (tolerances.carried_absolute.is_each() || tolerances.carried_relative.is_each()) {
    return solution;
  }
  Options again = options;
  again.variant = Variant::singular;
  return better_of(std::move(solution), solve_on_finite(family, again));
}

}  // namespace

Solution solve(const ProblemFamily& family, const Options& options) {
  check(options);
  refuse_linear_options(options);
  check(family);
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
