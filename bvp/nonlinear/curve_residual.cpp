#include "bvp/nonlinear/curve_residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "bvp/nonlinear/constraint_values.hpp"
#include "bvp/nonlinear/forward_differences.hpp"
#include "bvp/residual/influences.hpp"
#include "core/machine/aligned.hpp"

namespace daewave::bvp {
CurveResidual::CurveResidual(IterateSystem& system, const CollocationCurve& curve,
                             bool with_carried, std::vector<DependentPoint> dependent,
                             SolutionSizes sizes, VecX influences)
    : system_(system),
      curve_(curve),
      with_carried_(with_carried),
      dependent_(std::move(dependent)),
      slope_(system.nx()),
      sizes_(std::move(sizes)),
      influences_(std::move(influences)),
      moved_(sizes_.x.moved(curve.values().x)),
      balances_(sizes_.are_given() || has_small_components(curve.values().x)),
      J_(system.nx(), system.nx()) {
  curve.polynomials().values(curve.scheme().c, stage_values_);
  curve.polynomials().integrals(curve.scheme().c, stage_integrals_);
}

void CurveResidual::operator()(int interval, const Places& at, ResidualValues& found) {
  if (interval != interval_) {
    find_local_error(interval);
    find_noise(interval);
  }
  evaluate(interval, at.values, at.integrals, at.t, found);
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
      system_.jacobian(x, t, before, slope_, carried_, moved_, J_)) {
    local_error_.find(J_, h, balances_ ? LocalError::balancing(J_) : moved_);
    is_stiff_ = is_stiff_ || local_error_.is_stiff();
    if (modes_ != nullptr && modes_->wants(interval)) modes_->see(interval, J_, moved_);
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
  stage_times_.clear();
  for (int j = 0; j < k; ++j) stage_times_.push_back(curve_.stage_time(interval, j));
  evaluate(interval, stage_values_, stage_integrals_, stage_times_, at_stages_);
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
                             const std::vector<double>& t, ResidualValues& found) {
  const int n = system_.nx(), m = system_.carried(), k = curve_.scheme().stages;
  const int rows = with_carried_ ? n + m : n;
  const Eigen::Index points = values_at.rows(), stride = padded(static_cast<int>(points));
  const CollocationValues& values = curve_.values();
  const auto slopes = values.slopes.middleCols(interval * k, k);
  const auto carried = values.carried.middleCols(interval * k, k);
  const double h = curve_.mesh().step(interval);
  x_.resize(stride, n + 1);  // Whole registers are read.
  before_.resize(stride, m + 1);
  slopes_at_.resize(stride, n + 1);
  carried_at_.resize(stride, m + 1);
  slope_of_curve_.resize(points, n);
  for (int i = 0; i < n; ++i) {
    slope_of_curve_.col(i).noalias() = values_at * slopes.row(i).transpose();
    auto x = x_.col(i).head(points);
    x.setConstant(values.x(i, interval));
    x.noalias() += integrals_at * (h * slopes.row(i).transpose());
  }
  for (int i = 0; i < m; ++i) {
    before_.col(i).head(points).noalias() = values_at * carried.row(i).transpose();
  }
  const bool everywhere = evaluate_together(t);
  if (!everywhere) evaluate_one_by_one(t);
  found.values.resize(rows, points);
  found.sizes.resize(rows, points);
  const auto less = [&](int row, const auto& all, const auto& part) {
    found.values.row(row) = (all - part).transpose();
    found.sizes.row(row) = (all.cwiseAbs() + part.cwiseAbs()).transpose();
  };
  for (int i = 0; i < n; ++i) less(i, slope_of_curve_.col(i), slopes_at_.col(i).head(points));
  for (int i = 0; i < rows - n; ++i) {
    less(n + i, carried_at_.col(i).head(points), before_.col(i).head(points));
  }
  for (Eigen::Index p = 0; p < points && !everywhere; ++p) {
    if (!std::isnan(slopes_at_(p, 0))) continue;
    // Where a method has no stage the problem need not exist.
    found.values.col(p).setConstant(std::numeric_limits<double>::quiet_NaN());
    found.sizes.col(p).setZero();
  }
  local_error_.take(found.values.topRows(n), found.sizes.topRows(n));
}

/// False where some point has no equations.
bool CurveResidual::evaluate_together(const std::vector<double>& t) {
  if (!std::all_of(t.begin(), t.end(), [&](double time) { return has_equations(time); })) {
    return false;
  }
  carried_at_ = before_;
  std::string failure;
  return system_.evaluate_batch({static_cast<int>(t.size()), static_cast<int>(x_.rows()), t.data(),
                                 x_.data(), before_.data()},
                                slopes_at_.data(), carried_at_.data(), nullptr, failure);
}

void CurveResidual::evaluate_one_by_one(const std::vector<double>& t) {
  const int n = system_.nx(), m = system_.carried();
  for (std::size_t p = 0; p < t.size(); ++p) {
    const auto row = static_cast<Eigen::Index>(p);
    point_ = x_.row(row).head(n);
    before_point_ = before_.row(row).head(m);
    carried_ = before_point_;
    if (has_equations(t[p]) && system_.evaluate(point_, t[p], before_point_, slope_, carried_)) {
      slopes_at_.row(row).head(n) = slope_;
      carried_at_.row(row).head(m) = carried_;
    } else {
      slopes_at_.row(row).setConstant(std::numeric_limits<double>::quiet_NaN());
    }
  }
}

ResidualLimits CurveResidual::limits(double tolerance) const {
  const int n = system_.nx(), m = with_carried_ ? system_.carried() : 0;
  ResidualLimits limits;
  limits.smooth = n + m;
  limits.integral.setConstant(n + m, std::numeric_limits<double>::infinity());
  limits.value = limits.integral;
  limits.integral.head(n) =
      limit_of_integral * tolerance * residual_sizes(sizes_.x.of(curve_.values().x), influences_);
  limits.value.tail(m) =
      limit_of_value * tolerance * sizes_.carried.of(curve_.values().carried).head(m);
  return limits;
}

double constraint_excess(const DaeProblem& problem, const CollocationCurve& curve,
                         const ComponentSizes& of_errors, double& at) {
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
  const VecX sizes = of_errors.finite(x), move = of_errors.moved(x);
  double excess = 0;
  for (int row = 0; row < count; ++row) {
    const int i = where[static_cast<std::size_t>(row)];
    const double t = curve.mesh().node(i);
    const double here = constraints.residual(x.col(i), t)[row];
    double unit = 0;
    for (int j = 0; j < x.rows(); ++j) {
      VecX moved = x.col(i);
      moved[j] += difference_step(moved[j], move[j]);
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
