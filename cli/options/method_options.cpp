#include "cli/options/method_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/error.hpp"

namespace daewave::cli {
namespace {

// From the text of an option to the value of a field.

void read(double given, double& field) { field = given; }
void read(int given, int& field) { field = given; }
void read(bool given, bool& field) { field = given; }

void read(const std::string& given, ivp::Stepper& field) { field = ivp::stepper_named(given); }
void read(const std::string& given, Variant& field) { field = variant_named(given); }
void read(const std::string& given, Weight& field) { field = weight_named(given); }
void read(const std::string& given, ivp::Onto& field) { field = ivp::onto_named(given); }
void read(const std::string& given, ivp::Loops& field) { field = ivp::loops_named(given); }

void read(const std::string& given, ivp::StageIteration& field) {
  field = ivp::stage_iteration_named(given);
}

void read(const std::string& given, ivp::Metric& field) {
  if (given != "mass" && given != "orthogonal") {
    throw InvalidOption(fmt::format("metric = \"{}\"; known: mass, orthogonal", given));
  }
  field = given == "mass" ? ivp::Metric::mass : ivp::Metric::orthogonal;
}

void read(const std::string& given, ivp::ProjectionMetric& field) {
  if (given == "weighted") {
    field = ivp::ProjectionMetric::weighted;
  } else if (given == "mass" || given == "orthogonal") {
    field = given == "mass" ? ivp::ProjectionMetric::mass : ivp::ProjectionMetric::orthogonal;
  } else {
    throw InvalidOption(fmt::format("metric = \"{}\"; known: mass, orthogonal, weighted", given));
  }
}

void read(const std::string& given, ivp::LocalStateSpace::Parameters& field) {
  using Parameters = ivp::LocalStateSpace::Parameters;
  if (given != "coordinates" && given != "tangent") {
    throw InvalidOption(
        fmt::format("local-parameters = \"{}\"; known: coordinates, tangent", given));
  }
  field = given == "tangent" ? Parameters::tangent : Parameters::coordinates;
}

void read(const std::string& given, ivp::MultiplierForm& field) {
  if (given != "eliminated" && given != "index-1") {
    throw InvalidOption(fmt::format("form = \"{}\"; known: eliminated, index-1", given));
  }
  field = given == "index-1" ? ivp::MultiplierForm::index_1 : ivp::MultiplierForm::eliminated;
}

void read(const std::string& given, ivp::Blocking& field) {
  if (given != "multiplier" && given != "term") {
    throw InvalidOption(fmt::format("blocking = \"{}\"; known: multiplier, term", given));
  }
  field = given == "term" ? ivp::Blocking::term : ivp::Blocking::multiplier;
}

template <class Given, class Field>
void read(const Given& given, std::optional<Field>& field) {
  read(given, field.emplace());
}

/// An option that some methods have.
struct MethodOption {
  std::function<std::string(const SolveCommand&)> text;  ///< "--epsilon 0.001"; empty: not given.
  std::function<bool(const ivp::Method&)> is_of;
  std::function<void(const SolveCommand&, ivp::Method&)> give;  ///< To a method that has it.
};

template <class Given>
std::string text_of(const char* name, const std::optional<Given>& given) {
  return given ? fmt::format("{} {}", name, *given) : "";
}

std::string text_of(const char* name, const std::optional<bool>& given) {
  if (!given) return "";
  return *given ? name : fmt::format("--no-{}", name + 2);
}

std::string text_of(const char* name, bool given) { return given ? name : ""; }

template <class Given>
const Given& value_of(const std::optional<Given>& given) {
  return *given;
}

bool value_of(bool given) { return given; }

/// @param member  of SolveCommand, that keeps what was given.
/// @param field   of a method, in methods that have it.
template <class Member, class Field>
MethodOption option(const char* name, Member SolveCommand::*member, Field field) {
  return {[=](const SolveCommand& command) { return text_of(name, command.*member); },
          [](const ivp::Method& method) {
            return std::visit(
                [](const auto& one) {
                  using M = std::remove_cvref_t<decltype(one)>;
                  return std::is_invocable_v<Field, M&>;
                },
                method);
          },
          [=](const SolveCommand& command, ivp::Method& method) {
            std::visit(
                [&](auto& one) {
                  if constexpr (std::is_invocable_v<Field, decltype(one)>) {
                    read(value_of(command.*member), field(one));
                  }
                },
                method);
          }};
}

/// Of a formula to choose, or of symmetric projection alone.
struct Stages {
  template <class M>
  auto operator()(M& method) const -> decltype((method.formula.stages)) {
    return method.formula.stages;
  }
  std::optional<int>& operator()(ivp::SymmetricProjection& method) const { return method.stages; }
};

std::vector<MethodOption> method_options() {
  using C = SolveCommand;
  return {
      option("--stepper", &C::stepper,
             [](auto& m) -> decltype((m.formula.stepper)) { return m.formula.stepper; }),
      option("--stages", &C::stages, Stages{}),
      // Of sequential regularization.
      option("--variant", &C::variant, [](auto& m) -> decltype((m.variant)) { return m.variant; }),
      option("--epsilon", &C::epsilon, [](auto& m) -> decltype((m.epsilon)) { return m.epsilon; }),
      option("--iterates", &C::iterates,
             [](auto& m) -> decltype((m.iterates)) { return m.iterates; }),
      option("--weight", &C::weight, [](auto& m) -> decltype((m.weight)) { return m.weight; }),
      option("--alpha2", &C::alpha2, [](auto& m) -> decltype((m.alpha2)) { return m.alpha2; }),
      option("--alpha3", &C::alpha3, [](auto& m) -> decltype((m.alpha3)) { return m.alpha3; }),
      option("--exact-start", &C::exact_start,
             [](auto& m) -> decltype((m.exact_start)) { return m.exact_start; }),
      option("--loops", &C::loops, [](auto& m) -> decltype((m.loops)) { return m.loops; }),
      // Of stabilization and projection.
      option("--alpha1", &C::alpha1, [](auto& m) -> decltype((m.alpha1)) { return m.alpha1; }),
      option("--alpha0", &C::alpha0, [](auto& m) -> decltype((m.alpha0)) { return m.alpha0; }),
      option("--gamma", &C::gamma, [](auto& m) -> decltype((m.gamma)) { return m.gamma; }),
      option("--factor", &C::factor, [](auto& m) -> decltype((m.factor)) { return m.factor; }),
      option("--metric", &C::metric, [](auto& m) -> decltype((m.metric)) { return m.metric; }),
      option("--onto", &C::onto, [](auto& m) -> decltype((m.onto)) { return m.onto; }),
      option("--keep-energy", &C::keep_energy,
             [](auto& m) -> decltype((m.energy)) { return m.energy; }),
      option("--projected-estimate", &C::projected_estimate,
             [](auto& m) -> decltype((m.estimate)) { return m.estimate; }),
      option("--stage-iteration", &C::stage_iteration,
             [](auto& m) -> decltype((m.stage_iteration)) { return m.stage_iteration; }),
      option("--local-parameters", &C::local_parameters,
             [](auto& m) -> decltype((m.parameters)) { return m.parameters; }),
      // Of multistep formulas.
      option("--order", &C::order, [](auto& m) -> decltype((m.order)) { return m.order; }),
      option("--form", &C::form, [](auto& m) -> decltype((m.form)) { return m.form; }),
      option("--c", &C::c, [](auto& m) -> decltype((m.c)) { return m.c; }),
      option("--blocking", &C::blocking,
             [](auto& m) -> decltype((m.blocking)) { return m.blocking; }),
      option("--control-multiplier", &C::control_multiplier,
             [](auto& m) -> decltype((m.control_multiplier)) { return m.control_multiplier; }),
  };
}

[[noreturn]] void refuse(const MethodOption& option, const SolveCommand& command,
                         const ivp::Method& method) {
  std::vector<std::string> having;
  for (const ivp::Method& other : ivp::all_methods()) {
    if (option.is_of(other)) having.emplace_back(name_of(other));
  }
  const std::string which = having.size() == 1 ? having.front() : "one of these";
  const bool open = std::holds_alternative<ivp::Automatic>(method);
  throw InvalidOption(fmt::format("{}: is of --method {}{}; leave it out, or {} {}",
                                  option.text(command), fmt::join(having, ", "),
                                  open ? "" : fmt::format(", not {}", name_of(method)),
                                  open ? "add" : "take", which));
}

}  // namespace

ivp::Method method_asked_for(const SolveCommand& command) {
  ivp::Method method;
  if (command.method) method = ivp::method_named(*command.method);
  for (const MethodOption& option : method_options()) {
    if (option.text(command).empty()) continue;
    if (!option.is_of(method)) refuse(option, command, method);
    option.give(command, method);
  }
  return method;
}

}  // namespace daewave::cli
