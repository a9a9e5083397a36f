#pragma once
// The block matrix as compressed sparse columns, for general sparse solvers.

#include <cstdint>
#include <vector>

#include "core/blocks/babd_matrix.hpp"

namespace daewave {

/// Compressed columns without explicit zeros: a zero kept in the pattern may be chosen as a path
/// for fill by an ordering and cost accuracy without a sign of it.
struct SparseColumns {
  std::vector<std::int64_t> starts;  ///< One per column and one past the end.
  std::vector<std::int64_t> rows;    ///< Increasing within a column.
  std::vector<double> values;

  /// Refills from the matrix. @return whether the pattern changed since the last call.
  bool assign(const BabdMatrix& matrix);
};

}  // namespace daewave
