#include "bvp/residual/local_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daewave::bvp {
namespace {

/// Of the step: within it, errors come to their level only on the way.
constexpr double part_of_step = 0.25;

}  // namespace

/// @return its norm, in units of the sizes.
double LocalError::take_inverse(const MatX& J, double h, const VecX& sizes, MatX& inverse) {
  scaled_ = -(part_of_step * h) * J;
  scaled_.diagonal().array() += 1;
  factor_.compute(scaled_);
  inverse = factor_.inverse();
  if (!inverse.allFinite()) return std::numeric_limits<double>::infinity();
  return (inverse.cwiseAbs() * sizes).cwiseQuotient(sizes).maxCoeff();
}

VecX LocalError::balancing(const MatX& J) {
  constexpr int sweeps = 8;
  constexpr double most = 1e3;  // Of a sweep: what nothing comes back to has no end of it.
  VecX sizes = VecX::Ones(J.rows());
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (Eigen::Index j = 0; j < J.rows(); ++j) {
      double row = 0, column = 0;
      for (Eigen::Index i = 0; i < J.rows(); ++i) {
        if (i == j) continue;
        row += std::abs(J(j, i)) * sizes[i];
        column += std::abs(J(i, j)) / sizes[i];
      }
      if (row == 0 && column == 0) continue;
      const double balanced = column > 0 ? std::sqrt(row / column) : most * sizes[j];
      sizes[j] = std::clamp(balanced, sizes[j] / most, most * sizes[j]);
    }
  }
  return sizes;
}

bool LocalError::matters(const MatX& J, double h, const VecX& sizes) {
  return (J.cwiseAbs() * sizes).cwiseQuotient(sizes).maxCoeff() * part_of_step * h > 1;
}

void LocalError::find(const MatX& J, double h, const VecX& sizes) {
  none();
  if (!matters(J, h, sizes)) return;
  double norm = take_inverse(J, h, sizes, map_);
  const double other = take_inverse(J, -h, sizes, other_);
  if (other < norm) {
    map_.swap(other_);
    norm = other;
  }
  if (!std::isfinite(norm)) return none();
  // 1 / h as a growth rate of one mode and a decay rate of another would be worse than none.
  constexpr double most = 2;
  if (norm > most) map_ *= most / norm;
}

}  // namespace daewave::bvp
