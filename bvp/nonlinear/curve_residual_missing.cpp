// What is missing of a multiplier between the stages, where iterates hold x on its constraints.

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "bvp/nonlinear/curve_residual.hpp"
#include "bvp/statement/forward_differences.hpp"

namespace daewave::bvp {

/// Of what the equations make of what is carried, with respect to x, in the middle of an interval;
/// false where there are none.
bool CurveResidual::find_slopes_of_carried(int interval) {
  const int n = system_.nx(), m = system_.carried(), points = n + 1, stride = padded(points);
  const double t = curve_->mesh().node(interval) + 0.5 * curve_->mesh().step(interval);
  curve_->x_in(interval, 0.5, point_);
  curve_->carried_in(interval, 0.5, before_point_);
  const auto room = [&](UnsetVector& of, int rows) {
    of.assign(static_cast<std::size_t>(rows + 1) * static_cast<std::size_t>(stride), 0.0);
    return Eigen::Map<RowsOfPoints>(of.data(), rows, stride);
  };
  auto x = room(moved_at_, n), before = room(moved_before_, m);
  room(slopes_moved_, n);
  x.leftCols(points).colwise() = point_;
  before.leftCols(points).colwise() = before_point_;
  for (int j = 0; j < n; ++j) x(j, j + 1) += difference_step(point_[j], moved_[j]);
  carried_moved_ = moved_before_;
  const std::vector<double> times(static_cast<std::size_t>(points), t);
  std::string failure;
  if (!system_.evaluate_batch({points, stride, times.data(), x.data(), before.data()},
                              slopes_moved_.data(), carried_moved_.data(), nullptr, failure)) {
    return false;
  }
  const Eigen::Map<RowsOfPoints> carried(carried_moved_.data(), m, stride);
  of_carried_.resize(m, n);
  for (int j = 0; j < n; ++j) {
    of_carried_.col(j) = (carried.col(j + 1) - carried.col(0)) / (x(j, j + 1) - x(j, 0));
  }
  return of_carried_.allFinite();
}

/// At the points evaluated last, from `from` on.
void CurveResidual::take_missing(int interval, Eigen::Index from, ResidualValues& found) {
  const int n = system_.nx(), m = system_.carried();
  const Eigen::Index points = found.values.cols();
  if (!everywhere_ || points == 0) return;
  const auto row = [&](UnsetVector& of, int i) {
    const auto begin = static_cast<std::ptrdiff_t>(i) * stride_ + from;
    return Eigen::Map<Eigen::RowVectorXd>(of.data() + begin, points);
  };
  // With as much less before, the equations make what is there of it.
  moved_before_ = carried_moved_ = before_;
  for (int i = 0; i < m; ++i) row(moved_before_, i) += row(before_, i) - row(carried_at_, i);
  slopes_moved_.resize(slopes_at_.size());
  std::string failure;
  if (!system_.evaluate_batch(
          {static_cast<int>(t_.size()), stride_, t_.data(), x_.data(), moved_before_.data()},
          slopes_moved_.data(), carried_moved_.data(), nullptr, failure)) {
    return;
  }
  // x meets its constraints at the stages but leaves them on its way from there, and what that
  // moves y is not in here: 3.6 times as much in the random problem of seed 53.
  constexpr double safety = 4;
  const double part = safety * local_error_.part_of_error() * curve_->mesh().step(interval);
  unbalanced_.values.resize(n, points);
  unbalanced_.sizes.resize(n, points);
  for (int i = 0; i < n; ++i) {
    const auto of_curve = row(slope_of_curve_, i), of_equations = row(slopes_moved_, i);
    unbalanced_.values.row(i) = of_curve - of_equations;
    unbalanced_.sizes.row(i) = of_curve.cwiseAbs() + of_equations.cwiseAbs();
  }
  local_error_.take(unbalanced_.values, unbalanced_.sizes);
  found.values.bottomRows(m).noalias() = part * of_carried_ * unbalanced_.values;
  found.sizes.bottomRows(m) += std::abs(part) * of_carried_.cwiseAbs() * unbalanced_.sizes;
}

}  // namespace daewave::bvp
