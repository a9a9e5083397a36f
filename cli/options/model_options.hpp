#pragma once
// What a model file asks of the command line.

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace daewave::cli {

/// The arguments with those of the model file that they name, if any: of its tables solve and
/// output, what the command has an option for and the arguments do not say themselves. Where they
/// say --method nothing of solve is taken: it is of the file's method.
/// @param arguments  of the program, its name first.
/// @throws InvalidOption, ModelError  for a file that cannot be read or is wrong, and for an option
///         that solve does not have, or that takes another number of values.
std::vector<std::string> with_model_options(const CLI::App& app,
                                            std::vector<std::string> arguments);

}  // namespace daewave::cli
