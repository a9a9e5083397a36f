#include "models/units/unit_inference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace daewave::models {
namespace {

template <std::size_t n>
bool is_one_of(const std::string& name, const char* const (&names)[n]) {
  return std::any_of(std::begin(names), std::end(names),
                     [&](const char* one) { return name == one; });
}

constexpr const char* of_numbers[] = {"sin",  "cos",  "tan", "asin", "acos",  "atan", "sinh",
                                      "cosh", "tanh", "exp", "log",  "log10", "log2"};
constexpr const char* of_equal_units[] = {"min", "max", "hypot", "abs", "floor"};

bool is_literal(const Syntax& at) {
  return at.kind == Syntax::Kind::number ||
         (at.kind == Syntax::Kind::operation && at.name == "negate" && is_literal(at.of[0]));
}

/// 2, 0.5, 12: a factor of geometry.
bool is_plain(double value) {
  const auto is_small_half = [](double x) {
    return std::abs(x) <= 24 && 2 * x == std::round(2 * x);
  };
  return is_small_half(value) || (value != 0 && is_small_half(1 / value));
}

}  // namespace

MaybeUnit UnitInference::of(const Syntax& at) {
  switch (at.kind) {
    case Syntax::Kind::number:
      return is_plain(at.value) ? MaybeUnit({Unit{}, true}) : MaybeUnit();
    case Syntax::Kind::name:
      return at.name == "pi" ? MaybeUnit({Unit{}, true}) : of_name(at.name);
    case Syntax::Kind::call:
      return of_call(at);
    case Syntax::Kind::operation:
      return of_operation(at);
  }
  return {};
}

MaybeUnit UnitInference::of_name(const std::string& name) const {
  const std::optional<Unit> unit = of_name_(name);
  if (!unit) return {};
  return InferredUnit{*unit};
}

MaybeUnit UnitInference::common(const Syntax& at, std::size_t first, const char* verb) {
  MaybeUnit found;
  for (std::size_t i = first; i < at.of.size(); ++i) {
    const MaybeUnit one = of(at.of[i]);
    // A number in a sum has the unit of the sum.
    if (!one || is_literal(at.of[i])) continue;
    if (!found || (found->loose && !one->loose)) {
      found = one;
    } else if (!found->loose && !one->loose && !(found->unit == one->unit)) {
      tell_(at.place,
            fmt::format("{} and {} are {}", text_of(found->unit), text_of(one->unit), verb));
      return {};
    }
  }
  return found;
}

MaybeUnit UnitInference::power(const Syntax& at) {
  const MaybeUnit base = of(at.of[0]), exponent = of(at.of[1]);
  if (exponent && !exponent->loose && !exponent->unit.is_number()) {
    tell_(at.place, fmt::format("an exponent in {}: must be a number", text_of(exponent->unit)));
    return {};
  }
  if (base && base->unit.is_number()) return base;
  const Syntax& of = at.of[1];
  const bool negative = of.kind == Syntax::Kind::operation && of.name == "negate";
  const Syntax& size = negative ? of.of[0] : of;
  if (!base || size.kind != Syntax::Kind::number) return {};
  return InferredUnit{base->unit.power(negative ? -size.value : size.value), base->loose};
}

MaybeUnit UnitInference::of_operation(const Syntax& at) {
  const std::string& sign = at.name;
  if (sign == "+") return common(at, 0, "added");
  if (sign == "-") return common(at, 0, "subtracted");
  if (sign == "negate") return of(at.of[0]);
  if (sign == "^") return power(at);
  if (sign == "?") {
    of(at.of[0]);
    return common(at, 1, "both chosen from");
  }
  if (sign == "*" || sign == "/") {
    const MaybeUnit a = of(at.of[0]), b = of(at.of[1]);
    if (!a || !b) return {};
    return InferredUnit{sign == "*" ? a->unit * b->unit : a->unit / b->unit, a->loose || b->loose};
  }
  if (sign == "!" || sign == "&&" || sign == "||") {
    for (const Syntax& one : at.of) of(one);
  } else {
    common(at, 0, "compared");
  }
  return InferredUnit{};
}

void UnitInference::want_number(const Syntax& function, const Syntax& argument) {
  const MaybeUnit unit = of(argument);
  if (!unit || unit->loose || unit->unit.is_number()) return;
  tell_(function.place, fmt::format("{} of something in {}: must be a number, angles in rad",
                                    function.name, text_of(unit->unit)));
}

MaybeUnit UnitInference::of_call(const Syntax& at) {
  if (is_one_of(at.name, of_numbers)) {
    for (const Syntax& one : at.of) want_number(at, one);
    return InferredUnit{};
  }
  if (is_one_of(at.name, of_equal_units)) return common(at, 0, "put into one function");
  if (at.name == "atan2") {
    common(at, 0, "put into one function");
    return InferredUnit{};
  }
  if (at.name == "sign") {
    for (const Syntax& one : at.of) of(one);
    return InferredUnit{};
  }
  if (at.name == "sqrt" || at.name == "cbrt") {
    const MaybeUnit unit = at.of.empty() ? MaybeUnit() : of(at.of[0]);
    if (!unit) return {};
    return InferredUnit{unit->unit.power(at.name == "sqrt" ? 0.5 : 1.0 / 3), unit->loose};
  }
  // A state at a time, x(0).
  for (const Syntax& one : at.of) of(one);
  return of_name(at.name);
}

}  // namespace daewave::models
