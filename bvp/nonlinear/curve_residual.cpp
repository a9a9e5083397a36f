#include "bvp/nonlinear/curve_residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "bvp/curve/point_kernel.hpp"
#include "bvp/residual/influences.hpp"
#include "bvp/statement/constraint_values.hpp"
#include "bvp/statement/forward_differences.hpp"

namespace daewave::bvp {
CurveResidual::CurveResidual(IterateSystem& system, const CollocationCurve& curve,
                             CarriedRows carried_rows, std::vector<DependentPoint> dependent,
                             SolutionSizes sizes, VecX influences)
    : CurveResidual(system, curve, carried_rows, std::move(dependent), std::move(sizes),
                    std::move(influences),
                    MeshShare().extents(curve.values().x, curve.values().carried),
                    curve.mesh().intervals()) {}

CurveResidual::CurveResidual(IterateSystem& system, const CollocationCurve& curve,
                             CarriedRows carried_rows, std::vector<DependentPoint> dependent,
                             SolutionSizes sizes, VecX influences, std::pair<MatX, MatX> extents,
                             int end)
    : system_(system), slope_(system.nx()), sizes_(std::move(sizes)), J_(system.nx(), system.nx()) {
  turn_to(curve, carried_rows, std::move(dependent), std::move(influences), std::move(extents),
          end);
}

void CurveResidual::turn_to(const CollocationCurve& curve, CarriedRows carried_rows,
                            std::vector<DependentPoint> dependent, VecX influences,
                            std::pair<MatX, MatX> extents, int end) {
  curve_ = &curve;
  carried_rows_ = carried_rows;
  end_ = end;
  std::tie(extent_x_, extent_carried_) = std::move(extents);
  modes_ = nullptr;
  dependent_ = std::move(dependent);
  influences_ = std::move(influences);
  at_stage_times_.set(curve.polynomials(), curve.scheme().c);
  moved_ = sizes_.x.moved(extent_x_);
  balances_ = sizes_.are_given() || has_small_components(extent_x_);
  middles_.count = 0;
  looks_ahead_ = system_.calls_are_dear();
  ahead_.intervals.clear();
  expected_.clear();
  is_stiff_ = false;
  interval_ = -1;
}

void CurveResidual::operator()(int interval, const Places& at, ResidualValues& found) {
  const int stages = curve_->scheme().stages;
  const bool fresh = interval != interval_;
  if (fresh) {
    if (looks_ahead_) look_ahead(interval, at);
    find_local_error(interval);
    sees_missing_ = carried_rows_ == CarriedRows::missing && local_error_.is_stiff() &&
                    find_slopes_of_carried(interval);
  }
  t_.clear();
  if (fresh) {
    for (int j = 0; j < stages; ++j) t_.push_back(curve_->stage_time(interval, j));
  }
  t_.insert(t_.end(), at.t.begin(), at.t.end());
  evaluate(interval, fresh ? stages : 0, at);
  if (fresh) {
    take(0, stages, at_stages_);
    find_noise();
    interval_ = interval;
  }
  take(fresh ? stages : 0, static_cast<Eigen::Index>(at.t.size()), found);
  if (sees_missing_) take_missing(interval, fresh ? stages : 0, found);
  for (Eigen::Index row = 0; row < noise_.size(); ++row) {
    const double noise = noise_[row] / residual_rounding;
    double* const size = found.sizes.data() + row * found.sizes.cols();
    for (Eigen::Index p = 0; p < found.sizes.cols(); ++p) size[p] += noise;
  }
}

/// From the Jacobian in the middle of the interval.
void CurveResidual::find_local_error(int interval) {
  local_error_.none();
  const Mesh& mesh = curve_->mesh();
  // P turns there, and its derivative tells nothing.
  for (const DependentPoint& point : dependent_) {
    if (point.t >= mesh.node(interval) && point.t <= mesh.node(interval + 1)) return;
  }
  if (!middles_.has(interval)) find_middles(interval);
  if (!middles_.known && !find_jacobian(interval)) return;
  if (middles_.known) {
    const int p = interval - middles_.first;
    for (Eigen::Index e = 0; e < J_.size(); ++e) {
      J_.data()[e] = middles_.J[static_cast<std::size_t>(e * middles_.stride + p)];
    }
  }
  if (balances_) balanced_ = LocalError::balancing(J_);
  local_error_.find(J_, mesh.step(interval), balances_ ? balanced_ : moved_);
  is_stiff_ = is_stiff_ || local_error_.is_stiff();
  if (modes_ != nullptr && modes_->wants(interval)) modes_->see(interval, J_, moved_);
}

/// At one point; false where there is none.
bool CurveResidual::find_jacobian(int interval) {
  const double t = curve_->mesh().node(interval) + 0.5 * curve_->mesh().step(interval);
  curve_->x_in(interval, 0.5, point_);
  curve_->carried_in(interval, 0.5, before_point_);
  carried_ = before_point_;
  return system_.evaluate(point_, t, before_point_, slope_, carried_) &&
         system_.jacobian(point_, t, before_point_, slope_, carried_, moved_, J_);
}

bool CurveResidual::has_equations(double t) const {
  constexpr double part = 0.2;
  return std::none_of(dependent_.begin(), dependent_.end(), [&](const DependentPoint& point) {
    return std::abs(t - point.t) < part * point.width;
  });
}

/// From what is left at the stages.
void CurveResidual::find_noise() {
  constexpr double more = 4;  // Than at as few points as the stages are.
  noise_.setZero(at_stages_.values.rows());
  for (Eigen::Index row = 0; row < noise_.size(); ++row) {
    for (Eigen::Index j = 0; j < at_stages_.values.cols(); ++j) {
      const double here = std::abs(at_stages_.values(row, j));
      if (std::isfinite(here)) noise_[row] = std::max(noise_[row], more * here);
    }
  }
}

/// The curve and its equation at stages of an interval, as many as asked for, and at places.
void CurveResidual::evaluate(int interval, int stages, const Places& at) {
  // Of an interval that is looked at for the first time.
  everywhere_ = looks_ahead_ && stages > 0 && take_from_ahead(interval);
  place(interval, stages, at);
  if (!everywhere_) everywhere_ = evaluate_together();
  if (!everywhere_) evaluate_one_by_one();
}

/// The curve at those points.
void CurveResidual::place(int interval, int stages, const Places& places) {
  const int n = system_.nx(), m = system_.carried(), k = curve_->scheme().stages;
  const PolynomialsAt& at = *places.polynomials;
  const Eigen::Index points = stages + at.values.rows();
  const CollocationValues& values = curve_->values();
  const auto slopes = values.slopes.middleCols(interval * k, k);
  const auto carried = values.carried.middleCols(interval * k, k);
  const double h = curve_->mesh().step(interval);
  stride_ = padded(static_cast<int>(points));
  const auto memory = [&](UnsetVector& of, int rows) {
    constexpr int usual = 128;  // Points.
    const auto size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(stride_);
    if (of.size() < size) {
      const auto at_first = static_cast<std::size_t>(rows) * usual;
      of.resize(std::max({size, 2 * of.size(), at_first}));
    }
    return of.data();
  };
  // Whole registers are read.
  double *const x = memory(x_, n + 1), *const before = memory(before_, m + 1);
  double* const slope_of_curve = memory(slope_of_curve_, n);
  memory(slopes_at_, n + 1);
  memory(carried_at_, m + 1);
  of_polynomials_.resize(k);
  const bool together = stages > 0 && places.with_stages != nullptr;
  const PolynomialsAt& all = together ? *places.with_stages : at;
  const auto add_up = [&](MatX PolynomialsAt::*what, double first, double* row) {
    const auto sums = [&](const MatX& of, double* to) {
      if (of.rows() == 0) return;
      weigh_at_points(of.data(), of.rows(), static_cast<int>(of.rows()), k, of_polynomials_.data(),
                      first, to);
    };
    const bool apart = stages > 0 && !together;
    if (apart) sums(at_stage_times_.*what, row);
    sums(all.*what, apart ? row + stages : row);
  };
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < k; ++j) of_polynomials_[j] = slopes(i, j);
    add_up(&PolynomialsAt::values, 0, slope_of_curve + i * stride_);
    of_polynomials_ *= h;
    add_up(&PolynomialsAt::integrals, values.x(i, interval), x + i * stride_);
  }
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < k; ++j) of_polynomials_[j] = carried(i, j);
    add_up(&PolynomialsAt::values, 0, before + i * stride_);
  }
}

