// The printed tables of the papers, with every linear solver.

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/blocks/linear_solver.hpp"
#include "core/error.hpp"
#include "reproduce/printed_table.hpp"
#include "tests/catch.hpp"

using namespace daewave;
using namespace daewave::reproduce;

TEST_CASE("Every entry of every printed table that is no misprint is met as it should", "[paper]") {
  for (const TableEntry& entry : tables()) {
    for (const std::string& solver : linear_solver_names()) {
      const PrintedTable table = entry.compute(solver);
      REQUIRE(table.id == entry.id);
      for (const PrintedEntry& value : table.entries) {
        if (value.misprint) continue;
        INFO(table.id << " " << value.row << " " << value.column << " with " << solver << ": "
                      << value.computed << " computed, " << value.printed << " printed");
        CHECK(value.agrees());
      }
      CHECK(table.outside() == 0);
    }
  }
}

TEST_CASE("Tables have all their entries", "[paper]") {
  CHECK(table_named("al1-5.1").compute("auto").entries.size() == 225);
  CHECK(table_named("al1-5.2").compute("auto").entries.size() == 32);
  CHECK(table_named("al1-5.3").compute("auto").entries.size() == 45);
  CHECK(table_named("al1-5.4").compute("auto").entries.size() == 45);
  CHECK(table_named("al1-5.5").compute("auto").entries.size() == 12);
  CHECK(table_named("al1-5.6").compute("auto").entries.size() == 24);
  CHECK(table_named("al1-5.7").compute("auto").entries.size() == 12);
  CHECK(table_named("al2-6.1").compute("auto").entries.size() == 96);
  CHECK(table_named("al2-6.2").compute("auto").entries.size() == 60);
  CHECK(table_named("al2-6.3").compute("auto").entries.size() == 20);
  CHECK(table_named("al2-6.4").compute("auto").entries.size() == 36);
  CHECK(table_named("al2-6.5").compute("auto").entries.size() == 8);
  CHECK(table_named("acpr-6.1").compute("auto").entries.size() == 28);
  CHECK(table_named("acpr-6.2").compute("auto").entries.size() == 28);
  CHECK(table_named("acpr-6.4").compute("auto").entries.size() == 12);
  CHECK(table_named("afs-orders").compute("auto").entries.size() == 96);
  CHECK(table_named("afs-truck").compute("auto").entries.size() == 56);
  CHECK(table_named("eich-3.1").compute("auto").entries.size() == 60);
}

TEST_CASE("Without projection errors are at least fifty times as large", "[paper][Eich-3.1]") {
  const PrintedTable table = table_named("eich-3.1").compute("auto");
  for (const char* tolerance : {"TOL=1e-07", "TOL=1e-08", "TOL=1e-09"}) {
    const auto largest = [&](const std::string& with) {
      double most = 0;
      for (const PrintedEntry& entry : table.entries) {
        const bool error = entry.column != "RES" && entry.column != "dlambda";
        if (entry.row == tolerance + (" " + with) && error) most = std::max(most, entry.computed);
      }
      REQUIRE(most > 0);
      return most;
    };
    CAPTURE(tolerance);
    CHECK(largest("no") >= 50 * largest("yes"));
  }
}

TEST_CASE("What a run came to by chance is shown, but must be a number", "[paper]") {
  PrintedEntry entry;
  entry.printed = 1;
  entry.chance = true;
  entry.computed = 1e6;
  CHECK(entry.agrees());
  entry.computed = std::nan("");
  CHECK_FALSE(entry.agrees());
}

TEST_CASE("A misprint differs from what is computed, or it would be none", "[paper]") {
  for (const TableEntry& entry : tables()) {
    for (const PrintedEntry& value : entry.compute("auto").entries) {
      if (!value.misprint) continue;
      INFO(value.row << " " << value.column);
      CHECK_FALSE(value.agrees());
    }
  }
}

TEST_CASE("An entry that is off counts as outside, and one that is not a number does", "[paper]") {
  PrintedTable table;
  table.entries = {{"a", "t", 1.05, 1.0, false}, {"b", "t", 1.07, 1.0, false},
                   {"c", "t", 2.0, 1.0, true},   {"d", "t", std::nan(""), 1.0, false},
                   {"e", "t", 0.0, 0.0, false},  {"f", "t", 1e-20, 0.0, false}};
  CHECK(table.outside() == 3);
}

TEST_CASE("An entry agrees by its own margin, factor, level of rounding, bound or blow-up",
          "[paper]") {
  const auto agrees = [](PrintedEntry entry, double computed) {
    entry.computed = computed;
    return entry.agrees();
  };
  PrintedEntry entry;
  entry.printed = 1;
  CHECK(agrees(entry, 1.05));
  CHECK_FALSE(agrees(entry, 1.07));
  entry.margin = 0.1;
  CHECK(agrees(entry, 1.07));
  entry.factor = 4;
  CHECK(agrees(entry, 0.26));
  CHECK(agrees(entry, 3.9));
  CHECK_FALSE(agrees(entry, 0.24));
  CHECK_FALSE(agrees(entry, 4.1));
  entry.bound = true;
  CHECK(agrees(entry, 1e-3));
  CHECK_FALSE(agrees(entry, 4.1));
  CHECK_FALSE(agrees(entry, std::nan("")));
  entry = {};
  entry.printed = 4e-15;
  entry.roundoff = true;
  CHECK(agrees(entry, 9e-14));
  CHECK_FALSE(agrees(entry, 2e-13));
  CHECK_FALSE(agrees(entry, std::nan("")));
  const double infinite = std::numeric_limits<double>::infinity();
  entry = {};
  entry.printed = infinite;
  CHECK(agrees(entry, infinite));
  CHECK_FALSE(agrees(entry, 1e300));
  CHECK_FALSE(agrees(entry, std::nan("")));
  entry.printed = 1;
  CHECK_FALSE(agrees(entry, infinite));
}

TEST_CASE("An unknown table is refused with the known ones", "[paper]") {
  CHECK_THROWS_WITH(table_named("al1-5.9"), Catch::Contains("al1-5.1") && Catch::Contains("5.9"));
}
