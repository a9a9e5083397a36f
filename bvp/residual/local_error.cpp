#include "bvp/residual/local_error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bvp/curve/point_kernel.hpp"
#include "core/not_finite.hpp"

namespace daewave::bvp {
namespace {

/// Of the step: within it, errors come to their level only on the way.
constexpr double part_of_step = 0.25;

/// The largest sum of a row of |J|, in units of the sizes.
double norm_of(const MatX& J, const VecX& sizes) {
  double most = 0;
  for (Eigen::Index i = 0; i < J.rows(); ++i) {
    double sum = 0;
    for (Eigen::Index j = 0; j < J.cols(); ++j) sum += std::abs(J(i, j)) * sizes[j];
    most = larger(most, sum / sizes[i]);
  }
  return most;
}

}  // namespace

/// @return its norm, in units of the sizes.
double LocalError::take_inverse(const MatX& J, double h, const VecX& sizes, MatX& inverse) {
  const Eigen::Index n = J.rows();
  scaled_.noalias() = -(part_of_step * h) * J;
  scaled_.diagonal().array() += 1;
  factor_.resize(static_cast<int>(n));
  if (!factor_.factorize(scaled_)) return std::numeric_limits<double>::infinity();
  inverse.setIdentity(n, n);
  for (Eigen::Index j = 0; j < n; ++j) factor_.solve(&inverse(0, j));
  const double norm = norm_of(inverse, sizes);
  return std::isfinite(norm) ? norm : std::numeric_limits<double>::infinity();
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
  return norm_of(J, sizes) * part_of_step * h > 1;
}

void LocalError::find(const MatX& J, double h, const VecX& sizes) {
  none();
  if (!matters(J, h, sizes)) return;
  double norm = take_inverse(J, h, sizes, map_);
  const double other = take_inverse(J, -h, sizes, other_);
  part_of_error_ = -part_of_step;  // e' = J e - delta, of what is added to the curve.
  if (other < norm) {
    map_.swap(other_);
    norm = other;
    part_of_error_ = part_of_step;
  }
  if (!std::isfinite(norm)) return;
  is_stiff_ = true;
  // 1 / h as a growth rate of one mode and a decay rate of another would be worse than none.
  constexpr double most = 2;
  if (norm > most) map_ *= most / norm;
}

void LocalError::take(RowsOfPoints& values, RowsOfPoints& sizes) {
  const Eigen::Index n = map_.rows(), points = values.cols();
  if (!is_stiff_ || points == 0) return;
  const auto mapped = [&](const MatX& by, double* rows) {
    taken_.assign(rows, rows + n * points);
    map_at_points(by.data(), static_cast<int>(n), taken_.data(), static_cast<int>(points), rows);
  };
  mapped(map_, values.data());
  other_ = map_.cwiseAbs();
  mapped(other_, sizes.data());
}

}  // namespace daewave::bvp
