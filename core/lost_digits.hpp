#pragma once
// Where uneven masses cost G M^-1 G^T digits: a light body between two heavy ones has entries
// 1 / its mass there, which cancel in the elimination to those of the heavy ones.

#include <limits>

#include "core/column_weights.hpp"

namespace daewave {

/// A pivot below this part of its entry has lost the digits that one would miss.
inline constexpr double cancelled = 1 / most_even;

/// Whether M is uneven. @param mass  mass(j) is entry j of the diagonal of M, or of M^-1.
template <class Mass>
bool is_uneven(int n, Mass mass) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (int j = 0; j < n; ++j) {
    const double m = mass(j);
    least = m < least ? m : least;
    most = m > most ? m : most;
  }
  return most > most_even * least;
}

}  // namespace daewave
