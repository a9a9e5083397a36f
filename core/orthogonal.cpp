#include "core/orthogonal.hpp"

#include <Eigen/QR>

namespace daewave {

MatX orthogonal_factor(const MatX& A) { return Eigen::HouseholderQR<MatX>(A).householderQ(); }

MatX leading_directions(const MatX& A, int columns) {
  const Eigen::ColPivHouseholderQR<MatX> qr(A);
  return qr.householderQ() * MatX::Identity(A.rows(), columns);
}

}  // namespace daewave
