#pragma once
// A value of an option by its name on the command line.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/nearest_names.hpp"

namespace daewave::ivp::detail {

/// @throws InvalidOption naming what is known.
template <class Kind>
Kind named(const char* option, const std::string& name, const std::vector<Kind>& all) {
  std::vector<std::string> known;
  for (const Kind& kind : all) {
    if (name == name_of(kind)) return kind;
    known.emplace_back(name_of(kind));
  }
  throw InvalidOption(fmt::format("{} = \"{}\"{}; known: {}", option, name,
                                  did_you_mean(name, known), fmt::join(known, ", ")));
}

}  // namespace daewave::ivp::detail
