#pragma once
// The Jacobian of a right-hand side by forward differences, for Newton's method.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/derivatives/moved_entries.hpp"
#include "core/types.hpp"

namespace daewave::ivp {

/// J = d slope / d x at `x`, from n more evaluations `evaluate(x, slope)`; false where one fails.
///
/// Each x_i is moved by half of its digits, and so far that rounding in the slope changes h J by
/// no more than 1e-3 / n, in units of `weight`.
/// @param x       moved and put back.
/// @param slope   evaluate() at x.
/// @param weight  what counts as a small change of each x_i; used where x_i is close to zero.
/// @param h       the step J is for.
/// @param moved   memory.
template <class Evaluate>
bool difference_jacobian(Evaluate evaluate, VecX& x, const VecX& slope, const VecX& weight,
                         double h, VecX& moved, MatX& J) {
  const int n = static_cast<int>(x.size());
  const double rounding = std::numeric_limits<double>::epsilon();
  double most = 0;
  for (int i = 0; i < n; ++i) {
    if (weight[i] > 0) most = std::max(most, std::abs(slope[i]) / weight[i]);
  }
  const double part = most > 0 ? 1e3 * n * rounding * std::abs(h) * most : 1.0;
  const auto step = [&](int i, double x_i) {
    const double far = std::max(std::sqrt(rounding) * std::abs(x_i), part * weight[i]);
    return far > 0 ? far : std::sqrt(rounding);
  };
  return move_each(
      n, [&](int i) -> double& { return x[i]; }, step,
      [&](int i, double taken) {
        if (!evaluate(x, moved)) return false;
        J.col(i) = (moved - slope) / taken;
        return true;
      });
}

}  // namespace daewave::ivp
