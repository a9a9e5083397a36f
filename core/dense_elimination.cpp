#include "core/dense_elimination.hpp"

#include <algorithm>
#include <cmath>

#include "core/aligned.hpp"

namespace daewave {

double eliminate_panel(double** rows, int count, int pivots, int stride) {
  double smallest = INFINITY, greatest = 0;
  for (int j = 0; j < pivots; ++j) {
    int pivot = j;
    double largest = std::abs(rows[j][j]);
    for (int i = j + 1; i < pivots; ++i) {
      const double candidate = std::abs(rows[i][j]);
      if (candidate > largest) {
        largest = candidate;
        pivot = i;
      }
    }
    if (!(largest > 0) || !std::isfinite(largest)) return 0;
    smallest = std::min(smallest, largest);
    greatest = std::max(greatest, largest);
    std::swap(rows[j], rows[pivot]);
    const double* __restrict upper = rows[j];
    const double inverse = 1 / upper[j];
    // Whole vectors from the one that holds column j: what lies left of the diagonal is dead.
    const int first = j / vector_width * vector_width;
    for (int i = j + 1; i < count; ++i) {
      double* __restrict row = rows[i];
      const double factor = row[j] * inverse;
      if (factor == 0) continue;
      for (int c = first; c < stride; c += vector_width) {
        for (int e = 0; e < vector_width; ++e) row[c + e] -= factor * upper[c + e];
      }
    }
  }
  return pivots == 0 ? 1 : smallest / greatest;
}

}  // namespace daewave
