#pragma once
// What is known of B beforehand, for iterates that carry B y as it is: it stays in the range of B
// where that is the same.                                            [AL1] (3.16)

#include <functional>

#include "core/problem/dae_problem.hpp"
#include "core/types.hpp"

namespace daewave::bvp {

using StateOfTime = std::function<VecX(double t)>;

/// As far as it is seen along a guess and beside it.
bool has_constant_B(const DaeProblem& problem, const Interval& interval, const StateOfTime& guess);

/// A time at which the range of B is another one beside the guess; the end of the interval or an
/// earlier one, NaN where there is none.
double range_of_B_turns_at(const DaeProblem& problem, const Interval& interval,
                           const StateOfTime& guess);

}  // namespace daewave::bvp
