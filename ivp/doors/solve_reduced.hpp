#pragma once
// A DAE of reduced index, with the stepper asked for.

#include "core/problem/dae_problem.hpp"
#include "core/start/consistent_start.hpp"
#include "ivp/doors/method_choice.hpp"
#include "ivp/equations/projection.hpp"
#include "ivp/options/options.hpp"
#include "ivp/reduced/reduce.hpp"
#include "ivp/run/monitors.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::ivp {

/// What a method does to a problem. @param tolerance  of the state.
Reduction reduction_of(const IndexReduction& method, const Tolerance& tolerance,
                       double rank_tolerance);

Projection projection_of(const ProjectEachStep& method);

/// Where steps are controlled, a PassingStep leads through singular configurations.
bool may_pass(const DaeProblem& problem);

/// Of constraints that are dependent at z: whether they are so on the states around it too.
bool is_redundant(const DaeProblem& problem, const VecX& z, double t);

/// The method of a problem with constraints, chosen where it is left open.
/// @param z        consistent.
/// @param windows  where the method is open, they may be chosen.
/// @throws InvalidOption as choose_method()
MethodChoice method_for(const DaeProblem& problem, const VecX& z, const Interval& span,
                        const Consistency& found, const Options& options, bool windows = true);

/// @param start  consistent. @param method, options  checked. @throws InvalidOption
Solution solve_reduced(const DaeProblem& problem, const VecX& start, const Interval& span,
                       const IndexReduction& method, const Options& options,
                       const MethodChoice& chosen, const Monitors& monitors);

}  // namespace daewave::ivp
