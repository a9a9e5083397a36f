#pragma once
// A mass that is said to be constant is looked at in two places before a run believes it.

#include "core/problem/dae_problem.hpp"

namespace daewave {

/// Compares M at a state with M where each coordinate is moved, of problems with mass_constant. Two
/// evaluations; nothing is known of an M that is not finite, or of one that changes elsewhere only.
/// @param state  (q, v).
/// @throws InvalidProblem where M differs.
void check_constant_mass(const DaeProblem& problem, const VecX& state, double t);

}  // namespace daewave
