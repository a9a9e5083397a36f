#pragma once
// Constraints that follow from others, as the same one twice: multipliers are determined nowhere,
// and G B is singular at every time, whatever the form of regularization.

#include <functional>

#include "core/problem/dae_problem.hpp"
#include "core/types.hpp"

namespace daewave::bvp {

/// @param guess  x at t, along which and beside which rows of G are looked at.
/// @throws InvalidProblem  with the constraints that follow from those before them, where rows of G
///         depend on each other at every state looked at. Also what the problem's functions throw.
void refuse_redundant_constraints(const DaeProblem& problem, const Interval& interval,
                                  const std::function<VecX(double t)>& guess);

}  // namespace daewave::bvp
