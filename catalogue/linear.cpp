#include "catalogue/makers.hpp"
#include "core/problem/linear_as_semi_explicit.hpp"
#include "core/start/linear_start.hpp"

namespace daewave::catalogue {

InitialValueProblemPtr as_initial_value_problem(const problems::LinearProblem& problem) {
  Known known{problem.dae->name(), problem.dae->interval(), problem.x_exact};
  const VecX start = initial_state(*problem.dae);
  return std::make_shared<const InitialValueProblem>(
      problem_of(LinearAsSemiExplicit(problem.dae), start, known.interval.begin), start, known);
}

}  // namespace daewave::catalogue
