#pragma once
// Whether what x is taken for beyond the end of a curve satisfies its equations there.

#include "bvp/curve/collocation_curve.hpp"
#include "bvp/curve/component_sizes.hpp"
#include "core/problem/dae_problem.hpp"

namespace daewave::bvp {

/// How far beyond an end the line from there is off x' = F by more than the tolerance, as an error
/// of x of
///
///   L (I - L J)^-1 (x' - F),   or with I + L J, whichever is smaller;
///
/// 0 where it is nowhere. Looked at is as far as 30 L, densely up to 2 L; equations with
/// constraints are not.
///
/// @param curve   what is here of it, with that end.
/// @param slope   of the line. @param length  L. @param tolerance  in units of the sizes.
/// @param extents the largest |x_j| of the whole curve, which sizes are of up to where x is larger
///                on the line; one column.
double unsettled_beyond(const DaeProblem& equations, const CollocationCurve& curve, bool at_end,
                        const VecX& slope, double length, const ComponentSizes& sizes,
                        const MatX& extents, double tolerance);

}  // namespace daewave::bvp
