#pragma once
// Solves at margins of bounds (bvp/statement/state_bounds.hpp) that become narrower.

#include <functional>

#include "bvp/curve/component_sizes.hpp"
#include "bvp/result/solution.hpp"
#include "bvp/statement/state_bounds.hpp"

namespace daewave::bvp {

/// From margin to margin, until the solution is within them or hardly depends on them: Newton's
/// method finds it harder with each.
///
/// @param tolerance  of x, in units of the sizes.
/// @param solve      at the margins at hand, from a solution with wider ones; null: from the guess.
/// @return  the solution, told where it is on a bound; not usable where it leaves one.
Solution with_narrowed_margins(StateBounds& bounds, const SolutionSizes& sizes, double tolerance,
                               const std::function<Solution(const Solution* with_wider)>& solve);

}  // namespace daewave::bvp
