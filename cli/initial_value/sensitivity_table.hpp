#pragma once
// --sensitivities: how the end moves with the start and with parameters, as a table and as JSON.

#include <string>
#include <vector>

#include "cli/options/command_line.hpp"
#include "ivp/sensitivities.hpp"

namespace daewave::cli {

struct NamedSensitivities {
  std::vector<std::string> parameters{};  ///< Names of found.parameters.
  ivp::Sensitivities found{};
};

/// A solve with these options, and its sensitivities by the start and by all parameters of the
/// problem that are no counts or choices; by the start alone where it is a linear one.
NamedSensitivities solve_with_sensitivities(const SolveCommand& command,
                                            const catalogue::InitialValueProblem& problem,
                                            ivp::Options options);

void print(const NamedSensitivities& sensitivities);

/// @param json  an object. @return it with "sensitivities", of which each column is an entry.
std::string with_sensitivities(const std::string& json, const NamedSensitivities& sensitivities);

}  // namespace daewave::cli
