#pragma once
// A random boundary value problem with known modes, in the form condensation leaves:
//
//   S_i u_i - u_{i+1} = b_i,  S_i = Q_{i+1} D Q_i^T,  D = diag(0.5 .. 0.95, 1.05 .. 2),
//
// Q_i orthogonal and random. The decaying half is given at the left end, the growing half at the
// right end, so the problem is well conditioned at any length.

#include <Eigen/QR>
#include <random>

#include "core/blocks/babd_matrix.hpp"

namespace daewave::bench {

struct DichotomicProblem {
  BabdMatrix matrix;
  VecX right;
};

inline DichotomicProblem dichotomic_problem(int n, int intervals) {
  std::mt19937_64 random(20240 + n);
  std::normal_distribution<double> normal;
  const auto rotation = [&] {
    const MatX entries = MatX::NullaryExpr(n, n, [&] { return normal(random); });
    return MatX(Eigen::HouseholderQR<MatX>(entries).householderQ());
  };
  const int decaying = n / 2;
  VecX D(n);
  for (int j = 0; j < n; ++j) {
    const double part = (j % decaying) / static_cast<double>(decaying);
    D[j] = j < decaying ? 0.5 + 0.45 * part : 1.05 + 0.95 * part;
  }
  DichotomicProblem problem{BabdMatrix(n, intervals), VecX(n * (intervals + 1))};
  MatX left = rotation();
  problem.matrix.B0.topRows(decaying) = left.leftCols(decaying).transpose();
  for (int i = 0; i < intervals; ++i) {
    const MatX next = rotation();
    const MatX S = next * D.asDiagonal() * left.transpose();
    for (int r = 0; r < n; ++r) {
      for (int c = 0; c < n; ++c) problem.matrix.S(i)[r * n + c] = S(r, c);
      problem.matrix.R(i)[r * n + r] = -1;
    }
    left = next;
  }
  problem.matrix.B1.bottomRows(n - decaying) = left.rightCols(n - decaying).transpose();
  for (double& value : problem.right) value = normal(random);
  return problem;
}

}  // namespace daewave::bench
