#include "core/eigenvalues.hpp"

#include <Eigen/Eigenvalues>

namespace daewave {

Eigenvalues eigenvalues(const MatX& A) { return Eigen::EigenSolver<MatX>(A, false).eigenvalues(); }

Eigenvectors eigenvectors(const MatX& A) {
  const Eigen::EigenSolver<MatX> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace daewave
