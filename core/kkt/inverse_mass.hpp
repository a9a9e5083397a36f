#pragma once
// M^-1 of a multibody system: by division where M is diagonal, by Cholesky where it is dense.

#include <Eigen/Cholesky>

#include "core/types.hpp"

namespace daewave {

/// Factorizes M anew at each state; sizes, and so the memory, are those of M.
template <class Mass>
class InverseMass {
 public:
  /// False where M is not positive definite.
  bool factorize(const Mass& M) {
    factor_.compute(M);
    return factor_.info() == Eigen::Success;
  }
  /// b <- M^-1 b.
  template <class Vector>
  void apply(Vector& b) const {
    factor_.solveInPlace(b);
  }

 private:
  Eigen::LLT<Mass> factor_;
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
