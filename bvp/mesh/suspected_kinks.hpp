#pragma once
// Where errors of a mesh stand out from those beside them: a derivative of the right side may jump
// there, and a node at that time makes what is on either side smooth.

#include <vector>

#include "bvp/mesh/mesh_choice.hpp"
#include "core/time/mesh.hpp"

namespace daewave::bvp {

/// Intervals whose error is much larger than that of a neighbour; few at most.
/// @param tolerance  smaller errors do not count.
std::vector<int> suspected_kinks(const IntervalErrors& errors, double tolerance);

/// The errors of intervals with these times in them become as small as those beside.
void smooth_over(const Mesh& mesh, const std::vector<double>& times, IntervalErrors& errors);

}  // namespace daewave::bvp
