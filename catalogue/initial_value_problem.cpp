#include "catalogue/initial_value_problem.hpp"

#include "ivp/lanes/lane_members.hpp"
#include "ivp/lanes/lane_methods.hpp"
#include "ivp/lanes/lane_options.hpp"
#include "ivp/solve.hpp"
#include "ivp/solve_lanes.hpp"

namespace daewave::catalogue {

ivp::Solution InitialValueProblem::solve(const Interval& span, const ivp::Options& options) const {
  ivp::Options with = options;
  with.events.insert(with.events.begin(), known_.events.begin(), known_.events.end());
  ivp::Solution solution = ivp::solve(*problem_, start_, span, with);
  name_report(solution.report);
  return solution;
}

void InitialValueProblem::name_report(Report& report) const {
  report.problem = known_.name;
  if (!known_.conserves_energy) report.integration.has_energy = false;
  report.warnings.insert(report.warnings.begin(), known_.warnings.begin(), known_.warnings.end());
}

bool InitialValueProblem::has_lanes() const { return ivp::has_lanes(*problem_); }

int InitialValueProblem::members_in_lanes(const ivp::Options& options) const {
  if (!has_lanes() || !known_.events.empty() || !ivp::members_can_go_in_lanes(options)) return 0;
  return ivp::members_in(ivp::chosen_simd(*ivp::asked_in_lanes(options)));
}

std::vector<ivp::Solution> InitialValueProblem::solve_members(
    const std::vector<InitialValueProblemPtr>& members, const Interval& span,
    const ivp::Options& options) {
  std::vector<const DaeProblem*> problems;
  std::vector<VecX> starts;
  for (const InitialValueProblemPtr& member : members) {
    problems.push_back(member->problem_.get());
    starts.push_back(member->start_);
  }
  std::vector<ivp::Solution> solutions =
      ivp::solve_members_in_lanes(problems, starts, span, options);
  for (std::size_t i = 0; i < solutions.size(); ++i) {
    solutions[i].report.problem = members[i]->name();
  }
  return solutions;
}

Consistency InitialValueProblem::check() const {
  return check_start(*problem_, start_, known_.interval.begin);
}

Consistency InitialValueProblem::check(double t, const VecX& state) const {
  return check_start(*problem_, state, t);
}

std::optional<double> InitialValueProblem::energy(const VecX& state) const {
  if (!problem_->structure().has_energy || !known_.conserves_energy) return {};
  return problem_->energy(state.data(), state.data() + state.size() / 2);
}

DerivativeReport InitialValueProblem::check_derivatives() const {
  return daewave::check_derivatives(*problem_, start_, known_.interval.begin);
}

std::optional<VecX> InitialValueProblem::reference(double t) const {
  if (!known_.reference) return {};
  return known_.reference(t);
}

}  // namespace daewave::catalogue
