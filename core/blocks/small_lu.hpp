#pragma once
// P A = L U of a small dense matrix, kept for many right-hand sides; no memory but its own.

#include <vector>

#include "core/types.hpp"

namespace daewave {

class SmallLu {
 public:
  SmallLu() = default;
  explicit SmallLu(int n) { resize(n); }
  void resize(int n);

  /// With exchanges of rows; false for a matrix that is singular or not finite.
  bool factorize(const MatX& A);

  /// Of the factors of A: whether a pivot is no more than rounding has left of what was taken off
  /// it, as where rows depend on each other. Rows and columns may be of any unit.
  bool is_singular_to_rounding() const;

  /// b <- A^-1 b.
  void solve(VecX& b) const { solve(b.data()); }
  void solve(double* b) const;

 private:
  int n_ = 0;
  std::vector<double> rows_;   ///< L below the diagonal, 1/U_ii on it, U above; row-major.
  std::vector<int> exchange_;  ///< Row exchanged with row i.
};

}  // namespace daewave
