#include "core/eigenvalues.hpp"

#include <Eigen/Eigenvalues>
#include <limits>

namespace daewave {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Eigenvalues eigenvalues(const MatX& A) {
  const Eigen::EigenSolver<MatX> solver(A, false);
  if (solver.info() != Eigen::Success) return Eigenvalues::Constant(A.rows(), nothing);
  return solver.eigenvalues();
}

Eigenvectors eigenvectors(const MatX& A) {
  const Eigen::EigenSolver<MatX> solver(A);
  if (solver.info() != Eigen::Success) {
    return {Eigenvalues::Constant(A.rows(), nothing),
            decltype(Eigenvectors::vectors)::Constant(A.rows(), A.rows(), nothing)};
  }
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace daewave
