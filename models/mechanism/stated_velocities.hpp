#pragma once
// Velocities that a file states, of the first of several bodies that joints let move together, say:
// they stay as they are where the joints allow it, and those of the others follow.

#include <utility>
#include <vector>

#include "core/problem/dae_problem.hpp"

namespace daewave::models {

/// Entries of v, and what they are to be.
using StatedVelocities = std::vector<std::pair<int, double>>;

/// The largest difference of a state to them; 0 where there are none.
double farthest(const StatedVelocities& stated, const VecX& state);

/// Changes other velocities than those stated as little as possible, in the metric of M.
/// @param problem  of bodies, whose constraints have no structure.
/// @param state  (q, v), of which q is on the constraints.
/// @param dependent  of a row no more than this part is left beside the others: it takes no part.
/// @return false where the joints do not allow those that are stated; the state is as it was then.
bool keep_velocities(const DaeProblem& problem, VecX& state, double t,
                     const StatedVelocities& stated, double dependent);

}  // namespace daewave::models
