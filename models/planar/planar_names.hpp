#pragma once
// Names of a mechanism in the plane in expressions: parameters, t, and of each body
//
//   crank.x  crank.y  crank.phi,  crank.x'  crank.y'  crank.phi'  their rates.

#include <string>
#include <vector>

#include "models/planar/mechanism.hpp"

namespace daewave::models {

/// Of the entries of (q, v).
std::vector<std::string> planar_state_names(const PlanarMechanism& mechanism);

/// In m, rad and s.
std::vector<std::string> planar_state_units(const PlanarMechanism& mechanism);

}  // namespace daewave::models
