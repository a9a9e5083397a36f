#pragma once
// A sweep over boundary value problems, linear and nonlinear.

#include "cli/options/command_line.hpp"
#include "cli/sweep/grid.hpp"

namespace daewave::cli {

/// @throws InvalidOption for a problem that there is none of, and options of initial value solves.
int sweep_boundary(const SweepCommand& command, const Grid& grid);

}  // namespace daewave::cli
