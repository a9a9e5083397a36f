#pragma once
// Reports as JSON of the program: with what they were made by, and of what.

#include <string>

#include "cli/options/command_line.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::cli {

/// @param json  an object. @return it with "version" of the program and "problem_parameters", all
/// with their values.
std::string with_provenance(const std::string& json, const SolveCommand& command);

/// The same with "error_over_t", pairs of t and the largest entry of the estimate, where there is
/// one.
std::string with_errors(const std::string& json, const ivp::Solution& solution);

}  // namespace daewave::cli
