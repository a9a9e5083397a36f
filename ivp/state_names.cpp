#include "ivp/state_names.hpp"

#include <fmt/format.h>

#include <cmath>

namespace daewave::ivp {

std::string component_name(int i, int nz, bool second_order) {
  if (!second_order) return fmt::format("x{}", i + 1);
  const int nq = nz / 2;
  return i < nq ? fmt::format("q{}", i + 1) : fmt::format("v{}", i - nq + 1);
}

std::string not_finite_text(const double* z, int nz, bool second_order, double t) {
  int i = 0;
  while (i + 1 < nz && std::isfinite(z[i])) ++i;
  return fmt::format("{} is not finite at t = {:.10g}", component_name(i, nz, second_order), t);
}

}  // namespace daewave::ivp
