#pragma once
// What a mechanism in the plane looks like.

#include "core/report/drawing.hpp"
#include "models/planar/mechanism.hpp"

namespace daewave::models {

/// Bodies through the points that joints and forces hold them at; their joints; springs.
Drawing planar_drawing(const PlanarMechanism& mechanism);

}  // namespace daewave::models
