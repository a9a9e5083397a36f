#pragma once
// The program: what its words ask for, and what becomes of what is thrown.

#include <exception>
#include <string>

#include "core/ranks/communicator.hpp"

namespace daewave::cli {

/// @param ranks  that all do the same words at the same time; null: one process alone.
/// @return the exit code.
int run_program(int argc, char** argv, const Communicator* ranks = nullptr);

/// What to say of what it threw, and the exit code.
std::string told(const std::exception& thrown, int& code);

/// Sends what was said. @return the exit code, that of a failure where something was lost.
int end_output(int code);

}  // namespace daewave::cli
