#pragma once
// All methods, with numbers where they need one, and the choice left open.

#include <variant>
#include <vector>

#include "ivp/options/options.hpp"

namespace daewave::catalogue {

inline std::vector<ivp::Method> methods_with_numbers() {
  std::vector<ivp::Method> all = ivp::all_methods();
  for (ivp::Method& method : all) {
    if (auto* baumgarte = std::get_if<ivp::Baumgarte>(&method)) {
      *baumgarte = {.alpha1 = 20, .alpha0 = 100};
    }
    if (auto* stabilized = std::get_if<ivp::StabilizedOde>(&method)) stabilized->gamma = 10;
  }
  all.emplace_back(ivp::Automatic{});
  return all;
}

}  // namespace daewave::catalogue
