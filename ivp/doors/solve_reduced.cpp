#include "ivp/doors/solve_reduced.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "ivp/doors/run_setup.hpp"
#include "ivp/equations/dae_system_of.hpp"
#include "ivp/equations/normal_directions_of.hpp"
#include "ivp/one_step/collocation_step.hpp"
#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/one_step/symmetric_step.hpp"
#include "ivp/reduced/passing_step.hpp"
#include "ivp/reduced/stiff_change.hpp"
#include "ivp/run/integrate.hpp"
#include "ivp/windows/window_step.hpp"

namespace daewave::ivp {
namespace {

Reduction reduction(const Underlying&) { return {.kind = ReductionKind::underlying}; }

Reduction reduction(const Baumgarte& method) {
  return {.kind = ReductionKind::baumgarte,
          .stabilization = {.alpha1 = method.alpha1, .alpha0 = method.alpha0}};
}

Reduction reduction(const SFull& method) {
  return {.kind = ReductionKind::s_full, .stabilization = {.factor = method.factor}};
}

Reduction reduction(const SBoth& method) {
  return {.kind = ReductionKind::s_both,
          .stabilization = {.metric = method.metric, .factor = method.factor}};
}

Reduction reduction(const SBoth2& method) {
  return {.kind = ReductionKind::s_both2,
          .stabilization = {
              .metric = method.metric, .second_step = method.second_step, .factor = method.factor}};
}

Reduction reduction(const SVel& method) {
  return {.kind = ReductionKind::s_vel,
          .stabilization = {.metric = method.metric, .factor = method.factor}};
}

Reduction reduction(const SPos& method) {
  return {.kind = ReductionKind::s_pos,
          .stabilization = {.metric = method.metric, .factor = method.factor}};
}

Reduction reduction(const StabilizedOde& method) {
  return {.kind = ReductionKind::stabilized_ode,
          .stabilization = {
              .metric = method.metric, .gamma = method.gamma, .direction = method.direction}};
}

Reduction reduction(const ProjectEachStep& method) {
  return {.kind = ReductionKind::projection, .projection = projection_of(method)};
}

Reduction reduction(const SymmetricProjection&) {
  return {.kind = ReductionKind::symmetric_projection};
}

Reduction reduction(const GaussWindows&) { return {.kind = ReductionKind::s_both2}; }

Reduction reduction(const LocalStateSpace& method) {
  return {.kind = ReductionKind::local_state_space, .state_space = method};
}

/// Windows need dense matrices of that size.
constexpr int most_to_pass = 200;

void tell_passages(const std::vector<Passage>& passages, Report& report) {
  for (const Passage& one : passages) {
    report.singular_points.push_back(
        {one.t, one.pivot, "dependent rows",
         fmt::format("a step of {:.3g} with projected Gauss stages", one.length)});
  }
}

}  // namespace

Reduction reduction_of(const IndexReduction& method, const Tolerance& tolerance,
                       double rank_tolerance) {
  Reduction how = std::visit([](const auto& one) { return reduction(one); }, method);
  how.rank_tolerance = rank_tolerance;
  how.tolerance = tolerance;
  return how;
}

Projection projection_of(const ProjectEachStep& method) {
  return {.onto = method.onto, .metric = method.metric, .energy = method.energy};
}

bool may_pass(const DaeProblem& problem) { return problem.state_size() <= most_to_pass; }

bool is_redundant(const DaeProblem& problem, const VecX& z, double t) {
  if (!may_pass(problem)) return false;
  const auto system = dae_system_of(problem, z, t);
  Dependence dependence(*system, t, z);
  dependence.at(t, z);
  return dependence.part() > 1e-7;
}

MethodChoice method_for(const DaeProblem& problem, const VecX& z, const Interval& span,
                        const Consistency& found, const Options& options) {
  const bool reducible = is_reducible(problem);
  return choose_method(
      {.reducible = reducible,
       .full_rank = !found.singular(),
       .redundant = found.singular() && reducible && is_redundant(problem, z, span.begin),
       .passes = !options.h && may_pass(problem),
       .backward = span.length() < 0},
      options);
}

Solution solve_reduced(const DaeProblem& problem, const VecX& start, const Interval& span,
                       const IndexReduction& method, const Options& options,
                       const MethodChoice& chosen, const Monitors& monitors) {
  const Tolerance tolerance(options, static_cast<int>(start.size()));
  const Reduction how = reduction_of(method, tolerance, options.rank_tolerance);
  const auto system = reduce(problem, how);
  const auto run = [&](Step& step) {
    Solution solution = integrate(step, start, span, options, monitors);
    solution.report.integration.guarded = system->guarded();
    solution.report.integration.parameter_choices = system->parameter_choices();
    if (how.kind == ReductionKind::projection) {
      tell_projection(how.projection, static_cast<int>(start.size()), solution.report);
    }
    return solution;
  };
  const bool estimate = !options.h;
  const auto run_alone = [&](Step& step) {
    Solution solution = run(step);
    tell_pivots(system->pivots(), solution.report);
    return solution;
  };
  const auto run_passing = [&](Step& step) {
    if (!estimate || !may_pass(problem)) return run_alone(step);
    PassingStep passing(step, *system,
                        dae_system_of(problem, start, span.begin, MultiplierForm::eliminated,
                                      options.rank_tolerance),
                        tolerance, options.rank_tolerance);
    Solution solution = run(passing);
    tell_passages(passing.passages(), solution.report);
    solution.report.integration.pivot_ratio = system->pivots().ratio();
    solution.report.integration.pivot_ratio_at = system->pivots().at();
    return solution;
  };
  if (const auto* symmetric = std::get_if<SymmetricProjection>(&method)) {
    SymmetricStep step(*system, normal_directions_of(problem, how.rank_tolerance),
                       normal_directions_of(problem, how.rank_tolerance), chosen.scheme(),
                       symmetric->stage_iteration.value_or(StageIteration::fixed_point));
    return run_alone(step);
  }
  if (std::holds_alternative<GaussWindows>(method)) {
    WindowStep step(*system, sweeps_in_lanes(problem, options.rank_tolerance), tolerance, estimate);
    return run_passing(step);
  }
  if (is_explicit(chosen.stepper)) {
    ExplicitRkStep step(*system, tableau(chosen.stepper), tolerance, estimate);
    if (!chosen.changes_where_stiff || problem.state_size() > most_entries)
      return run_passing(step);
    CollocationStep damping(*system, collocation(Scheme::radau, 3), tolerance.times(of_tolerance),
                            estimate);
    StiffChange changing(step, damping, *system, &system->pivots());
    Solution solution = run_passing(changing);
    tell_changes(changing.changes(), solution.report);
    return solution;
  }
  CollocationStep step(*system, chosen.scheme(), tolerance, estimate);
  return run_passing(step);
}

}  // namespace daewave::ivp
