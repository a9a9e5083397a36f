#pragma once
// What differences along t are differences within.

#include <algorithm>

#include "core/adapt/problem_from_functions.hpp"

namespace daewave {

/// One, or the length of the problem's interval where that is known and shorter: what t changes
/// there it does within it, also where that is microseconds in years.
inline double unit_of_time(const ProblemFunctions& of) {
  const double length = of.interval ? of.interval->length() : 1;
  return length > 0 ? std::min(1.0, length) : 1;
}

}  // namespace daewave
