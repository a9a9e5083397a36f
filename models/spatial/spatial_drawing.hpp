#pragma once
// What a mechanism in space looks like.

#include "core/report/drawing.hpp"
#include "models/spatial/mechanism.hpp"

namespace daewave::models {

/// Bodies through the points that joints and forces hold them at; their joints; springs.
Drawing spatial_drawing(const SpatialMechanism& mechanism);

}  // namespace daewave::models
