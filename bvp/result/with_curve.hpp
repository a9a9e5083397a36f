#pragma once
// A solution with another curve, as a guess for another solve.

#include "bvp/curve/curve_of_ranks.hpp"
#include "bvp/result/solution.hpp"

namespace daewave::bvp {

/// Of the same kind and form; y and B y are those of the solution itself.
Solution with_curve(const Solution& like, CollocationCurve curve);
/// The same of a curve on another mesh, shared as that is.
Solution with_curve(const Solution& like, SharedCurve curve);

/// What is here of a solution, with those it is shared with.
SharedCurve shared_curve(const Solution& solution);

}  // namespace daewave::bvp
