#pragma once
// How close nodes may be: of a time that jumps, one on either side of it.

#include <algorithm>
#include <cmath>
#include <limits>

namespace daewave {

/// Nodes that are closer than this are the same but for rounding, or two sides of a jump. Between
/// them times of stages still differ, and far from zero that is all that is asked: what a right
/// side jumps by there counts for as long. @param length  of the interval.
inline double closest_nodes(double t, double length) {
  constexpr double part = 1e-12, roundings = 16;
  return std::max(part * length, roundings * std::numeric_limits<double>::epsilon() * std::abs(t));
}

}  // namespace daewave
