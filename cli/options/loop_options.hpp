#pragma once
// Options of single orders of the loops of sequential regularization: windows, threads, lanes; and
// checkpoints, which other methods have too.

#include "cli/options/command_line.hpp"
#include "ivp/options/options.hpp"

namespace daewave::cli {

/// @param options  with a method and its loops. @throws InvalidOption for an option that they do
///                 not have, naming those that do.
void give_loop_options(const SolveCommand& command, ivp::Options& options);

/// Those of the method, or of the loops asked for; null where these take none.
ivp::Checkpoints* checkpoints_in(ivp::Options& options);

}  // namespace daewave::cli
