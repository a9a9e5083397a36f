// In which parts a matrix is eliminated, by hand.

#include "core/blocks/partitions.hpp"

#include "core/blocks/block_chain.hpp"
#include "core/blocks/linear_solver.hpp"
#include "core/blocks/reflection_chain.hpp"
#include "core/error.hpp"
#include "tests/catch.hpp"

namespace daewave {

namespace {

using Borders = std::vector<int>;

/// One condition on the left, one on the right.
ConditionOrder apart() {
  ConditionOrder order;
  order.carried = {0};
  order.right = {1};
  return order;
}

ConditionOrder both_ends() {
  ConditionOrder order;
  order.carried = {0, 1};
  order.coupled = true;
  return order;
}

}  // namespace

TEST_CASE("two partitions meet where conditions are of one end each, else 64 intervals make one",
          "[partitions]") {
  for (const int intervals : {1, 64, 100000}) CHECK(usual_partitions(false, intervals) == 2);
  CHECK(usual_partitions(true, 1) == 1);
  CHECK(usual_partitions(true, 127) == 1);
  CHECK(usual_partitions(true, 128) == 2);
  CHECK(usual_partitions(true, 15 * 64) == 15);
  CHECK(usual_partitions(true, 100000) == 16);
  CHECK(partitions_for_ranks(63) == 1);
  CHECK(partitions_for_ranks(127) == 1);
  CHECK(partitions_for_ranks(128) == 2);
  CHECK(partitions_for_ranks(63 * 64) == 63);
  CHECK(partitions_for_ranks(100000) == 64);
}

TEST_CASE("the first partition goes right and the last left, those between carry a border",
          "[partitions]") {
  ConditionOrder order = apart();
  order.carried = {0, 1, 2};
  order.right = {3};
  const ChainShape first = partition_shape(4, order, 0, 3);
  CHECK(first.size == 4);
  CHECK(first.carried == 3);
  CHECK_FALSE(first.border);
  CHECK_FALSE(first.to_left());
  CHECK(first.columns() == 4);
  CHECK(first.rows() == 7);
  const ChainShape between = partition_shape(4, order, 1, 3);
  CHECK(between.carried == 4);
  CHECK(between.border);
  CHECK(between.columns() == 8);
  const ChainShape last = partition_shape(4, order, 2, 3);
  CHECK(last.carried == 1);
  CHECK_FALSE(last.border);
  CHECK(last.to_left());
  CHECK(partition_shape(2, both_ends(), 0, 1).border);
  CHECK(partition_shape(2, both_ends(), 0, 3).carried == 2);
  CHECK_FALSE(partition_shape(4, order, 0, 1).border);
}

TEST_CASE("work of an interval is counted by its panel", "[partitions]") {
  // 2 columns of 3 rows, copied twice: 12; a row below the first pivot has 3 entries behind it and
  // there are two, a row below the second 2.
  const ChainShape plain{.size = 2, .carried = 1};
  CHECK(BlockChain::work_per_interval(plain) == 12 + 2 * 3 + 1 * 2);
  const ChainShape border{.size = 2, .carried = 2, .border = true};
  CHECK(BlockChain::work_per_interval(border) == 16 + 3 * 5 + 2 * 4);
  CHECK(ReflectionChain::work_per_interval(border) == Approx(2.1 * 39));
}

TEST_CASE("partitions take equal times", "[partitions]") {
  CHECK(partition_borders(2, apart(), 10, 1) == Borders{0, 10});
  CHECK(partition_borders(2, apart(), 10, 2) == Borders{0, 5, 10});
  // What carries more takes longer, and has fewer intervals.
  ConditionOrder more = apart();
  more.carried = {0, 1, 2};
  more.right = {3};
  const double right = BlockChain::work_per_interval({.size = 4, .carried = 3});
  const double left = BlockChain::work_per_interval({.size = 4, .carried = 1});
  CHECK(right > left);
  CHECK(partition_borders(4, more, 1000, 2) ==
        Borders{0, static_cast<int>(1000 * left / (left + right) + 0.5), 1000});
  // Rates of 1/20, 1/81.9 and 1/20.
  CHECK(partition_borders(2, apart(), 1000, 3) == Borders{0, 446, 554, 1000});
  CHECK(partition_borders(2, both_ends(), 90, 3) == Borders{0, 30, 60, 90});
}

TEST_CASE("each partition has an interval, and there are no more than intervals", "[partitions]") {
  CHECK(partition_borders(2, apart(), 3, 3) == Borders{0, 1, 2, 3});
  CHECK(partition_borders(2, apart(), 4, 4) == Borders{0, 1, 2, 3, 4});
  CHECK(partition_borders(2, apart(), 2, 7) == Borders{0, 1, 2});
  CHECK(partition_borders(2, both_ends(), 5, 4).back() == 5);
}

TEST_CASE("threads pay from two million multiplications on", "[partitions]") {
  // Of blocks of 10: (15 + 8) 100 for each interval.
  CHECK(large_enough_for_partitions(BabdMatrix(10, 870)));
  CHECK_FALSE(large_enough_for_partitions(BabdMatrix(10, 869)));
}

TEST_CASE("a solver is made by its name, and refuses fewer than no partitions", "[partitions]") {
  for (const char* name : {"parallel_block", "block_qr", "block_lu", "eigen"}) {
    CHECK(std::string(make_linear_solver(name, {})->name()) == name);
  }
  CHECK_NOTHROW(check(SolverSetting{.partitions = 0}));
  CHECK_THROWS_WITH(make_linear_solver("block_lu", {.partitions = -1}),
                    contains_text("partitions = -1: must be >= 1, or 0 for as many as serve"));
}

}  // namespace daewave
