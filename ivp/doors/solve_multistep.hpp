#pragma once
// Runs of multistep formulas, which see a problem as a DaeSystem and are compiled once.

#include "core/problem/dae_problem.hpp"
#include "ivp/equations/dae_system.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/monitors.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::ivp {

/// How multipliers are found.
MultiplierForm form_of(const VariableBdf& method);

/// BDF of variable order with projection onto the invariants, [Eich] section 2, or with multipliers
/// for them, [ACPR] (3.3).
///
/// With h fixed the order is fixed too, the one asked for or 4, and the values it starts from are
/// computed to nearly rounding.
/// @param system   of any problem: dae_system_of(). @param z0  consistent.
/// @param method, options  checked.
/// @throws InvalidOption where the problem has no mass or energy that a projection asks for.
Solution run_bdf(DaeSystem& system, const VecX& z0, const Interval& span, const VariableBdf& method,
                 const Options& options, const Monitors& monitors);

/// @param start  consistent. @param method, options  checked. @throws InvalidOption as above.
Solution solve_bdf(const DaeProblem& problem, const VecX& start, const Interval& span,
                   const VariableBdf& method, const Options& options, const Monitors& monitors);

}  // namespace daewave::ivp
