#pragma once
// Jacobians by forward differences.

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/derivatives/moved_entries.hpp"
#include "core/types.hpp"

namespace daewave::bvp {

/// Half of the digits of x. @param weight  what counts as a small change of it, > 0.
inline double difference_step(double x, double weight) {
  const double part = std::sqrt(std::numeric_limits<double>::epsilon());
  return part * std::max(std::abs(x), weight);
}

/// By parts of what an entry is moved where moving it by a part of its own size, which is smaller,
/// is lost in the rounding of what depends on it: it may be small because nothing is known of it
/// yet. Where all vanish, as a guess may, of 1, the unit of absolute errors; so too where parts of
/// them would be lost: half of the digits of 1e-6 is some ten roundings of what is of size 1.
inline double otherwise_moved(const VecX& weight) {
  constexpr double part = 1e-3, vanishing = 1e-6 / part;
  const double most = weight.size() > 0 ? weight.maxCoeff() : 0;
  return most < vanishing ? 1 : part * most;
}

/// Whether a difference of numbers of the size of `at` has digits that are not rounding.
inline bool exceeds_rounding(double difference, double at) {
  constexpr double several = 1e4 * std::numeric_limits<double>::epsilon();
  return std::abs(difference) > several * std::abs(at);
}

/// By parts of what entry j is moved, one after the other, for as long as anything is lost.
/// @param further  see forward_differences().
inline std::vector<double> weights_of_moves(const VecX& weight, int j, int further) {
  const double otherwise = otherwise_moved(weight);
  std::vector<double> weights{weight[j]};
  if (weight[j] < otherwise) weights.push_back(otherwise);
  double next = std::max(weight[j], otherwise);
  for (int times = 0; times < further; ++times) weights.push_back(next *= 1e4);
  return weights;
}

/// Columns of d function / d x by forward differences, where function(x) = at.
/// @param further  further(j) -> int: times that entry j is moved 1e4 times as far where that is
/// lost in rounding too.
template <class Function, class Further>
bool forward_differences(Function function, VecX x, const VecX& at, const VecX& weight, MatX& J,
                         Further further) {
  VecX moved(at.size()), kept;
  double unit = 0;
  std::vector<bool> seen(static_cast<std::size_t>(at.size()));
  const auto step = [&](int, double x_j) { return difference_step(x_j, unit); };
  const auto move = [&](int j, double weight_of_column) {
    unit = weight_of_column;
    return move_each(
        1, [&](int) -> double& { return x[j]; }, step,
        [&](int, double taken) {
          if (!function(x, moved)) return false;
          for (int i = 0; i < at.size(); ++i) {
            if (seen[i]) continue;
            J(i, j) = (moved[i] - at[i]) / taken;
            seen[i] = exceeds_rounding(moved[i] - at[i], at[i]);
          }
          return true;
        });
  };
  const double otherwise = otherwise_moved(weight);
  for (int j = 0; j < x.size(); ++j) {
    std::fill(seen.begin(), seen.end(), false);
    if (!move(j, weight[j])) return false;
    if (weight[j] < otherwise && !move(j, otherwise)) return false;
    double next = std::max(weight[j], otherwise);
    for (int times = 0; times < further(j); ++times) {
      if (std::find(seen.begin(), seen.end(), false) == seen.end()) break;
      kept = J.col(j);
      if (move(j, next *= 1e4) && J.col(j).allFinite()) continue;
      J.col(j) = kept;
      break;
    }
  }
  return true;
}

/// The same of all entries.
template <class Function>
bool forward_differences(Function function, const VecX& x, const VecX& at, const VecX& weight,
                         MatX& J, int further = 0) {
  return forward_differences(function, x, at, weight, J, [further](int) { return further; });
}

}  // namespace daewave::bvp
