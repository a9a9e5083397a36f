#pragma once
// Reports as JSON of the program: with what they were made by, and of what.

#include <string>

#include "cli/command_line.hpp"

namespace daewave::cli {

/// @param json  an object. @return it with "version" of the program and "problem_parameters", all
/// with their values.
std::string with_provenance(const std::string& json, const SolveCommand& command);

}  // namespace daewave::cli
