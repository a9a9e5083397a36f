#pragma once
// L D L^T of a symmetric positive definite matrix of a few rows, by plain loops, which compile in a
// tenth of the time that what Eigen has for it takes. In place: L below the diagonal, 1/D on it,
// D L^T above.

#include <cmath>

namespace daewave {

/// @tparam Size    int, or an integral constant, with which the compiler unrolls.
/// @param  factor  n x n; the diagonal and what is below it is the matrix.
/// @return false where it is not positive definite, or not finite.
template <class Size, class Matrix>
bool factorize_ldl(Size n, Matrix& factor) {
  for (int j = 0; j < n; ++j) {
    double d = factor(j, j);
    for (int k = 0; k < j; ++k) d -= factor(j, k) * factor(k, j);
    if (!(d > 0 && d < INFINITY)) return false;
    const double inverse = 1 / d;
    factor(j, j) = inverse;
    for (int i = j + 1; i < n; ++i) {
      double sum = factor(i, j);
      for (int k = 0; k < j; ++k) sum -= factor(i, k) * factor(k, j);
      factor(j, i) = sum;
      factor(i, j) = sum * inverse;
    }
  }
  return true;
}

/// b <- A^-1 b.
template <class Size, class Matrix, class Vector>
void solve_ldl(Size n, const Matrix& factor, Vector& b) {
  for (int i = 1; i < n; ++i) {
    for (int k = 0; k < i; ++k) b[i] -= factor(i, k) * b[k];
  }
  for (int i = n - 1; i >= 0; --i) {
    b[i] *= factor(i, i);
    for (int k = i + 1; k < n; ++k) b[i] -= factor(k, i) * b[k];
  }
}

}  // namespace daewave
