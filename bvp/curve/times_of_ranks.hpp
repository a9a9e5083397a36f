#pragma once
// Functions of t of which each rank knows the part that lies in its intervals, told to all.

#include <functional>
#include <vector>

#include "core/ranks/mesh_share.hpp"
#include "core/time/mesh.hpp"
#include "core/types.hpp"

namespace daewave::bvp {

/// Whether a time is in what is here of a mesh; a node that two ranks have is in the left one.
bool has_time(const MeshShare& share, const Mesh& mesh, double t);

/// value(t) at each time, `rows` entries, a column for each; on all ranks, which call it together.
/// @param mesh   what is here of it.
/// @param value  is asked for at times that are here.
/// @throws RankFailed where another rank threw.
MatX at_times(const MeshShare& share, const Mesh& mesh, int rows, const std::vector<double>& times,
              const std::function<VecX(double t)>& value);

}  // namespace daewave::bvp
