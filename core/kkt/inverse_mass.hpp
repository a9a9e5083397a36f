#pragma once
// M^-1 of a multibody system: by division where M is diagonal, by Cholesky where it is dense.

#include "core/kkt/dense_factors.hpp"
#include "core/kkt/small_ldl.hpp"
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

/// Of a few rows, which the type of M tells or bounds.
template <int fixed, int order, int most>
requires(most !=
         Dynamic) class InverseMass<Eigen::Matrix<double, fixed, fixed, order, most, most>> {
 public:
  bool factorize(const Eigen::Matrix<double, fixed, fixed, order, most, most>& M) {
    if constexpr (fixed == Dynamic) rows_ = static_cast<int>(M.rows());
    const int n = rows();
    for (int j = 0; j < n; ++j) {
      for (int i = j; i < n; ++i) factor_(i, j) = M(i, j);
    }
    return factorize_ldl(n, factor_);
  }
  template <class Vector>
  void apply(Vector& b) const {
    solve_ldl(rows(), factor_, b);
  }

 private:
  int rows() const { return fixed == Dynamic ? rows_ : fixed; }

  int rows_ = 0;
  Mat<most, most> factor_;
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
  const auto& diagonal() const { return inverse_; }

 private:
  Eigen::Matrix<double, n, 1, Eigen::ColMajor, most, 1> inverse_;
};

}  // namespace daewave
