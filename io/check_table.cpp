#include "io/check_table.hpp"

#include <fmt/format.h>

#include <set>

#include "core/error.hpp"

namespace daewave::io {

void check_table(const Table& table) {
  if (table.columns.empty()) throw Error("table has no columns: there is nothing to write");
  if (table.names.size() != table.columns.size()) {
    throw Error(fmt::format("table has {} names and {} columns: give one name to each",
                            table.names.size(), table.columns.size()));
  }
  std::set<std::string> seen;
  for (std::size_t j = 0; j < table.columns.size(); ++j) {
    if (!seen.insert(table.names[j]).second) {
      throw Error(fmt::format("table column {} is named \"{}\" like an earlier one: rename it", j,
                              table.names[j]));
    }
    if (table.columns[j].size() != table.columns.front().size()) {
      throw Error(fmt::format("table column \"{}\" has {} rows: the first column has {}",
                              table.names[j], table.columns[j].size(),
                              table.columns.front().size()));
    }
  }
}

}  // namespace daewave::io
