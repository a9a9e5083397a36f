#pragma once
// Runs of beta-blocked multistep formulas, which see a problem as an IndexTwoSystem and are
// compiled once.

#include "core/problem/dae_problem.hpp"
#include "ivp/equations/index_two_system.hpp"
#include "ivp/multistep/blocked_multistep_step.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/monitors.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::ivp {

/// DCBDF, DCBDF/BDF, Adams-Moulton or BDF applied to index 2, k steps.                       [AFS]
///
/// @param system   of any problem: index_two_system_of(). @param x0  consistent.
/// @param method, options  checked.
/// @param known    x and lambda to start from, where they are known; otherwise they are computed.
/// @throws InvalidOption for a formula that is not stable, and options that do not go together.
Solution solve_blocked_multistep(IndexTwoSystem& system, const VecX& x0, const Interval& span,
                                 const BlockedMultistep& method, const Options& options,
                                 const Monitors& monitors = {}, KnownSolution known = {});

/// @param start  consistent. @param method, options  checked. @throws InvalidOption as above.
Solution solve_blocked_multistep(const DaeProblem& problem, const VecX& start, const Interval& span,
                                 const BlockedMultistep& method, const Options& options,
                                 const Monitors& monitors);

}  // namespace daewave::ivp
