#include "ivp/solution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "ivp/state_names.hpp"

namespace daewave::ivp {
namespace {

VecX row(const std::vector<double>& values, int width, int count, int i, const char* what) {
  if (i < 0 || i >= count) {
    throw InvalidOption(count == 0
                            ? fmt::format("{} {}: nothing was given out; see the report", what, i)
                            : fmt::format("{} {}: must be from 0 to {}", what, i, count - 1));
  }
  return Eigen::Map<const VecX>(values.data() + static_cast<std::ptrdiff_t>(i) * width, width);
}

std::vector<double> column(const std::vector<double>& values, int width, int count, int j) {
  std::vector<double> entries(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) entries[i] = values[static_cast<std::size_t>(i) * width + j];
  return entries;
}

}  // namespace

VecX Solution::state(int i) const { return row(states, nz, count(), i, "state"); }

VecX Solution::multiplier(int i) const {
  if (ny == 0) {
    throw InvalidOption(
        fmt::format("multiplier {}: none were given out; set multipliers = true", i));
  }
  return row(multipliers, ny, count(), i, "multiplier");
}

VecX Solution::at(double time) const {
  if (!dense) {
    throw InvalidOption(
        fmt::format("at({}): dense output was not kept; solve with dense = true", time));
  }
  const double begin = report.integration.begin, reached = report.integration.reached;
  if (!(time >= std::min(begin, reached) && time <= std::max(begin, reached))) {
    throw InvalidOption(fmt::format("at({}): must be in [{}, {}], the interval that was integrated",
                                    time, std::min(begin, reached), std::max(begin, reached)));
  }
  return dense->at(time);
}

Table Solution::table() const {
  Table table;
  table.add("t", t);
  for (int j = 0; j < nz; ++j) {
    table.add(component_name(j, nz, second_order), column(states, nz, count(), j));
  }
  const char* const name = carries_By ? "By" : second_order ? "lambda" : "y";
  for (int j = 0; j < ny; ++j) {
    table.add(fmt::format("{}{}", name, j + 1), column(multipliers, ny, count(), j));
  }
  return table;
}

}  // namespace daewave::ivp
