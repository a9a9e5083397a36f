#pragma once
// Whether a boundary value problem can be posed at all, and whether another one is like it.

#include "bvp/statement/boundary_problem.hpp"

namespace daewave::bvp {

/// @throws InvalidProblem for parts that are missing, an interval or times inside that make no
/// sense, and what is not solved for in boundary value problems.
void check(const BoundaryProblem& problem);

/// Whether kind, sizes, interval, times inside, bounds, singular term and integrals are those of
/// `a`: unknown parameters must leave them as they are.
bool is_alike(const BoundaryProblem& a, const BoundaryProblem& b);

}  // namespace daewave::bvp
