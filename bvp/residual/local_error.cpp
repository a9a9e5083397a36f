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
/// Of residuals, in units of the sizes: beyond it modes are limited.
constexpr double most_amplified = 2;

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

/// (I - time J)^-1. @return its norm, in units of the sizes.
double LocalError::take_inverse(const MatX& J, double time, const VecX& sizes, MatX& inverse) {
  const Eigen::Index n = J.rows();
  scaled_.noalias() = -time * J;
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
  // Beyond that a mode is so close to one of these parts that rounding of it hides others.
  constexpr double too_close = 1e3;
  double least = std::numeric_limits<double>::infinity();
  for (const double part : {part_of_step, 0.9 * part_of_step, 1.1 * part_of_step}) {
    // e' = J e - delta, of what is added to the curve.
    for (const double signed_part : {-part, part}) {
      const double norm = take_inverse(J, -signed_part * h, sizes, other_);
      if (!(norm < least)) continue;
      least = norm;
      part_of_error_ = signed_part;
      map_.swap(other_);
    }
    if (least < too_close) break;
  }
  if (!std::isfinite(least)) return;
  is_stiff_ = true;
  if (least > most_amplified) limit_modes(sizes);
}

/// 4 / h as a growth rate of one mode and a decay rate of another would be worse than none. Only
/// these modes are limited: what others become is right.
void LocalError::limit_modes(const VecX& sizes) {
  constexpr int turns = 3;  // Towards the most amplified direction, which is far above others.
  const Eigen::Index n = map_.rows();
  scaled_ = sizes.cwiseInverse().asDiagonal() * map_ * sizes.asDiagonal();
  for (Eigen::Index limited = 0; limited < n; ++limited) {
    Eigen::Index row = 0;
    if (!(scaled_.cwiseAbs().rowwise().sum().maxCoeff(&row) > most_amplified)) break;
    from_ = scaled_.row(row).transpose().normalized();
    for (int turn = 0; turn < turns; ++turn) {
      to_.noalias() = scaled_ * from_;
      from_.noalias() = scaled_.transpose() * to_;
      from_.normalize();
    }
    to_.noalias() = scaled_ * from_;
    const double amplified = to_.norm();
    if (!(amplified > 1)) break;
    scaled_.noalias() -= (1 - 1 / amplified) * to_ * from_.transpose();
  }
  map_ = sizes.asDiagonal() * scaled_ * sizes.cwiseInverse().asDiagonal();
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
