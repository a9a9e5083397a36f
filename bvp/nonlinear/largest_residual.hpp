#pragma once
// The residual of a solution, as codes measure it that control it in place of errors: Kierzenka and
// Shampine, A BVP solver based on residual control and the MATLAB PSE, ACM TOMS 27 (2001). Here at
// points: a mean over an interval is no more.

#include <functional>

#include "bvp/curve/collocation_curve.hpp"
#include "bvp/equations/iterate_system.hpp"
#include "bvp/equations/singular_term.hpp"
#include "core/ranks/mesh_share.hpp"
#include "core/types.hpp"

namespace daewave::bvp {

/// By interval, the largest of | (x' - F) / (1 + |F|) |, the norm of the entries of x, at five
/// points of it: beside its nodes, where Gauss' formula is off most, and those of Lobatto inside.
/// Infinite where F cannot be evaluated at one of all; 0 where an interval has a jump between its
/// nodes.
///
/// @param share  of the mesh: where ranks have a part each, all call it, and know all intervals.
/// @param before  is called before some intervals are looked at, with the first of them.
/// @param term  of the system, where it has one: beside its begin S x / (t - a) is the rounding of
///              x alone, and what the residual becomes there is told at a.
VecX largest_residuals(IterateSystem& system, const CollocationCurve& curve,
                       const MeshShare& share = {}, const SingularTerm* term = nullptr,
                       const std::function<void(int)>& before = {});

/// Of all intervals.
double largest_residual(IterateSystem& system, const CollocationCurve& curve,
                        const SingularTerm* term = nullptr);

}  // namespace daewave::bvp
