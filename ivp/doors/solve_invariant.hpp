#pragma once
// Runs of a DAE of index 1 with invariants: w is solved for in every evaluation, and z brought back
// to the invariants after every step.

#include "core/problem/dae_problem.hpp"
#include "ivp/doors/method_choice.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/monitors.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::ivp {

/// @param start  consistent. @param w  near the algebraic unknowns there. @param options  checked.
/// @throws InvalidOption
Solution solve_invariant(const DaeProblem& problem, const VecX& start, const VecX& w,
                         const Interval& span, const Options& options, const MethodChoice& chosen,
                         const Piece& piece);

}  // namespace daewave::ivp