/// The residual at some of the points evaluated last.
void CurveResidual::take(Eigen::Index from, Eigen::Index points, ResidualValues& found) {
  const int n = system_.nx(), rows = n + rows_of_carried();
  found.values.resize(rows, points);
  found.sizes.resize(rows, points);
  const auto less = [&](int row, const UnsetVector& all, const UnsetVector& part, int column) {
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(column) * stride_ + from;
    subtract_at_points(all.data() + at, part.data() + at, static_cast<int>(points),
                       found.values.data() + row * points, found.sizes.data() + row * points);
  };
  for (int i = 0; i < n; ++i) less(i, slope_of_curve_, slopes_at_, i);
  for (int i = 0; i < rows - n; ++i) less(n + i, carried_at_, before_, i);
  if (carried_rows_ == CarriedRows::missing) found.values.bottomRows(rows - n).setZero();
  for (Eigen::Index p = 0; p < points && !everywhere_; ++p) {
    if (!std::isnan(slopes_at_[static_cast<std::size_t>(from + p)])) continue;
    // Where a method has no stage the problem need not exist.
    found.values.col(p).setConstant(std::numeric_limits<double>::quiet_NaN());
    found.sizes.col(p).setZero();
  }
  local_error_.take(found.values, found.sizes);
}

int CurveResidual::rows_of_carried() const {
  return carried_rows_ == CarriedRows::none ? 0 : system_.carried();
}

