#pragma once
// The residual of a solution, as codes measure it that control it in place of errors: Kierzenka and
// Shampine, A BVP solver based on residual control and the MATLAB PSE, ACM TOMS 27 (2001). Here at
// points: a mean over an interval is no more.

#include "bvp/curve/collocation_curve.hpp"
#include "bvp/nonlinear/iterate_system.hpp"

namespace daewave::bvp {

/// The largest of | (x' - F) / (1 + |F|) |, the norm of the entries of x, at five points of each
/// interval: beside its nodes, where Gauss' formula is off most, and those of Lobatto inside.
/// Infinite where F cannot be evaluated. Intervals that have a jump between their nodes do not
/// count.
double largest_residual(IterateSystem& system, const CollocationCurve& curve);

}  // namespace daewave::bvp
