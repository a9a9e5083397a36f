#include "bvp/nonlinear/solve.hpp"

#include "bvp/nonlinear/choose.hpp"
#include "bvp/nonlinear/posed.hpp"
#include "bvp/nonlinear/refined_solve.hpp"

namespace daewave::bvp {

Solution solve(const ProblemFamily& family, const Options& options) {
  check(options);
  refuse_linear_options(options);
  const Posed posed(family, options);
  Solution solution = posed.solution(refined_solve(posed.problem(), posed.options()));
  const bool constrained = posed.problem().equations->sizes().ny > 0;
  if (!constrained || !may_be_singular(options, solution.report)) return solution;
  // B y has other entries than y.
  if (options.tolerances.carried_absolute.is_each() ||
      options.tolerances.carried_relative.is_each())
    return solution;
  Options again = options;
  again.variant = Variant::singular;
  return better_of(std::move(solution), solve(family, again));
}

Solution solve(const BoundaryProblem& problem, const Options& options) {
  return solve(ProblemFamily{.member = [&problem](const VecX&) { return problem; }}, options);
}

}  // namespace daewave::bvp
