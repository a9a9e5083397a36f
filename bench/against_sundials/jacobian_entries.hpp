#pragma once
// Entries of matrices one by one, in an order that never changes: for a dense matrix, or for the
// fixed pattern of a sparse one.

#include <Eigen/Core>

#include "core/chain_jacobian.hpp"

namespace daewave::bench {

/// f(i, j, value) for every entry that may differ from zero.
template <class Dense, class F>
void each_entry(const Eigen::MatrixBase<Dense>& matrix, F f) {
  for (int j = 0; j < matrix.cols(); ++j) {
    for (int i = 0; i < matrix.rows(); ++i) f(i, j, matrix(i, j));
  }
}

template <class Diagonal, class F>
void each_entry(const Eigen::DiagonalBase<Diagonal>& matrix, F f) {
  for (int i = 0; i < matrix.rows(); ++i) f(i, i, matrix.diagonal()[i]);
}

/// Without the zeros in the blocks (+-1, 0, s; 0, +-1, -c) of the chain of rods.
template <class F>
void each_entry(const ChainJacobian& G, F f) {
  const auto block = [&](const Mat<2, 3>& J, int row, int column) {
    f(row, column, J(0, 0));
    f(row + 1, column + 1, J(1, 1));
    f(row, column + 2, J(0, 2));
    f(row + 1, column + 2, J(1, 2));
  };
  for (int i = 0; i < G.bodies(); ++i) {
    block(G.own[i], 2 * i, 3 * i);
    if (i > 0) block(G.before[i], 2 * i, 3 * i - 3);
  }
}

}  // namespace daewave::bench
