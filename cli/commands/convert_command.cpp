#include <fmt/format.h>

#include <utility>
#include <vector>

#include "cli/options/command_line.hpp"
#include "cli/options/problem_named.hpp"
#include "cli/output/output_path.hpp"
#include "cli/output/standard_output.hpp"
#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "models/cpp_of_model.hpp"

namespace daewave::cli {

int run(const ConvertCommand& command) {
  if (command.to != "cpp") {
    throw InvalidOption(
        fmt::format("--to {}: must be cpp, the struct of the C++ door", command.to));
  }
  if (!is_model_file(command.problem)) {
    throw InvalidOption(
        fmt::format("convert {}: is for model files, whose names end in .toml; the problems of the "
                    "catalogue are C++ already, in problems/",
                    command.problem));
  }
  const std::vector<NamedPath> outputs = {{"--output", command.output}};
  check_output_paths(outputs);
  check_model_path(command.problem, outputs);
  std::vector<std::pair<std::string, double>> changed;
  for (const problems::Parameter& one : command.parameters) {
    changed.emplace_back(one.name, one.value);
  }
  const models::Model& asked = model_file(command.problem);
  const std::string text =
      models::cpp_of(changed.empty() ? asked : models::read_model(command.problem, changed));
  if (command.output.empty() || command.output == "-") {
    say_text(text);
  } else {
    io::write_file(command.output, text);
  }
  return solved;
}

}  // namespace daewave::cli
