#pragma once
// Elimination of the slopes K of the intervals of a mesh, for Newton's method:
//
//   (I - h A (x) J) dK = r + J dx_i,   A (x) J having J_j, of stage j, in its rows:
//
// factorized once per iteration, solved for several r.

#include <vector>

#include "core/machine/aligned.hpp"
#include "core/types.hpp"

namespace daewave::bvp {

class SlopeElimination {
 public:
  SlopeElimination() = default;
  /// @param n  entries of x. @param stages  of each of the intervals.
  SlopeElimination(int n, int stages, int intervals);

  /// Where J of stage j of an interval goes before factorize(); n x n, row-major, contiguous.
  double* jacobian(int j) { return jacobians_.data() + static_cast<std::ptrdiff_t>(j) * n_ * n_; }

  /// Eliminates the slopes of interval i. @param a  of the scheme, stages x stages.
  /// @return false where a pivot is zero or not finite.
  bool factorize(int i, double h, const MatX& a);

  /// dK of interval i for r, stages n; dx_i = 0.
  void solve(int i, const double* r, double* dK) const;
  /// dK += (d dK / dx_i) dx.
  void add_of_node(int i, const double* dx, double* dK) const;
  /// d dK / dx_i of stage j, n x n, row-major.
  const double* of_node(int i, int j) const {
    return node(i) + static_cast<std::ptrdiff_t>(j) * n_ * n_;
  }

 private:
  void back_substitute(double* X) const;
  const double* panel(int i) const {
    return panels_.data() + static_cast<std::size_t>(i) * panel_size_;
  }
  const double* node(int i) const {
    return nodes_.data() + static_cast<std::size_t>(i) * size_ * n_;
  }

  int n_ = 0, stages_ = 0, size_ = 0, stride_ = 0;  ///< size_: all slopes of an interval.
  std::size_t panel_size_ = 0;
  AlignedVector panels_;    ///< L below the diagonal, U above; rows as they were filled in.
  AlignedVector nodes_;     ///< d dK / dx_i.
  std::vector<int> order_;  ///< Row of the panel that is r-th after pivoting.
  std::vector<double> jacobians_;
  std::vector<double*> rows_;
};

}  // namespace daewave::bvp
