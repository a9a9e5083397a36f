#pragma once
// States beside those of a guess: where it is zero, or a line, few terms of a problem are seen.

#include <algorithm>
#include <cmath>

#include "core/not_finite.hpp"
#include "core/types.hpp"

namespace daewave::bvp {

/// Each entry moved by a tenth of it, or of a thousandth of the largest where it is smaller.
inline VecX beside(const VecX& state) {
  const double largest = largest_size(state), least = largest > 0 ? 1e-3 * largest : 1;
  VecX moved = state;
  for (int i = 0; i < moved.size(); ++i) {
    moved[i] += (0.1 + 0.01 * std::sin(i + 1.0)) * std::max(std::abs(moved[i]), least);
  }
  return moved;
}

}  // namespace daewave::bvp
