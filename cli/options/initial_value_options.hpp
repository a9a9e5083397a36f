#pragma once
// From the command line to the options of an initial value solve.

#include "cli/options/command_line.hpp"
#include "core/types.hpp"
#include "ivp/options/options.hpp"

namespace daewave::cli {

/// Of what is kept for files that are written at the end. @param entries  of the state.
/// @throws InvalidOption where that would not fit into memory.
void check_kept(const ivp::Options& options, const Interval& span, int entries);

/// @throws InvalidOption for names that are not known, and for a checkpoint that cannot be gone on
///         from.
ivp::Options initial_value_options(const SolveCommand& command, const Interval& span);

/// @throws InvalidOption  for options that boundary value solves alone have.
void refuse_boundary_options(const SolveCommand& command);

}  // namespace daewave::cli
