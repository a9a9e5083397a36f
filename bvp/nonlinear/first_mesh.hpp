#pragma once
// The mesh that a nonlinear problem is first solved on, where a solution to start from or nodes
// that are fixed have a say in it.

#include "bvp/nonlinear/nonlinear_problem.hpp"
#include "bvp/options/options.hpp"

namespace daewave::bvp {

/// Nodes of every mesh: times inside, those of the options, and where a solution to start from
/// jumps, as this problem is likely to do so too. Increasing.
std::vector<double> fixed_nodes_of(const Options& options, const Interval& interval,
                                   const std::vector<double>& inside);

/// The options with that mesh, which has the fixed nodes of the problem; as they are where neither
/// is there.
void take_first_mesh(const NonlinearProblem& problem, Options& options);

}  // namespace daewave::bvp
