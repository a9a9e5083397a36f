#pragma once
// What errors of a solution are measured by.

#include "core/types.hpp"

namespace daewave::bvp {

/// 1 + the largest absolute value of each row.
inline VecX component_sizes(const MatX& values) {
  VecX sizes = VecX::Ones(values.rows());
  if (values.cols() > 0) sizes += values.cwiseAbs().rowwise().maxCoeff();
  return sizes;
}

}  // namespace daewave::bvp
