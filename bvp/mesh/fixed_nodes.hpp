#pragma once
// Nodes that stay, whatever mesh is chosen: those asked for, times inside that conditions see, and
// where a right side was found to jump.

#include <vector>

#include "bvp/curve/collocation_curve.hpp"
#include "core/ranks/mesh_share.hpp"
#include "core/time/mesh.hpp"

namespace daewave::bvp {

/// The mesh with more nodes, of which fixed ones keep others at a distance.
/// @param fixed     increasing; those outside of the mesh are left out.
/// @param distance  in parts of a step: nodes of the mesh that are closer give way.
Mesh with_nodes(const Mesh& mesh, const std::vector<double>& nodes,
                const std::vector<double>& fixed, double distance = 0.2);

/// One with the density of a mesh and about as many intervals; fixed nodes may ask for more.
Mesh resized_with(const Mesh& mesh, int intervals, const std::vector<double>& fixed);

/// The mesh where it has no more intervals than that; else one that has, as far as fixed nodes let
/// it.
Mesh no_more_than(int intervals, const Mesh& mesh, const std::vector<double>& fixed);

/// Of a mesh that was given, whose nodes give way only where they are the same but for rounding.
Mesh with_fixed(const Mesh& given, const std::vector<double>& fixed);

/// Both, increasing; of those that are the same but for rounding the first.
std::vector<double> joined(std::vector<double> fixed, const std::vector<double>& more,
                           double length);

/// The same with jumps that were found: such a one takes the place of a node that it is but for
/// rounding, as a stage there saw the wrong side of it.
std::vector<double> joined_with_jumps(std::vector<double> fixed, const std::vector<double>& jumps,
                                      double length);

/// Those of the times that are nodes of the mesh.
std::vector<double> nodes_among(const std::vector<double>& times, const Mesh& mesh);

/// Those of the times at which the slope of a curve jumps, increasing as they do.
/// @param share  of its mesh, with the whole mesh where that is shared: all ranks call it, and know
///               all of them.
std::vector<double> jumps_among(const std::vector<double>& times, const CollocationCurve& curve,
                                const MeshShare& share = {});

/// Whether two meshes differ so much that the difference of their solutions tells of most
/// intervals: fixed nodes may leave them much the same.
bool is_other(const Mesh& mesh, const Mesh& than);

}  // namespace daewave::bvp