/// False where some point has no equations.
bool CurveResidual::evaluate_together() {
  if (!dependent_.empty() &&
      !std::all_of(t_.begin(), t_.end(), [&](double time) { return has_equations(time); })) {
    return false;
  }
  if (system_.carried() > 0) std::copy(before_.begin(), before_.end(), carried_at_.begin());
  std::string failure;
  return system_.evaluate_batch(
      {static_cast<int>(t_.size()), stride_, t_.data(), x_.data(), before_.data()},
      slopes_at_.data(), carried_at_.data(), nullptr, failure);
}

void CurveResidual::evaluate_one_by_one() {
  using Row = Eigen::Map<VecX, 0, Eigen::InnerStride<>>;
  const int n = system_.nx(), m = system_.carried();
  const auto row = [&](UnsetVector& of, std::size_t point, int size) {
    return Row(of.data() + point, size, Eigen::InnerStride<>(stride_));
  };
  for (std::size_t p = 0; p < t_.size(); ++p) {
    point_ = row(x_, p, n);
    before_point_ = row(before_, p, m);
    carried_ = before_point_;
    if (has_equations(t_[p]) && system_.evaluate(point_, t_[p], before_point_, slope_, carried_)) {
      row(slopes_at_, p, n) = slope_;
      row(carried_at_, p, m) = carried_;
    } else {
      row(slopes_at_, p, n).setConstant(std::numeric_limits<double>::quiet_NaN());
    }
  }
}

ResidualLimits CurveResidual::limits(double tolerance) const {
  const int n = system_.nx(), m = rows_of_carried();
  ResidualLimits limits;
  limits.smooth = n + m;
  limits.integral.setConstant(n + m, std::numeric_limits<double>::infinity());
  limits.value = limits.integral;
  limits.integral.head(n) =
      limit_of_integral * tolerance * residual_sizes(sizes_.x.of(extent_x_), influences_);
  limits.value.tail(m) = limit_of_value * tolerance * sizes_.carried.of(extent_carried_).head(m);
  return limits;
}

namespace {

struct WorstNode {
  double residual, t;
  VecX x;
};

/// That of all ranks.
WorstNode of_all(const MeshShare& share, const WorstNode& mine) {
  std::vector<double> told{mine.residual, mine.t};
  told.insert(told.end(), mine.x.begin(), mine.x.end());
  const std::vector<double> worst = share.worst(std::move(told));
  return {worst[0], worst[1], Eigen::Map<const VecX>(worst.data() + 2, mine.x.size())};
}

}  // namespace

double constraint_excess(const DaeProblem& problem, const CollocationCurve& curve,
                         const ComponentSizes& of_errors, double& at, const MeshShare& share) {
  ConstraintValues constraints(problem);
  const int count = constraints.count();
  if (count == 0) return 0;
  const MatX& x = curve.values().x;
  VecX most = VecX::Zero(count);
  std::vector<int> where(static_cast<std::size_t>(count), 0);
  share.together([&] {
    for (int i = 0; i < x.cols(); ++i) {
      const VecX residual = constraints.residual(x.col(i), curve.mesh().node(i)).cwiseAbs();
      for (int row = 0; row < count; ++row) {
        if (!(residual[row] > most[row])) continue;
        most[row] = residual[row];
        where[static_cast<std::size_t>(row)] = i;
      }
    }
  });
  const MatX extent = share.extents(x, MatX()).first;
  const VecX sizes = of_errors.finite(extent), move = of_errors.moved(extent);
  double excess = 0;
  for (int row = 0; row < count; ++row) {
    const int here = where[static_cast<std::size_t>(row)];
    const WorstNode worst = of_all(share, {most[row], curve.mesh().node(here), VecX(x.col(here))});
    const double off = constraints.residual(worst.x, worst.t)[row];
    double unit = 0;
    for (int j = 0; j < x.rows(); ++j) {
      VecX moved = worst.x;
      moved[j] += difference_step(moved[j], move[j]);
      unit +=
          std::abs((constraints.residual(moved, worst.t)[row] - off) / (moved[j] - worst.x[j])) *
          sizes[j];
    }
    if (!(worst.residual > excess * unit)) continue;
    excess = unit > 0 ? worst.residual / unit : std::numeric_limits<double>::infinity();
    at = worst.t;
  }
  return excess;
}

}  // namespace daewave::bvp
