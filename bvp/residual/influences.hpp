#pragma once
// By what residuals are measured where errors of some components count more than those of others, or
// are small beside them (are_uneven()): one in the equation of a component that hardly counts may
// move another that does.

#include <functional>

#include "core/ranks/mesh_share.hpp"
#include "core/time/mesh.hpp"
#include "core/types.hpp"

namespace daewave::bvp {

/// By row of x' = F, the largest change of x at nodes, in units of the sizes, that residuals whose
/// size has the integral one make; by two right sides for each row.
///
/// @param share  of the mesh. All ranks call it.
/// @param block  entries of a node in right sides and solutions, x first.
/// @param sizes  of components of x; infinite ones too.
/// @param solve  the discrete equations for a right side: residuals of each interval, then those of
///               the conditions.
VecX probed_influences(const Mesh& mesh, const MeshShare& share, int block, const VecX& sizes,
                       const std::function<VecX(const VecX& right)>& solve);

/// By what residuals are measured, row by row: as errors of their component, or as what they do to
/// others where that is more.
/// @param influences  as above; empty: not known.
VecX residual_sizes(const VecX& sizes, const VecX& influences);

}  // namespace daewave::bvp
