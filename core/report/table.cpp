#include "core/report/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

}  // namespace daewave
