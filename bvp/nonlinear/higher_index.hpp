#pragma once
// Problems whose index is higher than is said, as one of second order that is stated as index 2: no
// form of regularization is defined for them at any time.

#include <functional>

#include "core/problem/dae_problem.hpp"
#include "core/types.hpp"

namespace daewave::bvp {

/// G B is singular at every time looked at, though G has independent rows there, and B independent
/// columns. @param x  states, as of a guess. Throws what the problem's functions throw.
bool is_of_higher_index(const DaeProblem& problem, const Interval& interval,
                        const std::function<VecX(double t)>& x);

}  // namespace daewave::bvp
