#include "ivp/run/run_settings.hpp"

#include <fmt/format.h>

#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace daewave::ivp {
namespace {

template <class Value>
std::string text_of(const Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    return fmt::format("{}", static_cast<int>(value));
  } else if constexpr (std::is_floating_point_v<Value>) {
    return exactly(value);
  } else {
    return fmt::format("{}", value);
  }
}

template <class Value>
std::string text_of(const std::optional<Value>& value) {
  return value ? text_of(*value) : "open";
}

template <class... Values>
std::string all(const Values&... values) {
  std::string text;
  ((text += " " + text_of(values)), ...);
  return text;
}

// What each method is told, beside its formula.
std::string told(const Automatic&) { return ""; }
std::string told(const Srm&) { return ""; }  // Has checkpoints of its own.
std::string told(const Underlying&) { return ""; }
std::string told(const Baumgarte& one) { return all(one.alpha1, one.alpha0); }
std::string told(const SFull& one) { return all(one.factor); }
std::string told(const SBoth& one) { return all(one.metric, one.factor); }
std::string told(const SBoth2& one) { return all(one.metric, one.factor, one.second_step); }
std::string told(const SVel& one) { return all(one.metric, one.factor); }
std::string told(const SPos& one) { return all(one.metric, one.factor); }
std::string told(const StabilizedOde& one) { return all(one.gamma, one.metric, one.direction); }
std::string told(const ProjectEachStep& one) { return all(one.onto, one.metric, one.energy); }
std::string told(const SymmetricProjection& one) { return all(one.stages, one.stage_iteration); }
std::string told(const LocalStateSpace& one) { return all(one.parameters, one.bound); }
std::string told(const GaussWindows&) { return ""; }
std::string told(const ProjectedInvariants& one) { return all(one.onto, one.energy); }
std::string told(const BdfProjection& one) {
  return all(one.order, one.form, one.onto, one.metric, one.energy, one.estimate);
}
std::string told(const BdfProjectedInvariants& one) {
  return all(one.order, one.form, one.onto, one.energy);
}
std::string told(const Dcbdf& one) { return all(one.order, one.blocking, one.control_multiplier); }
std::string told(const DcbdfBdf& one) { return all(one.order, one.control_multiplier); }
std::string told(const AdamsMoulton& one) {
  return all(one.order, one.c, one.blocking, one.control_multiplier);
}
std::string told(const Bdf& one) { return all(one.order, one.control_multiplier); }

std::string text_of_method(const Method& method) {
  std::string text = name_of(method);
  text += std::visit([](const auto& one) { return told(one); }, method);
  if (const Formula* const formula = formula_of(method)) {
    text += std::string(" ") + (formula->stepper ? name_of(*formula->stepper) : "open") +
            all(formula->stages);
  }
  return text;
}

std::string text_of_control(const std::optional<Control>& control) {
  if (!control) return "open";
  const double numbers[] = {control->safety, control->beta, control->shrink, control->grow};
  return exactly(numbers);
}

}  // namespace

Settings settings_of(const std::string& problem, const VecX& start, double begin,
                     const Options& options) {
  Settings settings = settings_of_start(problem, options.checkpoints.mark, start, begin);
  settings.emplace_back("method", text_of_method(options.method));
  settings.emplace_back("h", text_of(options.h));
  settings.emplace_back("rtol", exactly(options.rtol));
  settings.emplace_back("atol", text_of(options.atol));
  settings.emplace_back("atol_each", exactly(options.atol_each));
  settings.emplace_back("first_step", text_of(options.first_step));
  settings.emplace_back("largest_step", text_of(options.largest_step));
  settings.emplace_back("control", text_of_control(options.control));
  settings.emplace_back("rank_tolerance", exactly(options.rank_tolerance));
  settings.emplace_back("restart_times", exactly(options.restart_times));
  settings.emplace_back("events", fmt::format("{}", options.events.size()));
  settings.emplace_back("steps", fmt::format("{}", options.checkpoints.steps));
  return settings;
}

}  // namespace daewave::ivp
