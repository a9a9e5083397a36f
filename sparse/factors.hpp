#pragma once
// Factors of one sparse matrix after another: the order of elimination is found once for a pattern.

#include <memory>
#include <string>

#include "sparse/matrix.hpp"

namespace daewave::sparse {

/// Of one thread.
class Factors {
 public:
  virtual ~Factors() = default;
  virtual const char* name() const = 0;

  /// Of a matrix whose pattern is that of the one before, or of another one, which costs an
  /// analysis. @return empty, or why there are no factors.
  virtual std::string factorize(const SparseMatrix& matrix) = 0;
  /// x = A^-1 b. After factorize() alone.
  virtual void solve(const VecX& b, VecX& x) = 0;

  /// Of factors and what is kept beside them.
  virtual double bytes() const = 0;
  /// Entries of the factors.
  virtual double entries() const = 0;
  int analyses() const { return analyses_; }

 protected:
  int analyses_ = 0;
};

/// L L^T of a symmetric positive definite matrix, of which the lower triangle is looked at:
/// CHOLMOD, or Eigen's where daewave is built without it.
std::unique_ptr<Factors> cholesky();
/// L U of any square matrix: UMFPACK, or Eigen's.
std::unique_ptr<Factors> lu();

}  // namespace daewave::sparse
