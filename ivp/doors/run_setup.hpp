#pragma once
// What every run needs before its first step: a consistent start, and what is watched.

#include <string>
#include <vector>

#include "core/problem/dae_problem.hpp"
#include "core/start/consistent_start.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/monitors.hpp"

namespace daewave::ivp {

/// @param start     moved to the constraints where options say so.
/// @param warnings  gets how far.
/// @throws InvalidProblem for an inconsistent start that is not to be repaired, or cannot be.
Consistency consistent(const DaeProblem& problem, VecX& start, double t, const Options& options,
                       std::vector<std::string>& warnings);

/// The options with the absolute tolerances that a run from z takes where they are open: rtol/10 of
/// the size of each entry, but no more than 1e-9. An entry is as large as at z, or a hundredth of
/// the largest of its kind, position or velocity; where all of a kind are zero, of the state; 1
/// where it is zero. Velocities are no smaller than what moves positions by 1e-4 of theirs over
/// the span: what is left of zero by rounding is no size.
/// @param choices  where "atol" is told with its value.
Options with_atol(const Options& options, const VecX& z, bool second_order, const Interval& span,
                  std::vector<Choice>& choices);

/// The problem is kept by reference.
Monitors monitors_of(const DaeProblem& problem, const Options& options);

/// Index reduction is possible.
bool is_reducible(const DaeProblem& problem);

}  // namespace daewave::ivp
