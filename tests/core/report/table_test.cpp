#include "core/report/table.hpp"

#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave {

TEST_CASE("columns are found by name", "[table]") {
  Table table;
  CHECK(table.rows() == 0);
  table.add("t", {0, 1, 2});
  table.add("x1", {3, 4, 5});
  CHECK(table.rows() == 3);
  CHECK(table.column("x1") == std::vector<double>{3, 4, 5});
}

TEST_CASE("a column of another length is refused", "[table]") {
  Table table;
  table.add("t", {0, 1, 2});
  CHECK_THROWS_AS(table.add("x1", {1}), Error);
  CHECK_THROWS_WITH(table.add("x1", {1}),
                    contains_text("\"x1\" has 1 rows") && contains_text("the table has 3"));
  CHECK(table.names.size() == 1);
}

TEST_CASE("an unknown column is refused with the known ones", "[table]") {
  Table table;
  table.add("t", {0});
  table.add("drift", {0});
  CHECK_THROWS_AS(table.column("x1"), Error);
  CHECK_THROWS_WITH(table.column("x1"), contains_text("\"x1\"") && contains_text("t, drift"));
}

}  // namespace daewave
