#pragma once
// Any problem as the IndexTwoSystem that beta-blocked formulas are compiled for.

#include <memory>

#include "core/problem/dae_problem.hpp"
#include "ivp/equations/index_two_system.hpp"

namespace daewave::ivp {

/// @param problem  kept by reference; of index 2, second order or multibody, with its curvature.
/// @param start    a state at t. @param rank_tolerance  of the rank guard.
/// @throws InvalidProblem for a problem without constraints.
std::unique_ptr<IndexTwoSystem> index_two_system_of(const DaeProblem& problem, const VecX& start,
                                                    double t, double rank_tolerance = 1e-12);

}  // namespace daewave::ivp
