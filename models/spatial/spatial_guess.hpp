#pragma once
// Where bodies are at first, and how they move: as the file says and, where it does not, as their
// joints do.

#include "core/types.hpp"
#include "models/mechanism/stated_velocities.hpp"
#include "models/spatial/mechanism.hpp"

namespace daewave::models {

/// @return (q, v), 14 entries for each body.
VecX spatial_guess(const SpatialMechanism& mechanism);

/// Those of v that the file itself states, with the orientations of a state.
StatedVelocities spatial_velocities(const SpatialMechanism& mechanism, const VecX& state);

}  // namespace daewave::models
