#pragma once
// Matrices of large problems: by columns, what is zero left out.

#include "core/types.hpp"
// Behind what says how Eigen lays out its memory.
#include "core/eigen_memory.hpp"

#include <Eigen/SparseCore>

namespace daewave::sparse {

using SparseMatrix = Eigen::SparseMatrix<double>;

}  // namespace daewave::sparse
