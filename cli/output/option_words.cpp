#include "cli/output/option_words.hpp"

#include <fmt/format.h>

#include <map>
#include <regex>

namespace daewave::cli {
namespace {

/// Options by their names in the library, which are no words of a sentence.
const std::map<std::string, std::string>& names() {
  static const std::map<std::string, std::string> all{
      {"arclength", "--arclength"},
      {"checkpoints.resume", "--resume"},
      {"checkpoints.seconds", "--checkpoint-seconds"},
      {"checkpoints.steps", "--checkpoint-steps"},
      {"control_multiplier", "--control-multiplier"},
      {"estimate_error", "--estimate-error"},
      {"exact_start", "--exact-start"},
      {"first_step", "--first-step"},
      {"fixed_nodes", "--fixed-nodes"},
      {"largest_step", "--largest-step"},
      {"linear_solver", "--solver"},
      {"local_parameters", "--local-parameters"},
      {"max_intervals", "--max-intervals"},
      {"projected_estimate", "--projected-estimate"},
      {"repair_start", "--repair"},
      {"residual_tolerance", "--residual-tolerance"},
      {"restart_times", "--restart-times"},
      {"shooting_back", "--shooting-back"},
      {"stage_iteration", "--stage-iteration"},
      {"tolerances.absolute", "--absolute"},
      {"tolerances.relative", "--relative"},
  };
  return all;
}

/// One of these names, what is before it, and the value behind it.
const std::regex& a_name() {
  static const std::regex found = [] {
    std::string any;
    for (const auto& [name, option] : names()) {
      any += (any.empty() ? "" : "|") + name;
      // A word of a sentence too, where it is not said to be on or off.
      if (name == "arclength") any += "(?= = (?:true|false)\\b)";
    }
    return std::regex("(^|[^-_.\"\\w])(" + any + ")(?!\\w)( = true\\b| = false\\b| = )?");
  }();
  return found;
}

/// Of the others, what an error about them begins with.
const std::regex& begin_of_error() {
  static const std::regex found(
      "^(accuracy|alpha[0-3]|atol|blocking|c|epsilon|every|factor|gamma|h|intervals|iterates|"
      "loops|method|metric|onto|order|partitions|rtol|samples|scheme|stages|stepper|threads|"
      "tolerance|truncation|variant|weight)(?: = ([^ :;]+)([:;] | and | with )|(: ))");
  return found;
}

std::string with_option(const std::smatch& said) {
  const std::string before = said[1], option = names().at(said[2]), value = said[3];
  if (value == " = true") return before + option;
  if (value == " = false") return fmt::format("{}--no-{}", before, option.substr(2));
  return before + option + (value.empty() ? "" : " ");
}

/// What is advised to be given, where it is a word of a sentence too.
const std::regex& advised() {
  static const std::regex found(
      "\\b(and|by|give|or|take|with) "
      "(alpha[0-3]|atol|epsilon|h|iterates|loops|method|metric|onto|order|partitions|rtol|samples|"
      "scheme|stages|stepper|tolerance|truncation|variant|weight) = "
      "([\\w.+-]*\\w)(?![\\w{.]\\w)");
  return found;
}

/// There are no options to switch these off: they are left out.
std::string without_switches(std::string text) {
  static const std::regex no("--no-(arclength|estimate-error|repair|shooting-back)");
  return std::regex_replace(text, no, "without --$1");
}

}  // namespace

std::string in_options(std::string text) {
  if (text.find(" = ") != std::string::npos) {
    text = std::regex_replace(text, advised(), "$1 --$2 $3");
  }
  std::string said;
  auto rest = text.cbegin();
  for (std::smatch one; std::regex_search(rest, text.cend(), one, a_name());) {
    said.append(one.prefix()).append(with_option(one));
    rest = one[0].second;
  }
  if (said.empty()) return text;
  return without_switches(said.append(rest, text.cend()));
}

std::string error_in_options(std::string text) {
  std::smatch found;
  if (std::regex_search(text, found, begin_of_error())) {
    const std::string value = found[2].matched ? fmt::format(" {}", found[2].str()) : "";
    text = fmt::format("--{}{}{}{}{}", found[1].str(), value, found[3].str(), found[4].str(),
                       found.suffix().str());
  }
  return in_options(std::move(text));
}

Report in_options(Report report) {
  report.message = in_options(std::move(report.message));
  report.advice = in_options(std::move(report.advice));
  report.error.how = in_options(std::move(report.error.how));
  for (std::string& warning : report.warnings) warning = in_options(std::move(warning));
  for (Choice& choice : report.choices) choice.reason = in_options(std::move(choice.reason));
  return report;
}

}  // namespace daewave::cli
