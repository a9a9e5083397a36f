#include "cli/options/method_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "ivp/options/method_options.hpp"

namespace daewave::cli {
namespace {

/// An option as it was written, "--epsilon 0.001".
struct GivenOption {
  std::string name, text;
  std::optional<ivp::OptionValue> value;  ///< Empty: not given.
};

template <class Given>
GivenOption given(const char* name, const std::optional<Given>& value) {
  if (!value) return {name, "", {}};
  return {name, fmt::format("{} {}", name, *value), *value};
}

GivenOption given(const char* name, const std::optional<bool>& value) {
  if (!value) return {name, "", {}};
  return {name, *value ? name : fmt::format("--no-{}", name + 2), *value};
}

GivenOption given(const char* name, bool value) {
  return given(name, value ? std::optional(true) : std::nullopt);
}

std::vector<GivenOption> given_options(const SolveCommand& command) {
  return {given("--stepper", command.stepper),
          given("--stages", command.stages),
          given("--variant", command.variant),
          given("--epsilon", command.epsilon),
          given("--iterates", command.iterates),
          given("--weight", command.weight),
          given("--alpha2", command.alpha2),
          given("--alpha3", command.alpha3),
          given("--exact-start", command.exact_start),
          given("--loops", command.loops),
          given("--alpha1", command.alpha1),
          given("--alpha0", command.alpha0),
          given("--gamma", command.gamma),
          given("--factor", command.factor),
          given("--metric", command.metric),
          given("--onto", command.onto),
          given("--keep-energy", command.keep_energy),
          given("--projected-estimate", command.projected_estimate),
          given("--stage-iteration", command.stage_iteration),
          given("--local-parameters", command.local_parameters),
          given("--order", command.order),
          given("--form", command.form),
          given("--c", command.c),
          given("--blocking", command.blocking),
          given("--control-multiplier", command.control_multiplier)};
}

/// "--keep-energy" is keep_energy.
const ivp::MethodOption& option_of(const std::string& written) {
  std::string name = written.substr(2);
  std::replace(name.begin(), name.end(), '-', '_');
  const std::vector<ivp::MethodOption>& all = ivp::method_options();
  return *std::find_if(all.begin(), all.end(),
                       [&](const ivp::MethodOption& one) { return one.name == name; });
}

[[noreturn]] void refuse(const ivp::MethodOption& option, const std::string& text,
                         const ivp::Method& method) {
  const std::vector<std::string> having = ivp::methods_with(option);
  const std::string which = having.size() == 1 ? having.front() : "one of these";
  const bool open = std::holds_alternative<ivp::Automatic>(method);
  throw InvalidOption(fmt::format(
      "{}: is of --method {}{}; leave it out, or {} {}", text, fmt::join(having, ", "),
      open ? "" : fmt::format(", not {}", name_of(method)), open ? "add" : "take", which));
}

}  // namespace

ivp::Method method_asked_for(const SolveCommand& command) {
  ivp::Method method;
  if (command.method) method = ivp::method_named(*command.method);
  for (const GivenOption& one : given_options(command)) {
    if (!one.value) continue;
    const ivp::MethodOption& option = option_of(one.name);
    if (!option.is_of(method)) refuse(option, one.text, method);
    option.give(*one.value, method);
  }
  return method;
}

}  // namespace daewave::cli
