#pragma once
// The error of a whole run, by a second one that shares neither its formula nor its tolerance: what
// is wrong in both in the same way would be no estimate.

#include "core/problem/dae_problem.hpp"
#include "ivp/estimate/second_run.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::ivp {

bool asks_for_estimate(const Options& options);

/// Why the error of a run is not known; for Report::error.
void tell_local_error(const Options& options, Report& report);

/// The solution by `solve` with these options, and what a second run says of its error: into
/// Report::error and Solution::errors. An estimate that exceeds Options::accuracy, or 1e-3 of the
/// motion where none was asked, is tolerance_not_met; where the second run fails there is no
/// estimate, and a warning says why. Where the two pass other events that change the state, it is
/// tolerance_not_met too.
/// @param w  empty but with invariants.
Solution solve_with_estimate(const DaeProblem& problem, const VecX& start, const VecX& w,
                             const Interval& span, const Options& options, const SolveAgain& solve);

}  // namespace daewave::ivp
