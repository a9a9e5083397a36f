#include "core/report/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/error.hpp"

namespace daewave {

void Table::add(std::string name, std::vector<double> values) {
  if (!columns.empty() && values.size() != columns.front().size()) {
    throw Error(fmt::format("table column \"{}\" has {} rows: the table has {}", name,
                            values.size(), columns.front().size()));
  }
  names.push_back(std::move(name));
  columns.push_back(std::move(values));
}

const std::vector<double>& Table::column(const std::string& name) const {
  for (std::size_t j = 0; j < names.size(); ++j) {
    if (names[j] == name) return columns[j];
  }
  throw Error(fmt::format("table has no column \"{}\"; known: {}", name, fmt::join(names, ", ")));
}

std::string free_name(const std::vector<std::string>& taken, std::string name) {
  while (std::find(taken.begin(), taken.end(), name) != taken.end()) name += '_';
  return name;
}

}  // namespace daewave
