#include "catalogue/initial_value_problem.hpp"

#include "ivp/solve.hpp"

namespace daewave::catalogue {

ivp::Solution InitialValueProblem::solve(const Interval& span, const ivp::Options& options) const {
  ivp::Solution solution = ivp::solve(*problem_, start_, span, options);
  solution.report.problem = known_.name;
  if (!known_.conserves_energy) solution.report.integration.has_energy = false;
  return solution;
}

Consistency InitialValueProblem::check() const {
  return check_start(*problem_, start_, known_.interval.begin);
}

DerivativeReport InitialValueProblem::check_derivatives() const {
  return daewave::check_derivatives(*problem_, start_, known_.interval.begin);
}

std::optional<VecX> InitialValueProblem::reference(double t) const {
  if (!known_.reference) return {};
  return known_.reference(t);
}

}  // namespace daewave::catalogue
