#pragma once
// Whether a matrix has the pattern that was analysed before.

#include <algorithm>
#include <vector>

#include "sparse/matrix.hpp"

namespace daewave::sparse {

class PatternMemory {
 public:
  /// True where it is another one than last time, which this one replaces.
  bool changes_to(const SparseMatrix& matrix) {
    const auto columns = static_cast<std::size_t>(matrix.cols() + 1);
    const auto entries = static_cast<std::size_t>(matrix.nonZeros());
    const int* const outer = matrix.outerIndexPtr();
    const int* const inner = matrix.innerIndexPtr();
    if (outer_.size() == columns && inner_.size() == entries &&
        std::equal(outer, outer + columns, outer_.begin()) &&
        std::equal(inner, inner + entries, inner_.begin())) {
      return false;
    }
    outer_.assign(outer, outer + columns);
    inner_.assign(inner, inner + entries);
    return true;
  }
  double bytes() const { return sizeof(int) * static_cast<double>(outer_.size() + inner_.size()); }

 private:
  std::vector<int> outer_, inner_;
};

}  // namespace daewave::sparse
