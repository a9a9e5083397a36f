#include "ivp/doors/solve_invariant.hpp"

#include <utility>

#include "core/kernels/index_kernels.hpp"
#include "ivp/doors/solve_multistep.hpp"
#include "ivp/doors/solve_projected_invariants.hpp"
#include "ivp/doors/solve_reduced.hpp"
#include "ivp/equations/algebraic_rank_watch.hpp"
#include "ivp/equations/dae_system_of.hpp"
#include "ivp/one_step/collocation_step.hpp"
#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/reduced/reduced_invariant.hpp"
#include "ivp/reduced/stiff_change.hpp"
#include "ivp/run/integrate.hpp"

namespace daewave::ivp {
namespace {

Solution solve_by(const MethodChoice& chosen, const DaeProblem& problem, const VecX& start,
                  const VecX& w, const Interval& span, const Options& options, Monitors monitors) {
  if (const auto bdf = as<VariableBdf>(chosen.method)) {
    const auto system = dae_system_of(problem, start, w, span.begin, form_of(*bdf));
    return run_bdf(*system, start, span, *bdf, options, monitors);
  }
  if (const auto* projected = std::get_if<ProjectedInvariants>(&chosen.method)) {
    const auto system = dae_system_of(problem, start, w, span.begin, MultiplierForm::index_1);
    return solve_projected_invariants(*system, start, span, *projected, options, chosen.scheme(),
                                      monitors);
  }
  const auto* projection = std::get_if<ProjectEachStep>(&chosen.method);
  const Tolerance tolerance(options, static_cast<int>(start.size()));
  const InvariantKernel kernel(problem);
  ReducedInvariant<InvariantKernel> system(
      kernel, projection ? ReductionKind::projection : ReductionKind::underlying,
      projection ? projection_of(*projection) : Projection{}, tolerance, options.rank_tolerance);
  system.start_algebraic(w);
  // It knows the root at the end of each step, which it is asked for again otherwise.
  if (const auto see = std::exchange(monitors.root, nullptr)) {
    monitors.node = [see, &system](double t, const VecX& z) { see(t, z, system.unknowns().w()); };
  }
  const bool estimate = !options.h;
  if (is_explicit(chosen.stepper)) {
    ExplicitRkStep step(system, tableau(chosen.stepper), tolerance, estimate);
    if (!chosen.changes_where_stiff || problem.state_size() > most_entries)
      return integrate(step, start, span, options, monitors);
    CollocationStep damping(system, collocation(Scheme::radau, 3), tolerance.times(of_tolerance),
                            estimate);
    StiffChange changing(step, damping, system, nullptr);
    Solution solution = integrate(changing, start, span, options, monitors);
    tell_changes(changing.changes(), name_of(chosen.stepper), solution.report);
    return solution;
  }
  CollocationStep step(system, chosen.scheme(), tolerance, estimate);
  return integrate(step, start, span, options, monitors);
}

}  // namespace

Solution solve_invariant(const DaeProblem& problem, const VecX& start, const VecX& w,
                         const Interval& span, const Options& options, const MethodChoice& chosen,
                         const Piece& piece) {
  Monitors monitors;
  monitors.drift = options.monitor;
  monitors.piece = piece;
  if (!AlgebraicRankWatch::is_for(problem.sizes().nw)) {
    return solve_by(chosen, problem, start, w, span, options, monitors);
  }
  AlgebraicRankWatch watch(problem);
  monitors.root = [&watch](double t, const VecX& z, const VecX& root) { watch.see(t, z, root); };
  Solution solution = solve_by(chosen, problem, start, w, span, options, monitors);
  watch.tell(solution.report);
  return solution;
}

}  // namespace daewave::ivp
