#pragma once
// Iterates that have come to rest, but not at the solution: they miss the constraints, or leave
// more of an error than was asked for.

#include "bvp/nonlinear/mesh_solve.hpp"
#include "bvp/nonlinear/nonlinear_problem.hpp"
#include "bvp/options/options.hpp"
#include "bvp/result/solution.hpp"

namespace daewave::bvp {

/// At the begin, where y is as it was.
bool leaves_layer(const NonlinearProblem& problem);

/// Whether constraints are missed by more than `most`, in units of their terms: told in the report,
/// as iterates_exhausted. Small changes from iterate to iterate do not tell that they converge:
/// with a large epsilon they are small from the start.
bool misses_constraints(const NonlinearProblem& problem, const Options& options, double most,
                        Solution& solution);

/// Whether iterates leave more than the tolerance, or it is not known what: told likewise.
bool leave_more(const NonlinearProblem& problem, const Options& options, const LeftByIterates& left,
                double tolerance, Report& report);

}  // namespace daewave::bvp
