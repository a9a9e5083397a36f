#include "tests/core/random_babd.hpp"

#include <cmath>

#include "core/orthogonal.hpp"

namespace daewave::testing {

MatX random_orthogonal(int n, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  MatX M(n, n);
  for (double& value : M.reshaped()) value = normal(random);
  return orthogonal_factor(M);
}

BabdMatrix random_babd(const BabdShape& shape, std::mt19937_64& random) {
  const int n = shape.block_size;
  std::uniform_real_distribution<double> factor(0.3, 0.9), entry(-1, 1);
  BabdMatrix matrix(n, shape.intervals);
  MatX Q = random_orthogonal(n, random);
  const MatX first = Q;
  for (int i = 0; i < shape.intervals; ++i) {
    VecX d(n);
    for (int j = 0; j < n; ++j) d[j] = j < shape.left ? factor(random) : 1 / factor(random);
    const MatX next = random_orthogonal(n, random);
    // Each block row may be multiplied by anything regular.
    const MatX scaling = random_orthogonal(n, random) * std::exp(entry(random));
    const MatX S = scaling * next * d.asDiagonal() * Q.transpose();
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c < n; ++c) {
        matrix.S(i)[r * n + c] = S(r, c);
        matrix.R(i)[r * n + c] = -scaling(r, c);
      }
    }
    Q = next;
  }
  MatX B0 = first.transpose(), B1 = Q.transpose();
  B0.bottomRows(n - shape.left).setZero();
  B1.topRows(shape.left).setZero();
  const MatX mixing = shape.coupled ? random_orthogonal(n, random) : MatX(MatX::Identity(n, n));
  matrix.B0 = mixing * B0;
  matrix.B1 = mixing * B1;
  return matrix;
}

MatX dense(const BabdMatrix& matrix) {
  using RowMajor = Eigen::Matrix<double, Dynamic, Dynamic, Eigen::RowMajor>;
  const int n = matrix.block_size(), last = n * matrix.intervals();
  MatX all = MatX::Zero(matrix.rows(), matrix.rows());
  for (int i = 0; i < matrix.intervals(); ++i) {
    all.block(i * n, i * n, n, n) = Eigen::Map<const RowMajor>(matrix.S(i), n, n);
    all.block(i * n, (i + 1) * n, n, n) = Eigen::Map<const RowMajor>(matrix.R(i), n, n);
  }
  all.block(last, 0, n, n) += matrix.B0;
  all.block(last, last, n, n) += matrix.B1;
  return all;
}

VecX random_vector(Eigen::Index size, std::mt19937_64& random) {
  std::uniform_real_distribution<double> entry(-1, 1);
  VecX v(size);
  for (double& value : v) value = entry(random);
  return v;
}

}  // namespace daewave::testing
