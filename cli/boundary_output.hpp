#pragma once
// What the program does with nonlinear boundary value problems, solved once or followed over a
// parameter.

#include <string>
#include <vector>

#include "bvp/nonlinear/boundary_problem.hpp"
#include "cli/boundary_run.hpp"

namespace daewave::cli {

/// Those of the run, and those of nonlinear problems alone.
/// @throws InvalidOption for options that nonlinear boundary value problems do not have.
bvp::Options nonlinear_options(const SolveCommand& command, BoundaryRun& run);

/// Says the report, and the error where the exact solution is known.
void tell(const BoundaryRun& run, const bvp::BoundaryProblem& problem,
          const bvp::Solution& solution);

/// "; the problem has a parameter: ..." with the call that follows it, where that may help.
std::string advice_to_continue(const SolveCommand& command, const catalogue::BoundaryEntry& entry,
                               const Report& report);

}  // namespace daewave::cli
