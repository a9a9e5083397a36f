#pragma once
// Options of single orders of the loops of sequential regularization: windows, threads, lanes,
// checkpoints.

#include "cli/command_line.hpp"
#include "ivp/options/method.hpp"

namespace daewave::cli {

/// @param method  with its loops. @throws InvalidOption for an option that they do not have, naming
///                those that do.
void give_loop_options(const SolveCommand& command, ivp::Method& method);

/// Those of the loops asked for; null where these take none.
ivp::Checkpoints* checkpoints_in(ivp::Method& method);

}  // namespace daewave::cli
