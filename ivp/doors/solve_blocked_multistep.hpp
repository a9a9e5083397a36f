#pragma once
// Runs of beta-blocked multistep formulas, which see a problem as an IndexTwoSystem and are
// compiled once.

#include "ivp/doors/solve_multistep.hpp"
#include "ivp/equations/index_two_system_of.hpp"
#include "ivp/multistep/blocked_multistep_step.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/monitors.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::ivp {

/// DCBDF, DCBDF/BDF, Adams-Moulton or BDF applied to index 2, k steps.                       [AFS]
///
/// @param system   of any problem: IndexTwoSystemOf. @param x0  consistent.
/// @param options  checked; method and multistep say which formula.
/// @param known    x and lambda to start from, where they are known; otherwise they are computed.
/// @throws InvalidOption for a formula that is not stable, and options that do not go together.
Solution solve_blocked_multistep(IndexTwoSystem& system, const VecX& x0, const Interval& span,
                                 const Options& options, const Monitors& monitors = {},
                                 KnownSolution known = {});

/// @param start  consistent. @param options  checked. @throws InvalidOption as above.
template <Dae P>
requires Reducible<P> Solution solve_blocked_multistep(const P& problem, const StateOf<P>& start,
                                                       const Interval& span, const Options& options,
                                                       const Monitors& monitors) {
  IndexTwoSystemOf<P> system(problem, start, span.begin, options.regularize.rank_tolerance);
  return solve_blocked_multistep(system, VecX(start), span, options, monitors);
}

}  // namespace daewave::ivp
