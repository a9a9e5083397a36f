#pragma once
// Multipliers of all states that a run has given out, in one evaluation.

#include "core/problem/dae_problem.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::ivp {

/// Of a motion with dense constraints. NaN where they are dependent.
void fill_multipliers_at_once(const DaeProblem& problem, double rank_tolerance, Solution& solution);

}  // namespace daewave::ivp
