#pragma once
// Sizes of linear algebra in lanes: in the type, where loops then are none, or known at run time
// and bounded. Both do the same operations in the same order: lanes have the same bits.

#include "core/types.hpp"

namespace daewave {

/// A size of the type.
template <int fixed>
struct LaneSize {
  static constexpr int most = fixed;
  explicit constexpr LaneSize(int = fixed) {}
  [[gnu::always_inline]] static constexpr int value() { return fixed; }
};

/// One known at run time.
template <>
struct LaneSize<Dynamic> {
  static constexpr int most = most_on_stack;
  explicit LaneSize(int given) : size(given) {}
  [[gnu::always_inline]] int value() const { return size; }
  int size;
};

/// m - n, Dynamic if one of them is.
constexpr int lane_difference(int m, int n) {
  return m == Dynamic || n == Dynamic ? Dynamic : m - n;
}

/// A vector of lanes with a size of the type, or one that is bounded; `times` of them one after the
/// other.
template <class T, int n, int times = 1>
using LaneVector = Eigen::Matrix<T, n == Dynamic ? Dynamic : times * n, 1, Eigen::ColMajor,
                                 n == Dynamic ? times * most_on_stack : times * n, 1>;

}  // namespace daewave
