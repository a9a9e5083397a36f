#pragma once
// Entries of matrices one by one, in an order that never changes: for a dense matrix, or for the
// fixed pattern of a sparse one.

#include <Eigen/Core>

#include "core/kkt/chain_jacobian.hpp"

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
  const auto block = [&](double sign, const Vec<2>& turn, int row, int column) {
    f(row, column, sign);
    f(row + 1, column + 1, sign);
    f(row, column + 2, turn[0]);
    f(row + 1, column + 2, turn[1]);
  };
  for (int i = 0; i < G.bodies(); ++i) {
    block(1, G.own[i], 2 * i, 3 * i);
    if (i > 0) block(-1, G.before[i], 2 * i, 3 * i - 3);
  }
}

}  // namespace daewave::bench
