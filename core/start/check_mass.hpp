#pragma once
// What a mass has to be is looked at before a run believes it.

#include "core/problem/dae_problem.hpp"

namespace daewave {

/// M of a mechanism at a state must be symmetric: of entries that mirror each other one is all that
/// is ever read. With mass_constant, M where each coordinate is moved must be the same. One
/// evaluation for each; nothing is known of an M that is not finite, or is wrong elsewhere only.
/// @param state  (q, v); of problems of other kinds nothing is looked at.
/// @throws InvalidProblem  with the entries, where they differ by more than differences leave;
/// where
///                         M is not constant.
void check_mass(const DaeProblem& problem, const VecX& state, double t);

}  // namespace daewave
