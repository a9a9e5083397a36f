#include "ivp/run/solution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "ivp/run/state_names.hpp"

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

double Solution::error(int i) const {
  const int count = static_cast<int>(error_times.size());
  return row(errors, nz, count, i, "error").lpNorm<Eigen::Infinity>();
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
  const std::vector<std::string> names = column_names(state_names, nz, ny, second_order, carries_By);
  Table table;
  table.add(names[0], t);
  for (int j = 0; j < nz; ++j) table.add(names[1 + j], column(states, nz, count(), j));
  for (int j = 0; j < ny; ++j) table.add(names[1 + nz + j], column(multipliers, ny, count(), j));
  return table;
}

}  // namespace daewave::ivp
