#pragma once
// Names of a mechanism in space in expressions: parameters, t, and of each body
//
//   top.x  top.y  top.z  top.e0  top.e1  top.e2  top.e3  and rates of these, top.x', ...
//   top.wx  top.wy  top.wz  its angular velocity along the axes of the ground,
//   top.w1  top.w2  top.w3  and along its own.

#include <string>
#include <vector>

#include "models/mechanism/state_names.hpp"
#include "models/spatial/spatial_poses.hpp"

namespace daewave::models {

/// Of the entries of (q, v).
std::vector<std::string> spatial_state_names(const SpatialMechanism& mechanism);
/// Euler parameters have none: "1".
std::vector<std::string> spatial_state_units(const SpatialMechanism& mechanism);

StateNames spatial_names(Graph& graph, const Parameters& parameters,
                         const SpatialMechanism& mechanism, const Variables& variables,
                         const SpatialPoses& poses);

}  // namespace daewave::models
