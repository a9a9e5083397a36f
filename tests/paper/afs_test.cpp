// [AFS] in numbers: the truck against computations of another kind, and what pictures show.

#include <cmath>
#include <string>

#include "reproduce/afs_tables.hpp"
#include "tests/catch.hpp"

using namespace daewave::reproduce;

namespace {

double computed(const PrintedTable& table, const std::string& row, const std::string& column) {
  for (const PrintedEntry& entry : table.entries) {
    if (entry.row == row && entry.column == column) return entry.computed;
  }
  FAIL("no entry " << row << ", " << column);
  return 0;
}

}  // namespace

TEST_CASE("The truck's errors are those of computations in extended precision", "[paper][AFS]") {
  const PrintedTable table = afs_truck("auto");
  // Of the same formulas with 64 bits, against a reference by Gauss' formula of order 6: three
  // digits.
  const auto check = [&](const std::string& row, const std::string& column, double expected) {
    CAPTURE(row, column);
    CHECK(computed(table, row, column) == Approx(expected).epsilon(0.01));
  };
  check("BDF3 p", "h=2^-7", 6.86e-10);
  check("BDF3 p", "h=2^-8", 8.58e-11);
  check("DCBDF/BDF3 p", "h=2^-7", 4.35e-11);
  check("DCBDF/BDF3 p", "h=2^-8", 5.51e-12);
  check("DCBDF3 p", "h=2^-7", 5.61e-12);
  check("DCBDF3 p", "h=2^-8", 3.51e-13);
  check("AM3 p", "h=2^-7", 1.98e-12);
  check("AM3 p", "h=2^-8", 1.23e-13);
  check("BDF4 p", "h=2^-7", 1.50e-11);
  check("BDF3 lambda", "h=2^-7", 1.01e-9);
  check("DCBDF/BDF3 lambda", "h=2^-7", 3.90e-10);
  check("DCBDF3 lambda", "h=2^-7", 4.02e-10);
  check("AM3 lambda", "h=2^-7", 1.61e-10);
  check("BDF4 lambda", "h=2^-7", 3.75e-11);
}

TEST_CASE("DCBDF3 is a hundred times as accurate as BDF3, Adams-Moulton 2.8 times as DCBDF3",
          "[paper][AFS]") {
  const PrintedTable table = afs_truck("auto");
  CHECK(computed(table, "BDF3/DCBDF3 p", "h=2^-7") == Approx(122).epsilon(0.2));
  CHECK(computed(table, "DCBDF3/AM3 p", "h=2^-7") == Approx(2.8).epsilon(0.15));
  CHECK(computed(table, "BDF4/DCBDF3 p", "h=2^-7") == Approx(2.67).epsilon(0.15));
  CHECK(computed(table, "BDF3/DCBDF3 lambda", "h=2^-7") < 4);
  CHECK(computed(table, "DCBDF3 p", "order") == Approx(4).margin(0.1));
  CHECK(computed(table, "AM3 p", "order") == Approx(4).margin(0.1));
  CHECK(computed(table, "DCBDF3 lambda", "order") == Approx(3).margin(0.1));
  CHECK(computed(table, "AM3 lambda", "order") == Approx(3).margin(0.1));
}

TEST_CASE("Curves of [AFS] fall until rounding stops them", "[paper][AFS]") {
  for (const auto& panels : {afs_orders_panels(), afs_truck_panels()}) {
    for (const ErrorPanel& panel : panels) {
      CAPTURE(panel.title);
      CHECK_FALSE(panel.curves.empty());
      for (const ErrorCurve& curve : panel.curves) {
        CAPTURE(curve.label);
        REQUIRE(curve.h.size() == curve.error.size());
        for (std::size_t i = 2; i < curve.error.size(); ++i) {
          CHECK(curve.h[i] == curve.h[i - 1] / 2);
          // x up to 3 is rounded to 4e-16; coefficients of rho sum up to 17 in size for k = 5, and
          // lambda has that over h.
          const double rounding = 2e-14 / curve.h[i];
          CHECK((curve.error[i] < curve.error[i - 1] / 1.8 || curve.error[i] < rounding));
        }
      }
    }
  }
}
