#include "sparse/sizes_seen.hpp"

#include <cmath>

#include "core/not_finite.hpp"

namespace daewave::sparse {

SizesSeen::SizesSeen(const SparseMatrix& M) : root_(M.cols()) {
  for (int j = 0; j < M.outerSize(); ++j) {
    double diagonal = 0, column = 0;
    for (SparseMatrix::InnerIterator entry(M, j); entry; ++entry) {
      column = larger(std::abs(entry.value()), column);
      if (entry.row() == j) diagonal = std::abs(entry.value());
    }
    root_[j] = std::sqrt(diagonal > 0 ? diagonal : column);
  }
}

void SizesSeen::start(const VecX& x) {
  largest_ = largest_root_ = 0;
  see(x);
}

void SizesSeen::see(const VecX& x) {
  largest_ = larger(largest_size(x), largest_);
  largest_root_ = larger(largest_size(root_.cwiseProduct(x)), largest_root_);
}

VecX SizesSeen::sizes() const { return (largest_root_ / root_.array()).min(largest_).matrix(); }

double SizesSeen::relative(const VecX& change) const {
  if (largest_size(change) == 0) return 0;
  return largest_size(change.cwiseQuotient(sizes()));
}

}  // namespace daewave::sparse
