#pragma once
// Derivatives of a linear constraint in time, as a problem gives them, are looked at before a solve
// believes them.

#include "core/problem/linear_dae.hpp"

namespace daewave {

/// Compares C_t and r_t with differences of C and r at three times within the interval. Only what
/// is plainly wrong is refused, by a hundredth and by differences of two sizes; where C or r is not
/// smooth, and at times beyond 1e7 units of time, nothing is known. Of problems that give no
/// derivatives nothing is looked at.
/// @throws InvalidProblem  with the entry, what is given for it and what differences say.
void check_constraint_rates(const LinearDae& problem);

}  // namespace daewave
