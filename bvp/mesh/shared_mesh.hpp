#pragma once
// A mesh that ranks share: each takes some of the partitions in which the matrix is solved.

#include "bvp/options/options.hpp"
#include "core/blocks/babd_matrix.hpp"
#include "core/ranks/mesh_share.hpp"
#include "core/time/mesh.hpp"

namespace daewave::bvp {

/// What this rank takes of a mesh. The partitions come from the problem, its mesh and the options,
/// never from the ranks. Where meshes are chosen, the whole mesh is kept, 8 bytes for each node; a
/// mesh of fewer partitions than ranks is then all of each rank, and all do the same.
///
/// @param block  size of the blocks of the matrix. @param order  which conditions act at which end.
/// @param options  with ranks.
/// @param mesh     the whole one; becomes that of this rank.
/// @throws InvalidOption where there are more ranks than partitions of a mesh that is given.
MeshShare share_mesh(int block, const ConditionOrder& order, const Options& options, Mesh& mesh);

}  // namespace daewave::bvp
