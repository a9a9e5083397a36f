#include "cli/options/model_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/options/problem_named.hpp"
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

/// The option that an argument names; null for a value.
const CLI::Option* option_said(const CLI::App& command, const std::string& argument) {
  for (const CLI::Option* option : command.get_options()) {
    if (says(argument, *option)) return option;
  }
  return nullptr;
}

/// The model file that the command is to work on; empty where it is another problem. What follows
/// an option that takes a value is that value.
std::string problem_file(const CLI::App& command, const std::vector<std::string>& arguments) {
  for (std::size_t i = 2; i < arguments.size(); ++i) {
    const CLI::Option* const before = option_said(command, arguments[i - 1]);
    const bool is_value = i > 2 && before != nullptr && before->get_items_expected_max() > 0 &&
                          arguments[i - 1].find('=') == std::string::npos;
    if (!is_value && is_model_file(arguments[i]) && arguments[i][0] != '-') return arguments[i];
  }
  return {};
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

void check_count(const CLI::Option& option, const models::Asked& asked,
                 const models::Model& model) {
  const int count = static_cast<int>(asked.values.size());
  if (count >= option.get_items_expected_min() && count <= option.get_items_expected_max()) return;
  model.source->fail(asked.place,
                     option.get_items_expected_max() == 0
                         ? fmt::format("'{}' must be true or false", asked.name)
                     : count == 0 ? fmt::format("'{}' takes a value, not true", asked.name)
                                  : fmt::format("'{}' takes one value, not {}", asked.name, count));
}

}  // namespace

std::vector<std::string> with_model_options(const CLI::App& app,
                                            std::vector<std::string> arguments) {
  if (arguments.size() < 3) return arguments;
  const std::string& name = arguments[1];
  if (name != "solve" && name != "sweep" && name != "check") return arguments;
  const CLI::App* const command = app.get_subcommand(name);
  // Whose options a file may say, for the others that have some of them.
  const CLI::App* const solve = app.get_subcommand("solve");
  const std::string file = problem_file(*command, arguments);
  if (file.empty()) return arguments;
  const models::Model& model = model_file(file);
  const auto said = [&](const CLI::Option& option) {
    return std::any_of(arguments.begin() + 2, arguments.end(),
                       [&](const std::string& one) { return says(one, option); });
  };
  const CLI::Option* const method = command->get_option_no_throw("--method");
  const bool another_method = method != nullptr && said(*method);
  std::vector<std::string> added;
  for (const models::Asked& asked : model.asked) {
    const std::string option_name = option_named(asked.name);
    const CLI::Option* const option = command->get_option_no_throw(option_name);
    if (option == nullptr && solve->get_option_no_throw(option_name) == nullptr) {
      refuse(*solve, asked, model);
    }
    if (option == nullptr || name == "check") continue;
    check_count(*option, asked, model);
    if (said(*option) || (another_method && asked.table == "solve")) continue;
    added.push_back(option_name);
    added.insert(added.end(), asked.values.begin(), asked.values.end());
  }
  arguments.insert(arguments.end(), added.begin(), added.end());
  return arguments;
}

}  // namespace daewave::cli
