#pragma once
// What events of a mechanism in space may set beside the entries of its state: angular velocities,
// top.wx, top.wy, top.wz along the axes of the ground, or top.w1, top.w2, top.w3 along its own;
// what is not named stays. Where an event sets an orientation alone the angular velocity along the
// axes of the ground stays, not the rates of Euler parameters, which belong to the one before.

#include <map>
#include <string>
#include <vector>

#include "models/spatial/spatial_poses.hpp"

namespace daewave::models {

/// Takes them out of `said` and puts rates of Euler parameters into `after`, a state that has the
/// entries which the event sets.
void set_angular_velocities(Graph& graph, const SpatialMechanism& mechanism,
                            const SpatialPoses& poses, std::map<std::string, Ref>& said,
                            std::vector<Ref>& after);

}  // namespace daewave::models
