#pragma once
// A solution with another curve, as a guess for another solve.

#include "bvp/result/solution.hpp"

namespace daewave::bvp {

/// Of the same kind and form; y and B y are those of the solution itself.
Solution with_curve(const Solution& like, CollocationCurve curve);

}  // namespace daewave::bvp
