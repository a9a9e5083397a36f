#include "cli/model_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/problem_named.hpp"
#include "core/nearest_names.hpp"
#include "models/model.hpp"

namespace daewave::cli {
namespace {

std::string option_named(const std::string& key) {
  std::string name = "--" + key;
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

/// "--h" where the argument is "--h" or "--h=1e-3".
bool says(const std::string& argument, const CLI::Option& option) {
  const std::string word = argument.substr(0, argument.find('='));
  if (word.starts_with("--")) return option.check_lname(word.substr(2));
  return word.size() == 2 && word[0] == '-' && option.check_sname(word.substr(1));
}

[[noreturn]] void refuse(const CLI::App& command, const models::Asked& asked,
                         const models::Model& model) {
  std::vector<std::string> known{"t"};
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back(name);
  }
  model.source->fail(asked.place, fmt::format("'{}': daewave {} has no such option{}", asked.name,
                                              command.get_name(), did_you_mean(asked.name, known)));
}

}  // namespace

std::vector<std::string> with_model_options(const CLI::App& app,
                                            std::vector<std::string> arguments) {
  if (arguments.size() < 3) return arguments;
  const std::string& name = arguments[1];
  if (name != "solve" && name != "sweep") return arguments;
  const CLI::App* const command = app.get_subcommand(name);
  const auto file = std::find_if(arguments.begin() + 2, arguments.end(), is_model_file);
  if (file == arguments.end()) return arguments;
  // A file that an option before it writes or reads is none of a model.
  const models::Model& model = model_file(*file);
  const auto said = [&](const CLI::Option& option) {
    return std::any_of(arguments.begin() + 2, arguments.end(),
                       [&](const std::string& one) { return says(one, option); });
  };
  const bool another_method = said(*command->get_option("--method"));
  std::vector<std::string> added;
  for (const models::Asked& asked : model.asked) {
    const CLI::Option* const option = command->get_option_no_throw(option_named(asked.name));
    if (option == nullptr) {
      if (name == "sweep") continue;
      refuse(*command, asked, model);
    }
    if (said(*option) || (another_method && asked.table == "solve")) continue;
    added.push_back(option_named(asked.name));
    added.insert(added.end(), asked.values.begin(), asked.values.end());
  }
  arguments.insert(arguments.end(), added.begin(), added.end());
  return arguments;
}

}  // namespace daewave::cli
