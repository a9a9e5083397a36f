#include "ivp/doors/solve_reduced.hpp"

#include "core/error.hpp"
#include "ivp/equations/normal_directions_of.hpp"
#include "ivp/equations/reduction.hpp"
#include "ivp/one_step/collocation_step.hpp"
#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/one_step/symmetric_step.hpp"
#include "ivp/reduced/reduce.hpp"
#include "ivp/run/integrate.hpp"

namespace daewave::ivp {

Solution solve_reduced(const DaeProblem& problem, const VecX& start, const Interval& span,
                       const Options& options, const MethodChoice& chosen,
                       const Monitors& monitors) {
  const Tolerance tolerance(options, static_cast<int>(start.size()));
  const double rank_tolerance = options.regularize.rank_tolerance;
  const auto system = reduce(problem, {chosen.method, options.stabilization, rank_tolerance,
                                       options.projection, tolerance, options.state_space});
  const auto run = [&](Step& step) {
    Solution solution = integrate(step, start, span, options, monitors);
    solution.report.integration.guarded = system->guarded();
    solution.report.integration.parameter_choices = system->parameter_choices();
    tell_pivots(system->pivots(), solution.report);
    if (chosen.method == Method::projection) {
      tell_projection(options.projection, static_cast<int>(start.size()), solution.report);
    }
    return solution;
  };
  const bool estimate = !options.h;
  if (chosen.method == Method::symmetric_projection) {
    SymmetricStep step(*system, normal_directions_of(problem, rank_tolerance),
                       normal_directions_of(problem, rank_tolerance), chosen.scheme(),
                       options.stage_iteration.value_or(StageIteration::fixed_point));
    return run(step);
  }
  if (is_explicit(chosen.stepper)) {
    ExplicitRkStep step(*system, tableau(chosen.stepper), tolerance, estimate);
    return run(step);
  }
  CollocationStep step(*system, chosen.scheme(), tolerance, estimate);
  return run(step);
}

}  // namespace daewave::ivp
