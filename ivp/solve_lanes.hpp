#pragma once
// A DAE by sequential regularization in SIMD lanes: its iterates, or several problems side by side.
// With method = Srm{.loops = InLanes{}}, solve() does the first of the two.

#include <vector>

#include "core/problem/dae_problem.hpp"
#include "ivp/lanes/lane_methods.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::ivp {

/// The iterates of one run, with an explicit formula and h fixed; method = Srm{.loops = InLanes{}}.
/// @throws InvalidOption, InvalidProblem as solve(), and for what lanes cannot do, with the reason.
Solution solve_in_lanes(const DaeProblem& problem, const VecX& start, const Interval& span,
                        const Options& options);

/// Problems of the same sizes and structure, each in a lane of its own, given out at its start and
/// its end. Where they differ in parameters, StructLanes::of_members evaluates them in lanes too.
/// @param problems  1 to members_in(chosen_simd()) of them, and a start for each.
/// @return one for each; empty where they are not alike enough: where the solver chooses other
///         numbers for one of them than for another.
/// @throws InvalidOption, InvalidProblem as solve().
std::vector<Solution> solve_members_in_lanes(const std::vector<const DaeProblem*>& problems,
                                             const std::vector<VecX>& starts, const Interval& span,
                                             const Options& options);

}  // namespace daewave::ivp
