#pragma once
// Solves a nonlinear boundary value problem to a tolerance: on a mesh, on one of half the steps
// beside it, and then on the mesh that the difference asks for. Compiled once for all problems.

#include "bvp/nonlinear/nonlinear_problem.hpp"
#include "bvp/options/options.hpp"
#include "bvp/result/solution.hpp"

namespace daewave::bvp {

/// @param options  checked. @throws InvalidOption, InvalidProblem for what cannot be solved as
/// stated; numerical failure does not throw.
Solution refined_solve(const NonlinearProblem& problem, const Options& options);

}  // namespace daewave::bvp
