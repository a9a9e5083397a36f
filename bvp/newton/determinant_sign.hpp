#pragma once
// The sign of the determinant of what collocation linearizes at a solution, slopes K and nodes in
// one:
//
//   sign det = prod_i sign det(I - h A (x) J)  sign det(B0 + B1 S_{N-1} .. S_0).
//
// It is the same on all meshes: of modes that no mesh resolves one factor changes with the other.
//                                                                    [AMR] chapters 7 and 11

#include "bvp/curve/collocation_curve.hpp"
#include "bvp/equations/iterate_system.hpp"

namespace daewave::bvp {

/// 1 or -1; 0 where the matrix is singular, or is not finite.
/// @param curve  a solution with its slopes, and with what is carried as the iterate before.
int determinant_sign(IterateSystem& system, TwoPointConditions& conditions,
                     const CollocationCurve& curve);

}  // namespace daewave::bvp
