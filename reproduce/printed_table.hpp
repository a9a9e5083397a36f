#pragma once
// Tables printed in the papers, computed anew beside the printed values.

#include <functional>
#include <string>
#include <vector>

#include "reproduce/effort_precision.hpp"

namespace daewave::reproduce {

/// A printed value has two digits; a unit of the second is up to 5 % of it.
inline constexpr double printed_margin = 0.06;

/// Rounding alone: below this two numbers have no digits to compare.
inline constexpr double roundoff_level = 1e-13;

/// One printed number and ours. Infinite: the computation blows up.
struct PrintedEntry {
  std::string row;                 ///< Such as "eps=0.1 it1 ex".
  std::string column;              ///< Such as "t=0.3".
  double computed = 0;             ///< NaN where the solve failed.
  double printed = 0;              ///< NaN: nothing is printed, ours is only shown.
  bool misprint = false;           ///< The printed value is wrong: see docs/errata.md.
  double margin = printed_margin;  ///< Of |computed / printed - 1|.
  double factor = 0;      ///< > 0: computed and printed within this factor of each other, instead.
  bool roundoff = false;  ///< Printed is rounding; computed is at most roundoff_level, instead.
  bool bound = false;     ///< Computed may be smaller than printed by any factor.
  bool chance = false;    ///< Both are what one run came to by chance: shown, not compared.

  /// computed / printed; 1 where both are 0 or both blow up, infinity or 0 where only one does.
  double ratio() const;

  /// The two agree as they should; a misprint as any other value.
  bool agrees() const;
};

struct PrintedTable {
  std::string id;     ///< Such as "al1-5.1".
  std::string title;  ///< What it shows, with its source.
  std::vector<PrintedEntry> entries;

  /// Entries that are no misprint and do not agree.
  int outside() const;
};

/// A table that can be computed.
struct TableEntry {
  std::string id;
  std::string title;
  /// @param linear_solver  as in bvp::Options.
  std::function<PrintedTable(const std::string& linear_solver)> compute;
  std::function<std::vector<ErrorPanel>()> panels{};  ///< What the paper draws; empty: nothing.
};

const std::vector<TableEntry>& tables();

/// @throws InvalidOption naming the known tables.
const TableEntry& table_named(const std::string& id);

}  // namespace daewave::reproduce
