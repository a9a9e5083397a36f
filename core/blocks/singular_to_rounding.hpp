#pragma once
// Whether a matrix is singular, as told by its factors L U.

#include <cmath>
#include <limits>

namespace daewave {

/// Whether a pivot is no more than rounding has left of what was taken off it, as where rows depend
/// on each other. Rows and columns may be of any unit: pivots of large ones and small ones tell
/// nothing of each other.
/// @param entry  entry(i, j) of L below the diagonal and of U above.
/// @param pivot  pivot(k) is U_kk.
template <class Entry, class Pivot>
bool is_singular_to_rounding(int n, Entry entry, Pivot pivot) {
  for (int k = 0; k < n; ++k) {
    double taken = 0;
    for (int i = 0; i < k; ++i) taken += std::abs(entry(k, i) * entry(i, k));
    const double left = std::abs(pivot(k));
    if (!(left > 32 * n * std::numeric_limits<double>::epsilon() * taken) || left == 0) return true;
  }
  return false;
}

}  // namespace daewave
