#pragma once
// Orthonormal bases of what a matrix spans. Compiled once: what Eigen has for it takes long.

#include "core/types.hpp"

namespace daewave {

/// Q of A = Q R: square, of as many rows as A has.
MatX orthogonal_factor(const MatX& A);

/// The first columns of Q in A P = Q R, with pivots: a basis of what A spans, where that many
/// columns are its rank.
MatX leading_directions(const MatX& A, int columns);

}  // namespace daewave
