#pragma once
// Random bordered almost block diagonal systems of boundary value problems with a dichotomy: as
// well conditioned as their boundary conditions, whatever their length. Compiled once.

#include <random>

#include "core/blocks/babd_matrix.hpp"
#include "core/types.hpp"

namespace daewave::testing {

struct BabdShape {
  int block_size = 1;
  int intervals = 1;
  int left = 1;          ///< Conditions at the left end; the others act at the right end.
  bool coupled = false;  ///< Every condition touches both ends.
};

MatX random_orthogonal(int n, std::mt19937_64& random);

/// u_{i+1} = Q_{i+1} diag(d) Q_i^T u_i: the first `left` modes shrink by 0.3..0.9 per interval, the
/// others grow as much; decaying modes are given at the left end and growing ones at the right.
BabdMatrix random_babd(const BabdShape& shape, std::mt19937_64& random);

MatX dense(const BabdMatrix& matrix);

VecX random_vector(Eigen::Index size, std::mt19937_64& random);

}  // namespace daewave::testing
