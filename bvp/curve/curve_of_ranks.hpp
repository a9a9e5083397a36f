#pragma once
// Parts of a curve that ranks share, handed on to ranks that have other intervals of the next mesh.

#include <optional>

#include "bvp/curve/collocation_curve.hpp"
#include "core/ranks/mesh_share.hpp"

namespace daewave::bvp {

/// Some intervals of the whole curve, wherever they are. All ranks call it, each for what it needs;
/// each sends what it has of that, and no rank sees more than it asks for.
///
/// @param mine   what is here of it. @param share  of its mesh, with the whole mesh where that is
///               shared.
/// @param range  intervals of the whole mesh, at least one.
CollocationCurve intervals_of(const CollocationCurve& mine, const MeshShare& share,
                              const IntervalRange& range);

/// The intervals of the whole mesh that a time from `begin` to `end` lies in, with the one on
/// either side, which dense output of schemes of one stage needs.
IntervalRange intervals_between(const Mesh& whole, double begin, double end);

}  // namespace daewave::bvp
