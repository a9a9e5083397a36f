#pragma once
// Units of x, from what a run has seen of it: no number of its own is small or large.

#include "sparse/matrix.hpp"

namespace daewave::sparse {

/// Sizes of the components of x. Where these have one unit, all are as large as the largest; where
/// they have several, M makes them comparable, as M_jj x_j^2 are energies of one unit. The smaller
/// of the two holds: light components are not taken for large ones.
class SizesSeen {
 public:
  /// @param M  nx by nx.
  explicit SizesSeen(const SparseMatrix& M);

  /// Forgets all but x.
  void start(const VecX& x);
  void see(const VecX& x);
  /// nx; not below |x_j| of any x that was seen, and zero where all of these were zero.
  VecX sizes() const;
  /// max |change_j| / size_j; 0 where there is no change.
  double relative(const VecX& change) const;

 private:
  VecX root_;  ///< sqrt |M_jj|.
  double largest_ = 0, largest_root_ = 0;
};

}  // namespace daewave::sparse
