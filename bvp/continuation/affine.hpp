#pragma once
// Problems that have one solution at the most.

#include "bvp/result/solution.hpp"
#include "bvp/statement/boundary_problem.hpp"

namespace daewave::bvp {

/// Whether equations and conditions are linear in x as far as they are looked at: on lines through
/// a solution. Such a problem has that solution alone. Of ordinary equations; false for all else
/// that does not state it. All ranks call it.
bool is_affine(const BoundaryProblem& problem, const Solution& around);

}  // namespace daewave::bvp
