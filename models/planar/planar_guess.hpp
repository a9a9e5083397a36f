#pragma once
// Where bodies are at first, and how they move: as the file says and, where it does not, as their
// joints do.

#include "core/types.hpp"
#include "models/mechanism/stated_velocities.hpp"
#include "models/planar/mechanism.hpp"

namespace daewave::models {

/// @return (q, v), 6 entries for each body.
VecX planar_guess(const PlanarMechanism& mechanism);

/// Those of v that the file itself states.
StatedVelocities planar_velocities(const PlanarMechanism& mechanism);

}  // namespace daewave::models
