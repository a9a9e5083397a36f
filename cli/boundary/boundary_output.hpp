#pragma once
// What the program does with nonlinear boundary value problems, solved once or followed over a
// parameter.

#include <string>
#include <vector>

#include "bvp/continuation/branch.hpp"
#include "bvp/statement/boundary_problem.hpp"
#include "cli/boundary/boundary_run.hpp"

namespace daewave::cli {

/// Those of the run, and those of nonlinear problems alone.
/// @throws InvalidOption for options that nonlinear boundary value problems do not have.
bvp::Options nonlinear_options(const SolveCommand& command, BoundaryRun& run);

/// In the measure of the tolerance, where the exact solution is known. Where ranks share the mesh
/// all of them call it.
std::string error_line(const bvp::Solution& solution, const bvp::BoundaryProblem& problem);

/// Says parameters of a file that were solved for: they are the same at all t.
void tell_unknowns(const BoundaryRun& run, const std::string& problem,
                   const bvp::Solution& solution);

/// Says the report, and the error where the exact solution is known.
void tell(const BoundaryRun& run, const bvp::BoundaryProblem& problem,
          const bvp::Solution& solution);

/// What --continue finds, and the problem at its last value.
struct FollowedBranch {
  bvp::Branch branch;
  bvp::BoundaryProblem problem;
};
/// Where there are ranks all of them call it.
FollowedBranch follow_branch(const SolveCommand& command, const catalogue::BoundaryEntry& entry,
                             BoundaryRun& run);

/// Says some of its rows, the first, the last and folds among them.
void print_branch(const bvp::Branch& branch);

/// "; the problem has a parameter: ..." with the call that follows it, where that may help.
std::string advice_to_continue(const SolveCommand& command, const catalogue::BoundaryEntry& entry,
                               const Report& report);

}  // namespace daewave::cli
