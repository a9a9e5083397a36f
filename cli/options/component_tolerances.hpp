#pragma once
// --relative and --absolute: one number for all components, or one for each.

#include "bvp/options/options.hpp"
#include "cli/options/command_line.hpp"

namespace daewave::cli {

/// @throws InvalidOption for what is no list of numbers.
bvp::Tolerances tolerances_of(const SolveCommand& command);

}  // namespace daewave::cli
