#include "core/blocks/partitions.hpp"

#include <algorithm>
#include <cmath>

#include "core/blocks/block_chain.hpp"
#include "core/blocks/reflection_chain.hpp"

namespace daewave {
namespace {

std::vector<int> balanced(int intervals, const std::vector<double>& work_per_interval) {
  const int count = static_cast<int>(work_per_interval.size());
  double all = 0, before = 0;
  for (const double work : work_per_interval) all += 1 / work;
  std::vector<int> borders(count + 1, 0);
  for (int p = 0; p + 1 < count; ++p) {
    before += 1 / work_per_interval[p];
    const int border = static_cast<int>(std::lround(intervals * (before / all)));
    borders[p + 1] = std::clamp(border, borders[p] + 1, intervals - (count - 1 - p));
  }
  borders[count] = intervals;
  return borders;
}

}  // namespace

int usual_partitions(bool coupled, int intervals) {
  constexpr int most = 16, intervals_that_pay = 64;
  return coupled ? std::clamp(intervals / intervals_that_pay, 1, most) : 2;
}

int partitions_for_ranks(int intervals) {
  constexpr int most = 64, intervals_that_pay = 64;
  return std::clamp(intervals / intervals_that_pay, 1, most);
}

ChainShape partition_shape(int block_size, const ConditionOrder& order, int p, int count) {
  ChainShape shape;
  shape.size = block_size;
  shape.border = order.coupled || (p > 0 && p + 1 < count);
  if (shape.border) {
    shape.carried = block_size;
  } else {
    shape.direction = p == 0 ? ChainShape::Direction::right : ChainShape::Direction::left;
    shape.carried = static_cast<int>(p == 0 ? order.carried.size() : order.right.size());
  }
  return shape;
}

std::vector<int> partition_borders(int block_size, const ConditionOrder& order, int intervals,
                                   int wanted) {
  const int count = std::clamp(wanted, 1, std::max(intervals, 1));
  std::vector<double> work;
  for (int p = 0; p < count; ++p) {
    const ChainShape shape = partition_shape(block_size, order, p, count);
    work.push_back(shape.border ? ReflectionChain::work_per_interval(shape)
                                : BlockChain::work_per_interval(shape));
  }
  return balanced(intervals, work);
}

}  // namespace daewave
