#include "ivp/options/method_options.hpp"

#include <fmt/format.h>

#include <optional>
#include <type_traits>

#include "core/error.hpp"

namespace daewave::ivp {
namespace {

/// What an option is called, and what it was given.
struct Given {
  const char* name;
  const OptionValue& value;

  template <class Kind>
  Kind as(const char* what) const {
    if (const auto* const found = std::get_if<Kind>(&value)) return *found;
    throw InvalidOption(std::visit(
        [&](const auto& one) { return fmt::format("{} = {}: must be {}", name, one, what); },
        value));
  }

  std::string word() const { return as<std::string>("a word"); }
  [[noreturn]] void refuse(const char* known) const {
    throw InvalidOption(fmt::format("{} = \"{}\"; known: {}", name, word(), known));
  }
};

// From what was given to the value of a field.

void read(const Given& given, double& field) {
  const auto* const whole = std::get_if<int>(&given.value);
  field = whole != nullptr ? *whole : given.as<double>("a number");
}

void read(const Given& given, int& field) { field = given.as<int>("a whole number"); }
void read(const Given& given, bool& field) { field = given.as<bool>("true or false"); }

void read(const Given& given, Stepper& field) { field = stepper_named(given.word()); }
void read(const Given& given, Variant& field) { field = variant_named(given.word()); }
void read(const Given& given, Weight& field) { field = weight_named(given.word()); }
void read(const Given& given, Onto& field) { field = onto_named(given.word()); }
void read(const Given& given, Loops& field) { field = loops_named(given.word()); }

void read(const Given& given, StageIteration& field) {
  field = stage_iteration_named(given.word());
}

void read(const Given& given, Metric& field) {
  const std::string word = given.word();
  if (word != "mass" && word != "orthogonal") given.refuse("mass, orthogonal");
  field = word == "mass" ? Metric::mass : Metric::orthogonal;
}

void read(const Given& given, ProjectionMetric& field) {
  const std::string word = given.word();
  if (word == "weighted") {
    field = ProjectionMetric::weighted;
  } else if (word == "mass" || word == "orthogonal") {
    field = word == "mass" ? ProjectionMetric::mass : ProjectionMetric::orthogonal;
  } else {
    given.refuse("mass, orthogonal, weighted");
  }
}

void read(const Given& given, LocalStateSpace::Parameters& field) {
  using Parameters = LocalStateSpace::Parameters;
  const std::string word = given.word();
  if (word != "coordinates" && word != "tangent") given.refuse("coordinates, tangent");
  field = word == "tangent" ? Parameters::tangent : Parameters::coordinates;
}

void read(const Given& given, MultiplierForm& field) {
  const std::string word = given.word();
  if (word != "eliminated" && word != "index-1") given.refuse("eliminated, index-1");
  field = word == "index-1" ? MultiplierForm::index_1 : MultiplierForm::eliminated;
}

void read(const Given& given, Blocking& field) {
  const std::string word = given.word();
  if (word != "multiplier" && word != "term") given.refuse("multiplier, term");
  field = word == "term" ? Blocking::term : Blocking::multiplier;
}

template <class Field>
void read(const Given& given, std::optional<Field>& field) {
  read(given, field.emplace());
}

/// @param field  of a method, in methods that have it.
template <class Field>
MethodOption option(const char* name, Field field) {
  return {name,
          [](const Method& method) {
            return std::visit(
                [](const auto& one) {
                  using M = std::remove_cvref_t<decltype(one)>;
                  return std::is_invocable_v<Field, M&>;
                },
                method);
          },
          [=](const OptionValue& value, Method& method) {
            std::visit(
                [&](auto& one) {
                  if constexpr (std::is_invocable_v<Field, decltype(one)>) {
                    read(Given{name, value}, field(one));
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
  std::optional<int>& operator()(SymmetricProjection& method) const { return method.stages; }
};

std::vector<MethodOption> make_options() {
  return {
      option("stepper", [](auto& m) -> decltype((m.formula.stepper)) { return m.formula.stepper; }),
      option("stages", Stages{}),
      // Of sequential regularization.
      option("variant", [](auto& m) -> decltype((m.variant)) { return m.variant; }),
      option("epsilon", [](auto& m) -> decltype((m.epsilon)) { return m.epsilon; }),
      option("iterates", [](auto& m) -> decltype((m.iterates)) { return m.iterates; }),
      option("weight", [](auto& m) -> decltype((m.weight)) { return m.weight; }),
      option("alpha2", [](auto& m) -> decltype((m.alpha2)) { return m.alpha2; }),
      option("alpha3", [](auto& m) -> decltype((m.alpha3)) { return m.alpha3; }),
      option("exact_start", [](auto& m) -> decltype((m.exact_start)) { return m.exact_start; }),
      option("loops", [](auto& m) -> decltype((m.loops)) { return m.loops; }),
      // Of stabilization and projection.
      option("alpha1", [](auto& m) -> decltype((m.alpha1)) { return m.alpha1; }),
      option("alpha0", [](auto& m) -> decltype((m.alpha0)) { return m.alpha0; }),
      option("gamma", [](auto& m) -> decltype((m.gamma)) { return m.gamma; }),
      option("factor", [](auto& m) -> decltype((m.factor)) { return m.factor; }),
      option("metric", [](auto& m) -> decltype((m.metric)) { return m.metric; }),
      option("onto", [](auto& m) -> decltype((m.onto)) { return m.onto; }),
      option("keep_energy", [](auto& m) -> decltype((m.energy)) { return m.energy; }),
      option("projected_estimate", [](auto& m) -> decltype((m.estimate)) { return m.estimate; }),
      option("stage_iteration",
             [](auto& m) -> decltype((m.stage_iteration)) { return m.stage_iteration; }),
      option("local_parameters", [](auto& m) -> decltype((m.parameters)) { return m.parameters; }),
      // Of multistep formulas.
      option("order", [](auto& m) -> decltype((m.order)) { return m.order; }),
      option("form", [](auto& m) -> decltype((m.form)) { return m.form; }),
      option("c", [](auto& m) -> decltype((m.c)) { return m.c; }),
      option("blocking", [](auto& m) -> decltype((m.blocking)) { return m.blocking; }),
      option("control_multiplier",
             [](auto& m) -> decltype((m.control_multiplier)) { return m.control_multiplier; }),
  };
}

}  // namespace

const std::vector<MethodOption>& method_options() {
  static const std::vector<MethodOption> options = make_options();
  return options;
}

std::vector<std::string> methods_with(const MethodOption& option) {
  std::vector<std::string> names;
  for (const Method& method : all_methods()) {
    if (option.is_of(method)) names.emplace_back(name_of(method));
  }
  return names;
}

}  // namespace daewave::ivp
