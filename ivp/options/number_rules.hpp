#pragma once
// Rules for numbers that are given; one that breaks its rule is refused with name, value and rule.

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>

#include "core/error.hpp"

namespace daewave::ivp::detail {

template <class Number>
void require(bool good, const std::string& name, Number value, const char* rule) {
  if (!good) throw InvalidOption(fmt::format("{} = {}: must be {}", name, value, rule));
}

// What is left open keeps every rule.

inline void require_positive(const std::string& name, const std::optional<double>& value) {
  if (value) require(*value > 0 && std::isfinite(*value), name, *value, "> 0 and finite");
}

inline void require_not_negative(const std::string& name, const std::optional<double>& value) {
  if (value) require(*value >= 0 && std::isfinite(*value), name, *value, ">= 0 and finite");
}

inline void require_at_least_one(const std::string& name, const std::optional<int>& value) {
  if (value) require(*value >= 1, name, *value, ">= 1");
}

}  // namespace daewave::ivp::detail
