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

/// Components that are this small may be so because nothing is known of them yet: where moving one
/// by a part of its size is lost in the rounding of what depends on it, it is moved by a part of 1,
/// which is the unit of absolute errors. A guess that vanishes tells nothing of the solution.
inline constexpr double vanishing = 1e-6;

/// Whether a difference of numbers of the size of `at` has digits that are not rounding.
inline bool exceeds_rounding(double difference, double at) {
  constexpr double several = 1e4 * std::numeric_limits<double>::epsilon();
  return std::abs(difference) > several * std::abs(at);
}

/// Columns of d function / d x by forward differences, where function(x) = at.
template <class Function>
bool forward_differences(Function function, VecX x, const VecX& at, const VecX& weight, MatX& J) {
  VecX moved(at.size());
  double unit = 0;
  const auto step = [&](int, double x_i) { return difference_step(x_i, unit); };
  for (int column = 0; column < x.size(); ++column) {
    const auto by = [&](double weight_of_column) {
      unit = weight_of_column;
      return move_each(
          1, [&](int) -> double& { return x[column]; }, step,
          [&](int, double taken) {
            if (!function(x, moved)) return false;
            J.col(column) = (moved - at) / taken;
            return true;
          });
    };
    if (!by(weight[column])) return false;
    if (weight[column] >= vanishing) continue;
    bool seen = false;
    for (int i = 0; i < at.size(); ++i) {
      seen = seen || exceeds_rounding(moved[i] - at[i], at[i]);
    }
    if (!seen && !by(1)) return false;
  }
  return true;
}

}  // namespace daewave::bvp
