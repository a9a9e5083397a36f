// Solutions as functions of t: at nodes, beyond cuts of infinite intervals, and as tables.

#include "bvp/result/solution.hpp"

#include "core/error.hpp"
#include "tests/bvp/made_up_solution.hpp"
#include "tests/catch.hpp"

namespace daewave::bvp {
namespace {

/// 2 (1 + t) on [0, 1], but for its nodes, which are off by 1e-3.
Solution off_at_nodes() {
  CollocationCurve curve = testing::straight(uniform_mesh(0, 1, 4), 2, 7);
  CollocationValues values = curve.values();
  values.x.array() += 1e-3;
  values.x(0, 2) += 1e-3;
  return testing::made_up({curve.mesh(), curve.scheme(), values});
}

}  // namespace

TEST_CASE("at a node x is that of the node, from either side", "[solution]") {
  const Solution solution = off_at_nodes();
  for (int i = 0; i <= 4; ++i) CHECK(solution.x(0.25 * i)[0] == solution.x_at_node(i)[0]);
  CHECK(solution.nx() == 1);
  CHECK(solution.multiplier(0.3)[0] == 7);
  CHECK(solution.waveform()(0.3, 1)[0] == 7);
  CHECK_THROWS_AS(solution.x(1.01), InvalidOption);
  CHECK_THROWS_AS(solution.x(-0.01), InvalidOption);
}

TEST_CASE("beyond a cut x goes on along the line that was told, and what is carried stays",
          "[solution]") {
  Solution solution = testing::made_up(testing::straight(uniform_mesh(0, 1, 4), 2, 7));
  solution.truncation = Truncation{.at_end = true,
                                   .growth_at_begin = VecX::Constant(1, -1),
                                   .growth_at_end = VecX::Constant(1, 3)};
  CHECK(solution.x(3)[0] == Approx(4 + 3 * 2));
  CHECK(solution.slope(3)[0] == 3);
  CHECK(solution.multiplier(3)[0] == 7);
  CHECK(solution.x(0.5)[0] == Approx(3));
  CHECK(solution.slope(0.5)[0] == Approx(2));
  CHECK_THROWS_AS(solution.x(-1), InvalidOption);
  solution.truncation->at_end = false;
  solution.truncation->at_begin = true;
  CHECK(solution.x(-3)[0] == Approx(2 + 3));
  CHECK(solution.slope(-3)[0] == -1);
  CHECK_THROWS_AS(solution.x(2), InvalidOption);
}

TEST_CASE("at many times a solution is what it is at each, at nodes and beyond a cut too",
          "[solution]") {
  const VecX times{{0.5, 0.1, 1, 0, 0.74}};
  Solution solution = off_at_nodes();
  for (const bool cut : {false, true}) {
    if (cut) {
      solution.truncation = Truncation{.at_begin = true,
                                       .at_end = true,
                                       .growth_at_begin = VecX::Constant(1, -1),
                                       .growth_at_end = VecX::Constant(1, 3)};
    }
    const VecX at = cut ? VecX(10 * times.array() - 5) : times;
    const MatX x = solution.x(at), slope = solution.slope(at);
    REQUIRE(x.cols() == at.size());
    for (Eigen::Index p = 0; p < at.size(); ++p) {
      CAPTURE(cut, at[p]);
      CHECK(x(0, p) == solution.x(at[p])[0]);
      CHECK(slope(0, p) == solution.slope(at[p])[0]);
    }
  }
  CHECK_THROWS_AS(off_at_nodes().x(VecX{{1.01}}), InvalidOption);
}

TEST_CASE("a table has no single point, and no fewer than none", "[solution]") {
  const Solution solution = off_at_nodes();
  CHECK_THROWS_WITH(solution.table(1), contains_text("points = 1: must be 0"));
  CHECK_THROWS_WITH(solution.table(-2), contains_text("points = -2"));
  CHECK_NOTHROW(solution.table(0));
  CHECK_NOTHROW(solution.table(2));
}

}  // namespace daewave::bvp
