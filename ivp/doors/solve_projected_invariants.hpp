#pragma once
// Runs of the method of projected invariants, which sees a problem as a DaeSystem.

#include "core/problem/dae_problem.hpp"
#include "core/time/collocation_scheme.hpp"
#include "ivp/equations/dae_system.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/monitors.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::ivp {

/// @param system  of any problem: dae_system_of(). @param z0  consistent.
/// @param options  checked. @throws InvalidOption where the problem has no energy that is asked
/// for.
Solution solve_projected_invariants(DaeSystem& system, const VecX& z0, const Interval& span,
                                    const ProjectedInvariants& method, const Options& options,
                                    const Collocation& scheme, const Monitors& monitors);

/// @param start  consistent.
Solution solve_projected_invariants(const DaeProblem& problem, const VecX& start,
                                    const Interval& span, const ProjectedInvariants& method,
                                    const Options& options, const Collocation& scheme,
                                    const Monitors& monitors);

}  // namespace daewave::ivp
