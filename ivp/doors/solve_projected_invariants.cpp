#include "ivp/doors/solve_projected_invariants.hpp"

#include "core/error.hpp"
#include "ivp/equations/dae_system_of.hpp"
#include "ivp/multistep/projected_invariants_step.hpp"
#include "ivp/run/integrate.hpp"

namespace daewave::ivp {

Solution solve_projected_invariants(DaeSystem& system, const VecX& z0, const Interval& span,
                                    const ProjectedInvariants& method, const Options& options,
                                    const Collocation& scheme, const Monitors& monitors) {
  if (method.energy && !system.keep_energy(span.begin, z0)) {
    throw InvalidOption(
        "energy = true: the problem has no energy(q, v); give one, or leave it out");
  }
  ProjectedInvariantsStep step(system, method.onto, scheme, Tolerance(options, system.nz()),
                               !options.h);
  return integrate(step, z0, span, options, monitors);
}

Solution solve_projected_invariants(const DaeProblem& problem, const VecX& start,
                                    const Interval& span, const ProjectedInvariants& method,
                                    const Options& options, const Collocation& scheme,
                                    const Monitors& monitors) {
  const auto system =
      dae_system_of(problem, start, span.begin, MultiplierForm::eliminated, options.rank_tolerance);
  return solve_projected_invariants(*system, start, span, method, options, scheme, monitors);
}

}  // namespace daewave::ivp
