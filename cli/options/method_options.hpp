#pragma once
// Options of single methods: each is given to a method that has it, and refused for the others.

#include "cli/options/command_line.hpp"
#include "ivp/options/method.hpp"

namespace daewave::cli {

/// The method asked for, with all that the command line tells of it.
/// @throws InvalidOption for an option that it does not have, naming the methods that do, and for
///         values that are not known.
ivp::Method method_asked_for(const SolveCommand& command);

}  // namespace daewave::cli
