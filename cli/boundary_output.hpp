#pragma once
// Options of nonlinear boundary value problems from the command line, and what is said and written
// of their solutions.

#include "bvp/solve.hpp"
#include "cli/command_line.hpp"
#include "io/figure.hpp"

namespace daewave::cli {

/// @throws InvalidOption for options that nonlinear boundary value problems do not have.
bvp::Options boundary_options(const SolveCommand& command);

/// Standard output belongs to a file, or nothing was to be said.
bool is_silent(const SolveCommand& command);

/// Report, error where the exact solution is known, and files.
/// @param panels  drawn before those of the solution.
void give_out(const SolveCommand& command, const bvp::BoundaryProblem& problem,
              const bvp::Solution& solution, const std::vector<io::Panel>& panels = {});

/// "; the problem has a parameter: ..." with the call that follows it, where that may help.
std::string advice_to_continue(const SolveCommand& command, const catalogue::BoundaryEntry& entry,
                               const Report& report);

}  // namespace daewave::cli
