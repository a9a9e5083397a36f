#include "ivp/run/state_names.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/report/table.hpp"

namespace daewave::ivp {

std::string component_name(int i, int nz, bool second_order) {
  if (!second_order) return fmt::format("x{}", i + 1);
  const int nq = nz / 2;
  return i < nq ? fmt::format("q{}", i + 1) : fmt::format("v{}", i - nq + 1);
}

std::vector<std::string> names_of(const std::vector<std::string>& states, int nz,
                                  bool second_order) {
  if (!states.empty()) return states;
  std::vector<std::string> names;
  for (int i = 0; i < nz; ++i) names.push_back(component_name(i, nz, second_order));
  return names;
}

std::vector<std::string> column_names(int nz, int ny, bool second_order, bool carries_By) {
  return column_names({}, nz, ny, second_order, carries_By);
}

std::vector<std::string> column_names(const std::vector<std::string>& states, int nz, int ny,
                                      bool second_order, bool carries_By) {
  std::vector<std::string> names = names_of(states, nz, second_order);
  names.insert(names.begin(), "t");
  const char* const multiplier = carries_By ? "By" : second_order ? "lambda" : "y";
  // A state may be called y1.
  for (int i = 0; i < ny; ++i) {
    names.push_back(free_name(names, fmt::format("{}{}", multiplier, i + 1)));
  }
  return names;
}

std::string not_finite_text(const double* z, int nz, bool second_order, double t) {
  int i = 0;
  while (i + 1 < nz && std::isfinite(z[i])) ++i;
  return fmt::format("{} is not finite at t = {:.10g}", component_name(i, nz, second_order), t);
}

}  // namespace daewave::ivp
