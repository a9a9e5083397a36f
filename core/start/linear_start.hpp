#pragma once
// The start of a linear DAE whose conditions all act at the begin:                      [AL1] (4.7)
//
//   C(t0) x0 + r(t0) = 0,   B0 x0 = beta.

#include "core/problem/linear_dae.hpp"
#include "core/types.hpp"

namespace daewave {

/// x at the begin of the interval, from the constraint and the conditions there; nx.
/// @throws InvalidProblem naming the row of a condition that acts at the end or couples both ends,
///         and for conditions that do not determine x.
VecX initial_state(const LinearDae& problem);

}  // namespace daewave
