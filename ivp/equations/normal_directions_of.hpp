#pragma once
// The normal directions of any problem whose constraints are on positions.

#include <memory>

#include "core/problem/dae_problem.hpp"
#include "ivp/equations/normal_directions.hpp"

namespace daewave::ivp {

/// @param problem         kept by reference.
/// @param rank_tolerance  rows of G that depend on others to this, relative to its largest entry,
///                        take no part.
/// @throws InvalidOption for constraints on velocities.
std::unique_ptr<NormalDirections> normal_directions_of(const DaeProblem& problem,
                                                       double rank_tolerance);

}  // namespace daewave::ivp
