// What is written on the command line: numbers, and words that are not known.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "cli/app/app.hpp"
#include "core/nearest_names.hpp"

namespace daewave::cli {
namespace {

/// "1000" of "1e3"; other texts as they are.
std::string as_whole_number(std::string text) {
  if (text.find_first_of("eE.") == std::string::npos) return text;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  constexpr double most = 9e15;  // Whole numbers up to there are exact.
  const bool whole = *end == '\0' && std::abs(value) <= most && value == std::floor(value);
  return whole ? fmt::format("{:.0f}", value) : text;
}

std::vector<std::string> names_of_options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string similar(const char* kind, const std::vector<std::string>& near) {
  if (near.empty()) return {};
  return fmt::format("\nThe most similar {}{}\n\t{}\n", kind, near.size() > 1 ? "s are" : " is",
                     fmt::join(near, "\n\t"));
}

bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' && !std::isdigit(static_cast<unsigned char>(word[1])) &&
         word[1] != '.';
}

}  // namespace

void allow_powers_of_ten(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands({})) {
    for (CLI::Option* option : command->get_options()) {
      if (option->get_type_name() == "INT") option->transform(as_whole_number);
    }
  }
}

void refuse_empty_values(CLI::App& app) {
  const auto rule = [](const std::string& value) {
    return value.empty() ? "has an empty value; give one, or leave the option out" : "";
  };
  for (CLI::App* command : app.get_subcommands({})) {
    for (CLI::Option* option : command->get_options()) {
      if (option->nonpositional() && option->get_items_expected_max() > 0) option->check(rule);
    }
  }
}

std::string about_unknown_word(const CLI::App& app, int argc, char** argv) {
  const CLI::App* command = nullptr;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (is_option(word)) {
      const CLI::App& of = command != nullptr ? *command : app;
      const std::string name = word.substr(0, word.find('='));
      if (of.get_option_no_throw(name) != nullptr) continue;
      // Short options take their value behind them.
      if (name[1] != '-' && of.get_option_no_throw(name.substr(0, 2)) != nullptr) continue;
      const std::string with = command != nullptr ? " " + command->get_name() : "";
      return fmt::format("daewave{0}: '{1}' is not an option. See 'daewave{0} --help'.\n{2}", with,
                         name, similar("option", nearest_names(name, names_of_options(of))));
    }
    if (command != nullptr) continue;
    std::vector<std::string> names;
    for (const CLI::App* one : app.get_subcommands({})) {
      names.push_back(one->get_name());
      if (one->get_name() == word) command = one;
    }
    if (command != nullptr) continue;
    return fmt::format("daewave: '{}' is not a daewave command. See 'daewave --help'.\n{}", word,
                       similar("command", nearest_names(word, names)));
  }
  return {};
}

}  // namespace daewave::cli
