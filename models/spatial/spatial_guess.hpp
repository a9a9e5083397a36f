#pragma once
// Where bodies are at first, and how they move: as the file says and, where it does not, as their
// joints do.

#include "core/types.hpp"
#include "models/spatial/mechanism.hpp"

namespace daewave::models {

/// @return (q, v), 14 entries for each body.
VecX spatial_guess(const SpatialMechanism& mechanism);

}  // namespace daewave::models
