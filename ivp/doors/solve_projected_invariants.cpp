#include "ivp/doors/solve_projected_invariants.hpp"

#include "core/error.hpp"
#include "ivp/multistep/projected_invariants_step.hpp"
#include "ivp/run/integrate.hpp"

namespace daewave::ivp {

Solution solve_projected_invariants(DaeSystem& system, const VecX& z0, const Interval& span,
                                    const Options& options, const Collocation& scheme,
                                    const Monitors& monitors) {
  if (options.projection.energy && !system.keep_energy(span.begin, z0)) {
    throw InvalidOption(
        "projection.energy = true: the problem has no energy(q, v); give one, or leave it out");
  }
  ProjectedInvariantsStep step(system, options.projection.onto, scheme,
                               Tolerance(options, system.nz()), !options.h);
  return integrate(step, z0, span, options, monitors);
}

}  // namespace daewave::ivp
