#pragma once
// Jacobians by forward differences.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/types.hpp"

namespace daewave::bvp {

/// x moved by half of its digits. @param weight  what counts as a small change of it, > 0.
inline double difference_point(double x, double weight) {
  const double part = std::sqrt(std::numeric_limits<double>::epsilon());
  return x + part * std::max(std::abs(x), weight);
}

/// Columns of d function / d x by forward differences, where function(x) = at.
template <class Function>
bool forward_differences(Function function, VecX x, const VecX& at, const VecX& weight, MatX& J) {
  VecX moved(at.size());
  for (int i = 0; i < x.size(); ++i) {
    const double kept = x[i];
    x[i] = difference_point(kept, weight[i]);
    const double taken = x[i] - kept;
    if (!function(x, moved)) return false;
    J.col(i) = (moved - at) / taken;
    x[i] = kept;
  }
  return true;
}

}  // namespace daewave::bvp
