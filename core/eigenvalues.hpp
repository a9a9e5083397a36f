#pragma once
// Eigenvalues and eigenvectors of a square matrix. Compiled once: what Eigen has for it takes long.

#include <complex>

#include "core/types.hpp"

namespace daewave {

/// n of them, in no order; NaN where A is not finite.
using Eigenvalues = Eigen::Matrix<std::complex<double>, Dynamic, 1>;
Eigenvalues eigenvalues(const MatX& A);

struct Eigenvectors {
  Eigenvalues values;
  /// n x n; a column for each value, of norm 1. Pairs of values have pairs of columns.
  Eigen::Matrix<std::complex<double>, Dynamic, Dynamic> vectors;
};
Eigenvectors eigenvectors(const MatX& A);

}  // namespace daewave
