#include "core/blocks/sparse_columns.hpp"

namespace daewave {

bool SparseColumns::assign(const BabdMatrix& matrix) {
  const int n = matrix.block_size(), intervals = matrix.intervals();
  const std::int64_t last = static_cast<std::int64_t>(intervals) * n;
  bool changed = static_cast<std::int64_t>(starts.size()) != last + n + 1;
  starts.resize(static_cast<std::size_t>(last + n + 1));
  std::size_t count = 0;
  // Entries overwrite the old ones in place; the pattern is compared on the way.
  const auto put = [&](std::int64_t row, double value) {
    if (value == 0) return;
    if (count == rows.size()) {
      rows.push_back(row);
      values.push_back(value);
      changed = true;
    } else {
      changed |= rows[count] != row;
      rows[count] = row;
      values[count] = value;
    }
    ++count;
  };
  for (int node = 0; node <= intervals; ++node) {
    for (int c = 0; c < n; ++c) {
      std::int64_t& start = starts[static_cast<std::size_t>(node) * n + c];
      changed |= start != static_cast<std::int64_t>(count);
      start = static_cast<std::int64_t>(count);
      if (node > 0) {
        const double* R = matrix.R(node - 1);
        for (int r = 0; r < n; ++r) put(static_cast<std::int64_t>(node - 1) * n + r, R[r * n + c]);
      }
      if (node < intervals) {
        const double* S = matrix.S(node);
        for (int r = 0; r < n; ++r) put(static_cast<std::int64_t>(node) * n + r, S[r * n + c]);
      }
      if (node == 0 || node == intervals) {
        const MatX& B = node == 0 ? matrix.B0 : matrix.B1;
        for (int r = 0; r < n; ++r) put(last + r, B(r, c));
      }
    }
  }
  changed |= starts.back() != static_cast<std::int64_t>(count) || rows.size() != count;
  starts.back() = static_cast<std::int64_t>(count);
  rows.resize(count);
  values.resize(count);
  return changed;
}

}  // namespace daewave
