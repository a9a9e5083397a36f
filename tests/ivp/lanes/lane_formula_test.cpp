#include "ivp/lanes/lane_formula.hpp"

#include <algorithm>

#include "ivp/one_step/tableaux.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {

namespace {

void check_row(const LaneFormula::Row& row, const Combination& from) {
  REQUIRE(row.count == from.count);
  for (int i = 0; i < row.count; ++i) {
    CHECK(row.stage[i] == from.stage[static_cast<std::size_t>(i)]);
    CHECK(row.coefficient[i] == from.coefficient[static_cast<std::size_t>(i)]);
  }
}

}  // namespace

TEST_CASE("a formula in lanes has the numbers of its tableau, and each stage its point",
          "[lanes]") {
  for (const ExplicitTableau& formula : all_tableaux()) {
    CAPTURE(name_of(formula.stepper));
    const LaneFormula lanes = lane_formula(formula);
    CHECK(lanes.stages == formula.stages);
    CHECK(lanes.end_stage == formula.end_stage());
    REQUIRE(lanes.rows == static_cast<int>(formula.c.size()));
    for (std::size_t i = 0; i < formula.a.size(); ++i) check_row(lanes.a[i], formula.a[i]);
    check_row(lanes.b, formula.b);
    REQUIRE(lanes.dense_rows == static_cast<int>(formula.dense.size()));
    for (std::size_t i = 0; i < formula.dense.size(); ++i) {
      check_row(lanes.dense[i], formula.dense[i]);
    }
    CHECK(lanes.point[0] == 1);
    for (int p = 1; p < lanes.points; ++p) {
      CHECK(lanes.point[p] > 0);
      CHECK(lanes.point[p] < 1);
      CHECK(std::count(lanes.point, lanes.point + lanes.points, lanes.point[p]) == 1);
    }
    for (std::size_t i = 0; i < formula.c.size(); ++i) {
      CHECK(lanes.c[i] == formula.c[i]);
      // That of the begin is not used.
      if (formula.c[i] > 0) CHECK(lanes.point[lanes.slot[i]] == formula.c[i]);
    }
    const long inside = lanes.points - 1;
    const long behind_end = lanes.rows - lanes.stages - 1;
    CHECK(evaluations_of_step(lanes) == lanes.stages + inside + (inside > 0 ? behind_end : 0));
  }
}

}  // namespace daewave::ivp
