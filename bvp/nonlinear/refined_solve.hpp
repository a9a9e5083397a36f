#pragma once
// Solves a nonlinear boundary value problem to a tolerance: on a mesh, on one of half the steps
// beside it, and then on the mesh that the difference asks for. Compiled once for all problems.

#include <limits>

#include "bvp/nonlinear/nonlinear_problem.hpp"
#include "bvp/options/options.hpp"
#include "bvp/result/solution.hpp"

namespace daewave::bvp {

/// How much is tried where Newton's method does not come from the guess to a solution.
enum class Effort {
  some,  ///< The first mesh, and one that resolves the equations along the guess.
  all    ///< Finer ones too.
};

/// @param most_unsettled  intervals; on more, iterates that do not settle are not gone on with.
/// @param options  checked. @throws InvalidOption, InvalidProblem for what cannot be solved as
/// stated; numerical failure does not throw.
Solution refined_solve(const NonlinearProblem& problem, const Options& options,
                       Effort effort = Effort::all,
                       int most_unsettled = std::numeric_limits<int>::max());

}  // namespace daewave::bvp
