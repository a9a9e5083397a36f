#pragma once
// States beside those of a guess: where it is zero, or a line, few terms of a problem are seen.

#include <algorithm>
#include <cmath>

#include "core/not_finite.hpp"
#include "core/types.hpp"

namespace daewave::bvp {

/// Each entry moved by a part of its own between a twentieth and a fifth, this way or that: entries
/// that are equal are so no more. Of a thousandth of the largest where it is smaller.
inline VecX beside(const VecX& state) {
  const double largest = largest_size(state), least = largest > 0 ? 1e-3 * largest : 1;
  VecX moved = state;
  constexpr double golden = 0.6180339887498949;
  for (int i = 0; i < moved.size(); ++i) {
    const double part = 0.05 + 0.15 * std::fmod((i + 1) * golden, 1.0);
    moved[i] += (i % 2 == 0 ? part : -part) * std::max(std::abs(moved[i]), least);
  }
  return moved;
}

}  // namespace daewave::bvp
