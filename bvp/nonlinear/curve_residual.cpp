#include "bvp/nonlinear/curve_residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "bvp/curve/component_sizes.hpp"
#include "bvp/nonlinear/constraint_values.hpp"
#include "bvp/nonlinear/forward_differences.hpp"

namespace daewave::bvp {
CurveResidual::CurveResidual(IterateSystem& system, const CollocationCurve& curve,
                             bool with_carried, std::vector<DependentPoint> dependent)
    : system_(system),
      curve_(curve),
      with_carried_(with_carried),
      dependent_(std::move(dependent)),
      slope_(system.nx()),
      sizes_(component_sizes(curve.values().x)),
      J_(system.nx(), system.nx()) {}

void CurveResidual::operator()(int interval, const Places& at, ResidualValues& found) {
  if (interval != interval_) {
    find_local_error(interval);
    find_noise(interval);
  }
  evaluate(
      interval, at.values, at.integrals,
      [&](Eigen::Index p) { return at.t[static_cast<std::size_t>(p)]; }, found);
  found.sizes.colwise() += noise_ / residual_rounding;
}

/// From the Jacobian in the middle of the interval.
void CurveResidual::find_local_error(int interval) {
  local_error_.none();
  const Mesh& mesh = curve_.mesh();
  const double h = mesh.step(interval), t = mesh.node(interval) + 0.5 * h;
  // P turns there, and its derivative tells nothing.
  for (const DependentPoint& point : dependent_) {
    if (point.t >= mesh.node(interval) && point.t <= mesh.node(interval + 1)) return;
  }
  const VecX x = curve_.x_in(interval, 0.5), before = curve_.carried_in(interval, 0.5);
  carried_ = before;
  if (system_.evaluate(x, t, before, slope_, carried_) &&
      system_.jacobian(x, t, before, slope_, carried_, sizes_, J_)) {
    local_error_.find(J_, h, sizes_);
  }
}

bool CurveResidual::has_equations(double t) const {
  constexpr double part = 0.2;
  return std::none_of(dependent_.begin(), dependent_.end(), [&](const DependentPoint& point) {
    return std::abs(t - point.t) < part * point.width;
  });
}

void CurveResidual::find_noise(int interval) {
  constexpr double more = 4;  // Than at as few points as the stages are.
  const Collocation& scheme = curve_.scheme();
  const int k = scheme.stages;
  MatX values(k, k), integrals(k, k);
  for (int j = 0; j < k; ++j) {
    values.col(j) = curve_.polynomials().values(scheme.c[j]);
    integrals.col(j) = curve_.polynomials().integrals(scheme.c[j]);
  }
  evaluate(
      interval, values, integrals,
      [&](Eigen::Index j) { return curve_.stage_time(interval, static_cast<int>(j)); }, at_stages_);
  noise_ = VecX::Zero(at_stages_.values.rows());
  for (Eigen::Index j = 0; j < k; ++j) {
    for (Eigen::Index row = 0; row < noise_.size(); ++row) {
      const double here = std::abs(at_stages_.values(row, j));
      if (std::isfinite(here)) noise_[row] = std::max(noise_[row], more * here);
    }
  }
  interval_ = interval;
}

void CurveResidual::evaluate(int interval, const MatX& values_at, const MatX& integrals_at,
                             const std::function<double(Eigen::Index)>& time,
                             ResidualValues& found) {
  const int n = system_.nx(), m = system_.carried(), k = curve_.scheme().stages;
  const int rows = with_carried_ ? n + m : n;
  const Eigen::Index points = values_at.cols();
  const CollocationValues& values = curve_.values();
  const auto slopes = values.slopes.middleCols(interval * k, k);
  const MatX slope = slopes * values_at;
  MatX x = curve_.mesh().step(interval) * (slopes * integrals_at);
  x.colwise() += values.x.col(interval);
  const MatX carried = values.carried.middleCols(interval * k, k) * values_at;
  found.values.resize(rows, points);
  found.sizes.resize(rows, points);
  for (Eigen::Index p = 0; p < points; ++p) {
    const VecX before = carried.col(p);
    carried_ = before;
    if (!has_equations(time(p)) || !system_.evaluate(x.col(p), time(p), before, slope_, carried_)) {
      // Where a method has no stage the problem need not exist.
      found.values.col(p).setConstant(std::numeric_limits<double>::quiet_NaN());
      found.sizes.col(p).setZero();
      continue;
    }
    found.values.col(p).head(n) = slope.col(p) - slope_;
    found.sizes.col(p).head(n) = slope.col(p).cwiseAbs() + slope_.cwiseAbs();
    if (!with_carried_) continue;
    found.values.col(p).tail(m) = carried_ - before;
    found.sizes.col(p).tail(m) = carried_.cwiseAbs() + before.cwiseAbs();
  }
  local_error_.take(found.values.topRows(n), found.sizes.topRows(n));
}

ResidualLimits CurveResidual::limits(double tolerance) const {
  const int n = system_.nx(), m = with_carried_ ? system_.carried() : 0;
  ResidualLimits limits;
  limits.smooth = n + m;
  limits.integral.setConstant(n + m, std::numeric_limits<double>::infinity());
  limits.value = limits.integral;
  limits.integral.head(n) = limit_of_integral * tolerance * component_sizes(curve_.values().x);
  limits.value.tail(m) =
      limit_of_value * tolerance * component_sizes(curve_.values().carried).head(m);
  return limits;
}

double constraint_excess(const DaeProblem& problem, const CollocationCurve& curve, double& at) {
  ConstraintValues constraints(problem);
  const int count = constraints.count();
  if (count == 0) return 0;
  const MatX& x = curve.values().x;
  VecX most = VecX::Zero(count);
  std::vector<int> where(static_cast<std::size_t>(count), 0);
  for (int i = 0; i < x.cols(); ++i) {
    const VecX residual = constraints.residual(x.col(i), curve.mesh().node(i)).cwiseAbs();
    for (int row = 0; row < count; ++row) {
      if (!(residual[row] > most[row])) continue;
      most[row] = residual[row];
      where[static_cast<std::size_t>(row)] = i;
    }
  }
  const VecX sizes = component_sizes(x);
  double excess = 0;
  for (int row = 0; row < count; ++row) {
    const int i = where[static_cast<std::size_t>(row)];
    const double t = curve.mesh().node(i);
    const double here = constraints.residual(x.col(i), t)[row];
    double unit = 0;
    for (int j = 0; j < x.rows(); ++j) {
      VecX moved = x.col(i);
      moved[j] += difference_step(moved[j], sizes[j]);
      unit +=
          std::abs((constraints.residual(moved, t)[row] - here) / (moved[j] - x(j, i))) * sizes[j];
    }
    if (!(most[row] > excess * unit)) continue;
    excess = unit > 0 ? most[row] / unit : std::numeric_limits<double>::infinity();
    at = t;
  }
  return excess;
}

}  // namespace daewave::bvp
