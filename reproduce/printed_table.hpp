#pragma once
// Tables printed in the papers, computed anew beside the printed values.

#include <functional>
#include <string>
#include <vector>

namespace daewave::reproduce {

/// One printed number and ours.
struct PrintedEntry {
  std::string row;      ///< Such as "eps=0.1 it1 ex".
  std::string column;   ///< Such as "t=0.3".
  double computed = 0;  ///< NaN where the solve failed.
  double printed = 0;
  bool misprint = false;  ///< The printed value is wrong: see docs/errata.md.

  /// computed / printed; 1 where both are 0, infinity where only the printed value is.
  double ratio() const;
};

struct PrintedTable {
  std::string id;     ///< Such as "al1-5.1".
  std::string title;  ///< What it shows, with its source.
  std::vector<PrintedEntry> entries;

  /// Entries that are no misprint and differ by more than `margin` of the printed value.
  int outside(double margin) const;
};

/// A printed value has two digits; a unit of the second is up to 5 % of it.
inline constexpr double printed_margin = 0.06;

/// A table that can be computed.
struct TableEntry {
  std::string id;
  std::string title;
  /// @param linear_solver  as in bvp::Options.
  std::function<PrintedTable(const std::string& linear_solver)> compute;
};

const std::vector<TableEntry>& tables();

/// @throws InvalidOption naming the known tables.
const TableEntry& table_named(const std::string& id);

}  // namespace daewave::reproduce
