#pragma once
// Jacobians by forward differences.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/derivatives/moved_entries.hpp"
#include "core/types.hpp"

namespace daewave::bvp {

/// Half of the digits of x. @param weight  what counts as a small change of it, > 0.
inline double difference_step(double x, double weight) {
  const double part = std::sqrt(std::numeric_limits<double>::epsilon());
  return part * std::max(std::abs(x), weight);
}

/// Columns of d function / d x by forward differences, where function(x) = at.
template <class Function>
bool forward_differences(Function function, VecX x, const VecX& at, const VecX& weight, MatX& J) {
  VecX moved(at.size());
  const auto step = [&](int i, double x_i) { return difference_step(x_i, weight[i]); };
  return move_each(
      static_cast<int>(x.size()), [&](int i) -> double& { return x[i]; }, step,
      [&](int i, double taken) {
        if (!function(x, moved)) return false;
        J.col(i) = (moved - at) / taken;
        return true;
      });
}

}  // namespace daewave::bvp
