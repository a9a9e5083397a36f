#include "reproduce/printed_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/nearest_names.hpp"
#include "reproduce/acpr_tables.hpp"
#include "reproduce/afs_tables.hpp"
#include "reproduce/al1_boundary_value.hpp"
#include "reproduce/al1_initial_value.hpp"
#include "reproduce/al2_tables.hpp"
#include "reproduce/eich_table.hpp"

namespace daewave::reproduce {

double PrintedEntry::ratio() const {
  if (std::isinf(printed) && std::isinf(computed)) return 1;
  if (printed != 0) return computed / printed;
  return computed == 0 ? 1.0 : std::numeric_limits<double>::infinity();
}

bool PrintedEntry::agrees() const {
  if (chance || std::isnan(printed)) return std::isfinite(computed);
  if (roundoff) return computed <= roundoff_level;
  if (bound && computed <= printed) return true;
  if (factor > 0) return ratio() <= factor && ratio() >= 1 / factor;
  return std::abs(ratio() - 1) <= margin;
}

int PrintedTable::outside() const {
  return static_cast<int>(
      std::count_if(entries.begin(), entries.end(),
                    [](const PrintedEntry& entry) { return !entry.misprint && !entry.agrees(); }));
}

const std::vector<TableEntry>& tables() {
  static const std::vector<TableEntry> all{
      {"al1-5.1", "[AL1] Table 5.1: errors of Example 1, midpoint scheme", al1_table_5_1},
      {"al1-5.2", "[AL1] Table 5.2: errors of Example 1, shooting-back pass", al1_table_5_2},
      {"al1-5.3", "[AL1] Table 5.3: errors of Example 2, backward Euler", al1_table_5_3},
      {"al1-5.4", "[AL1] Table 5.4: errors of Example 2, forward Euler", al1_table_5_4},
      {"al1-5.5", "[AL1] Table 5.5: errors of Example 2 beside t = 0.5", al1_table_5_5},
      {"al1-5.6", "[AL1] Table 5.6: errors of Example 3, regular constraint", al1_table_5_6},
      {"al1-5.7", "[AL1] Table 5.7: Example 4, 4 iterates and Park & Chiou", al1_table_5_7},
      {"al2-6.1", "[AL2] Table 6.1: errors of Example 6.1, three weights", al2_table_6_1},
      {"al2-6.2", "[AL2] Table 6.2: errors of Example 6.2, y bounded", al2_table_6_2},
      {"al2-6.3", "[AL2] Table 6.3: errors of Example 6.3, y unbounded", al2_table_6_3},
      {"al2-6.4", "[AL2] Table 6.4: errors of Example 6.4, two-link arm", al2_table_6_4},
      {"al2-6.5", "[AL2] Table 6.5: drift of the slider-crank", al2_table_6_5},
      {"acpr-6.1", "[ACPR] Table 6.1: drift of the two-link arm, case I", acpr_table_6_1},
      {"acpr-6.2", "[ACPR] Table 6.2: drift of the two-link arm, case II", acpr_table_6_2},
      {"acpr-6.4", "[ACPR] Table 6.4: steps and drift of Andrews' mechanism", acpr_table_6_4},
      {"eich-3.1", "[Eich] Table 3.1: errors of the pendulum after 50 periods, BDF",
       eich_table_3_1},
      {"afs-orders", "[AFS] Theorem 2.1: orders of x and lambda, pendulum of index 2", afs_orders,
       afs_orders_panels},
      {"afs-truck", "[AFS] Figures 4.2, 5.1: errors of the truck", afs_truck, afs_truck_panels},
  };
  return all;
}

const TableEntry& table_named(const std::string& id) {
  std::vector<std::string> known;
  for (const TableEntry& entry : tables()) {
    if (entry.id == id) return entry;
    known.push_back(entry.id);
  }
  throw InvalidOption(fmt::format("table = \"{}\"{}; known: {}", id, did_you_mean(id, known),
                                  fmt::join(known, ", ")));
}

}  // namespace daewave::reproduce
