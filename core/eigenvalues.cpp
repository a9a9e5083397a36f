#include "core/eigenvalues.hpp"

#include <Eigen/Eigenvalues>
#include <limits>

namespace daewave {
namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Eigenvalues eigenvalues(const MatX& A) {
  const auto found = [&](const auto& solver) -> Eigenvalues {
    if (solver.info() != Eigen::Success) return Eigenvalues::Constant(A.rows(), nothing);
    return solver.eigenvalues();
  };
  // Of small ones the memory of it would cost as much.
  using Small = Eigen::Matrix<double, Dynamic, Dynamic, Eigen::ColMajor, 4, 4>;
  if (A.rows() <= 4) return found(Eigen::EigenSolver<Small>(A, false));
  return found(Eigen::EigenSolver<MatX>(A, false));
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
