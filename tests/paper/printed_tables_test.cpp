// The printed tables of the papers, with every linear solver.

#include <cmath>

#include "core/error.hpp"
#include "core/linear_solver.hpp"
#include "reproduce/printed_table.hpp"
#include "tests/catch.hpp"

using namespace daewave;
using namespace daewave::reproduce;

TEST_CASE("Every entry of every printed table that is no misprint is met within 6 %", "[paper]") {
  for (const TableEntry& entry : tables()) {
    for (const std::string& solver : linear_solver_names()) {
      const PrintedTable table = entry.compute(solver);
      REQUIRE(table.id == entry.id);
      for (const PrintedEntry& value : table.entries) {
        if (value.misprint) continue;
        INFO(table.id << " " << value.row << " " << value.column << " with " << solver << ": "
                      << value.computed << " computed, " << value.printed << " printed");
        CHECK(std::abs(value.ratio() - 1) <= printed_margin);
      }
      CHECK(table.outside(printed_margin) == 0);
    }
  }
}

TEST_CASE("Tables have all their entries", "[paper]") {
  CHECK(table_named("al1-5.1").compute("auto").entries.size() == 225);
  CHECK(table_named("al1-5.2").compute("auto").entries.size() == 32);
}

TEST_CASE("A misprint differs from what is computed, or it would be none", "[paper]") {
  for (const TableEntry& entry : tables()) {
    for (const PrintedEntry& value : entry.compute("auto").entries) {
      if (!value.misprint) continue;
      INFO(value.row << " " << value.column);
      CHECK(std::abs(value.ratio() - 1) > printed_margin);
    }
  }
}

TEST_CASE("An entry that is off counts as outside, and one that is not a number does", "[paper]") {
  PrintedTable table;
  table.entries = {{"a", "t", 1.05, 1.0, false},
                   {"b", "t", 1.07, 1.0, false},
                   {"c", "t", 2.0, 1.0, true},
                   {"d", "t", std::nan(""), 1.0, false},
                   {"e", "t", 0.0, 0.0, false},
                   {"f", "t", 1e-20, 0.0, false}};
  CHECK(table.outside(printed_margin) == 3);
}

TEST_CASE("An unknown table is refused with the known ones", "[paper]") {
  CHECK_THROWS_WITH(table_named("al1-5.9"), Catch::Contains("al1-5.1") && Catch::Contains("5.9"));
}
