#pragma once
// An orthonormal basis of the rows of a matrix H that may depend on each other, and with it the
// smallest solution of H d = c and the part of a vector that H does not see:
//
//   H^T P = Q R,   d = Q R^-T P^T c,   e - Q Q^T e.

#include <vector>

#include "core/types.hpp"

namespace daewave::ivp {

/// Memory for matrices up to the size given once.
class RowSpace {
 public:
  void resize(int rows, int columns);

  /// Row i of H, to be filled in before orthonormalize(); `columns` entries.
  double* row(int i) { return Q_.data() + i * stride_; }

  /// Largest rows first, each twice against those before it (modified Gram-Schmidt).
  /// @param rank_tolerance  a row of which no more than this times the largest is left is dropped.
  /// @return false where H is not finite.
  bool orthonormalize(int rows, int columns, double rank_tolerance);

  int rank() const { return rank_; }
  /// Of the row that is i-th in order: the first rank() span the space, the rest was dropped.
  int row_in_order(int i) const { return order_[static_cast<std::size_t>(i)]; }
  /// Vector i < rank() of the basis; `columns` entries.
  const double* basis(int i) const { return Q_.data() + row_in_order(i) * stride_; }

  /// The smallest d with H d = c in the rows not dropped. d has other memory than c.
  void smallest(const double* c, double* d);
  /// e without its part in the row space.
  void remove(double* e) const;

 private:
  double& R(int i, int j) { return R_[static_cast<std::size_t>(i * most_rows_ + j)]; }

  int most_rows_ = 0, stride_ = 0, rows_ = 0, columns_ = 0, rank_ = 0;
  std::vector<double> Q_, R_, left_, y_;
  std::vector<int> order_;
};

}  // namespace daewave::ivp
