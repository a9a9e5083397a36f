#pragma once
// Derivatives of the constraints that a problem gives are looked at along a few lines before a run
// believes them: wrong ones lead off the constraints, or along them to somewhere else.

#include "core/problem/dae_problem.hpp"

namespace daewave {

/// Compares G, g_t and curvature, or H, at the start with differences of g, or h, along two
/// directions of q, along t, and along both: at 20 points, in one evaluation where there are few
/// coordinates. Only what is plainly wrong is refused, by a hundredth and by differences of two
/// sizes that say the same; what is not finite, or not smooth, and what moves at times that
/// rounding sets far apart, says nothing.
/// @param state     x, (q, v), or z. @param span  begins at the start.
/// @param is_guess  the state says little of the scale of g: what shorter steps say acquits.
/// @throws InvalidProblem  with the entry, what is given for it and what differences say.
void check_constraint_derivatives(const DaeProblem& problem, const VecX& state,
                                  const Interval& span, bool is_guess = false);

}  // namespace daewave
