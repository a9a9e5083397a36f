#pragma once
// What the problem itself says about the begin of the interval: x from the conditions and the
// constraint, B y from the differentiated constraint.                          [AL1] section 4.2

#include "core/problem/linear_dae.hpp"
#include "core/types.hpp"

namespace daewave::ivp {

/// x(begin) from B0 x = beta and 0 = C x + r; nx.
/// @throws InvalidProblem naming the row of a condition that acts at the end or couples both ends,
///         and for conditions that do not determine x(begin).
VecX initial_state(const LinearDae& problem);

/// B y at the begin of the interval, from (C x + r)' = 0 and x' = A x - B y + q:
///
///   B y = B (C B)^-1 (C A x + C q + C_t x + r_t); nx.
///
/// As a constant initial iterate it removes the initial layer:
/// Waveform::constant(initial_By(problem, x0)).
/// @param x0  x(begin); nx.
/// @throws InvalidProblem without C_t and r_t, or where C B is singular at the begin;
///         InvalidOption for an x0 of another size.
VecX initial_By(const LinearDae& problem, const VecX& x0);

}  // namespace daewave::ivp
