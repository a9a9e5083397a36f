#pragma once
// Factorizations of dense matrices whose sizes are known at run time. Compiled once: what Eigen has
// for large matrices takes long.

#include <memory>

#include "core/types.hpp"

namespace daewave {

/// P A = L U. Memory is taken where the size changes, and not else.
class DenseLu {
 public:
  DenseLu();
  DenseLu(const DenseLu& other);
  DenseLu& operator=(const DenseLu& other);
  DenseLu(DenseLu&&) noexcept;
  DenseLu& operator=(DenseLu&&) noexcept;
  ~DenseLu();

  void compute(const MatX& A);
  /// L below the diagonal, U on it and above.
  const MatX& matrixLU() const;
  /// A x = c.
  void solve(const VecX& c, VecX& x) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

/// L L^T of a symmetric matrix.
class DenseCholesky {
 public:
  DenseCholesky();
  DenseCholesky(const DenseCholesky& other);
  DenseCholesky& operator=(const DenseCholesky& other);
  DenseCholesky(DenseCholesky&&) noexcept;
  DenseCholesky& operator=(DenseCholesky&&) noexcept;
  ~DenseCholesky();

  /// False where A is not positive definite.
  bool compute(const MatX& A);
  /// b <- A^-1 b.
  void solve(Eigen::Ref<VecX> b) const;

 private:
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace daewave
