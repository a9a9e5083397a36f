#pragma once
// M^-1 of a multibody system: by division where M is diagonal, by Cholesky where it is dense.

#include <Eigen/Core>
#include <cmath>

#include "core/kkt/dense_factors.hpp"
#include "core/types.hpp"

namespace daewave {

/// Factorizes M anew at each state; sizes, and so the memory, are those of M.
template <class Mass>
class InverseMass {
 public:
  /// False where M is not positive definite.
  bool factorize(const Mass& M) { return factor_.compute(M); }
  /// b <- M^-1 b.
  template <class Vector>
  void apply(Vector& b) const {
    factor_.solve(b);
  }

 private:
  DenseCholesky factor_;
};

/// Of a few rows, which the type of M tells or bounds: L D L^T by plain loops, which compile in a
/// tenth of the time.
template <int fixed, int order, int most>
requires(most !=
         Dynamic) class InverseMass<Eigen::Matrix<double, fixed, fixed, order, most, most>> {
 public:
  bool factorize(const Eigen::Matrix<double, fixed, fixed, order, most, most>& M) {
    if constexpr (fixed == Dynamic) rows_ = static_cast<int>(M.rows());
    const int n = rows();
    for (int j = 0; j < n; ++j) {
      double d = M(j, j);
      for (int k = 0; k < j; ++k) d -= factor_[j][k] * factor_[k][j];
      if (!(d > 0 && d < INFINITY)) return false;
      const double inverse = 1 / d;
      factor_[j][j] = inverse;
      for (int i = j + 1; i < n; ++i) {
        double sum = M(i, j);
        for (int k = 0; k < j; ++k) sum -= factor_[i][k] * factor_[k][j];
        factor_[j][i] = sum;
        factor_[i][j] = sum * inverse;
      }
    }
    return true;
  }
  template <class Vector>
  void apply(Vector& b) const {
    const int n = rows();
    for (int i = 1; i < n; ++i) {
      for (int k = 0; k < i; ++k) b[i] -= factor_[i][k] * b[k];
    }
    for (int i = n - 1; i >= 0; --i) {
      b[i] *= factor_[i][i];
      for (int k = i + 1; k < n; ++k) b[i] -= factor_[k][i] * b[k];
    }
  }

 private:
  int rows() const { return fixed == Dynamic ? rows_ : fixed; }

  int rows_ = 0;
  double factor_[most][most];  ///< L below the diagonal, 1/D on it, D L^T above.
};

template <int n, int most>
class InverseMass<Eigen::DiagonalMatrix<double, n, most>> {
 public:
  bool factorize(const Eigen::DiagonalMatrix<double, n, most>& M) {
    inverse_ = M.diagonal().cwiseInverse();
    return (M.diagonal().array() > 0).all();
  }
  template <class Vector>
  void apply(Vector& b) const {
    b.array() *= inverse_.array();
  }

 private:
  Eigen::Matrix<double, n, 1, Eigen::ColMajor, most, 1> inverse_;
};

}  // namespace daewave
