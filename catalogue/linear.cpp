#include "catalogue/erased_problem.hpp"
#include "catalogue/makers.hpp"
#include "core/problem/linear_as_semi_explicit.hpp"
#include "ivp/linear/initial_values.hpp"

namespace daewave::catalogue {

InitialValueProblemPtr as_initial_value_problem(const problems::LinearProblem& problem) {
  Known known{problem.dae->name(), problem.dae->interval(), problem.x_exact};
  return std::make_shared<ErasedProblem<LinearAsSemiExplicit>>(
      LinearAsSemiExplicit(problem.dae), ivp::initial_state(*problem.dae), known);
}

}  // namespace daewave::catalogue
