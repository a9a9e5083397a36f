#pragma once
// A look at a mesh that ranks share: each looks at what it has, and all know what was seen.

#include <functional>
#include <vector>

#include "bvp/residual/unresolved.hpp"
#include "core/ranks/mesh_share.hpp"

namespace daewave::bvp {

/// What all ranks see, with what is told of intervals told of all of them. Each partition of the
/// mesh is looked at by itself, so that what is seen does not depend on who looks. All ranks call
/// it.
///
/// @param mesh  what is here of it. @param most  nodes at most.
/// @param look  at one partition.
/// @throws RankFailed where another rank threw.
Look look_in_parts(const MeshShare& share, const Mesh& mesh, int most,
                   const std::function<Look(const MeshPart&)>& look);

/// Times in some intervals of the whole mesh, increasing, as kinks() finds them. All ranks call it.
/// @param find  in intervals that are here.
/// @throws RankFailed where another rank threw.
std::vector<double> kinks_in_parts(
    const MeshShare& share, const Mesh& mesh, const std::vector<int>& intervals,
    const std::function<std::vector<double>(const std::vector<int>&)>& find);

}  // namespace daewave::bvp
