#pragma once
// Where constraints are dependent at an end of the interval, a form that carries B y does not say
// what B y is there: a stage on that end is as if something jumped, and refinement sets a node
// beside it by rounding. In that sliver the solution is what its neighbour leads to.

#include "bvp/curve/collocation_curve.hpp"
#include "core/ranks/mesh_share.hpp"

namespace daewave::bvp {

/// @param length  of the whole interval. @param share  of whose mesh that of the curve is a part.
CollocationCurve without_slivers_at_ends(CollocationCurve curve, const MeshShare& share,
                                         double length);

}  // namespace daewave::bvp
