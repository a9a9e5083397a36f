#include "bvp/linear/linear_residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bvp/curve/point_kernel.hpp"
#include "bvp/residual/influences.hpp"
#include "core/error.hpp"

namespace daewave::bvp {
LinearResidual::LinearResidual(const LinearData& of, bool regular, PivotDips* dips)
    : of_(of),
      regular_(regular),
      dips_(dips),
      CB_lu_(of.problem->ny()),
      CB_(of.problem->ny(), of.problem->ny()),
      multiplier_(of.problem->ny()),
      x_sizes_(of.sizes.x.finite(of.extent_x)),
      balances_(of.sizes.are_given() || has_small_components(of.extent_x)),
      batch_(of.problem->nx(), of.problem->ny(), false) {}

bool LinearResidual::evaluate(int interval, const Places& at, Part part) {
  const CollocationCurve& curve = of_.curve;
  const int k = curve.scheme().stages;
  const bool fresh = interval != interval_;
  if (fresh && curve.has_slopes()) {
    slopes_ = curve.slopes_of(interval);
    interval_ = interval;
  }
  t_.clear();
  first_ = interval != interval_ ? k : 0;
  for (int j = 0; j < first_; ++j) t_.push_back(curve.stage_time(interval, j));
  const auto first = at.t.begin() + part.first;
  t_.insert(t_.end(), first, first + part.count);
  try {
    of_.problem->evaluate(t_.data(), static_cast<int>(t_.size()), batch_);
  } catch (const InvalidProblem& error) {
    if (failure_.empty()) failure_ = error.what();
    return false;
  }
  if (interval != interval_) {
    const VecX F = stage_slopes(of_, interval, batch_);
    slopes_ = Eigen::Map<const MatX>(F.data(), of_.problem->nx(), k);
    interval_ = interval;
  }
  return true;
}

/// The solution there.
void LinearResidual::place(int interval, const Places& at, Part part) {
  const CollocationCurve& curve = of_.curve;
  const int n = of_.problem->nx(), k = static_cast<int>(slopes_.cols());
  slope_.resize(part.count, n);
  x_.resize(part.count, n);
  By_.resize(part.count, n);
  const auto carried = curve.carried_of(interval);
  const double h = curve.mesh().step(interval);
  of_polynomials_.resize(k);
  const auto add_up = [&](const MatX& of, double first, double* row) {
    weigh_at_points(of.data() + part.first, of.rows(), part.count, k, of_polynomials_.data(), first,
                    row);
  };
  for (int c = 0; c < n; ++c) {
    for (int j = 0; j < k; ++j) of_polynomials_[j] = slopes_(c, j);
    add_up(at.values(), 0, &slope_(0, c));
    of_polynomials_ *= h;
    add_up(at.integrals(), curve.values().x(c, interval), &x_(0, c));
    for (int j = 0; j < k; ++j) of_polynomials_[j] = carried(c, j);
    add_up(at.values(), 0, &By_(0, c));
  }
}

void LinearResidual::operator()(int interval, const Places& at, ResidualValues& found) {
  // What is in the caches at once; beyond, memory would go back to the system after each solve.
  constexpr int most = 64;
  const int n = of_.problem->nx(), m = of_.problem->ny();
  const int points = static_cast<int>(at.t.size());
  const int above = regular_ ? 2 * n : n;  // Rows above those of the constraint.
  found.values.resize(above + m, points);
  found.sizes.resize(above + m, points);
  const bool fresh = interval != interval_;
  if (points == 0) return;
  const int parts = (points + most - 1) / most;
  for (int i = 0; i < parts; ++i) {
    const int first = points * i / parts;
    const Part part{first, points * (i + 1) / parts - first};
    if (!evaluate(interval, at, part)) {
      found.values.setConstant(std::numeric_limits<double>::quiet_NaN());
      found.sizes.setZero();
      return;
    }
    place(interval, at, part);
    for (int p = 0; p < part.count && dips_ != nullptr; ++p) {
      dips_->add(at.t[static_cast<std::size_t>(first + p)], batch_, first_ + p);
    }
    fill_any(part, found);
    for (int p = 0; p < part.count && regular_ && m > 1; ++p) add_error_of_By(n, part, p, found);
    const int middle = points / 2 - first;
    if (regular_ && fresh && middle >= 0 && middle < part.count) find_local_error(first_ + middle);
  }
  if (regular_) local_error_.take(found.values, found.sizes);
}

void LinearResidual::fill_any(Part part, ResidualValues& found) const {
  const int n = of_.problem->nx();
  switch (of_.problem->ny() == 1 && n <= 4 ? n : 0) {
    case 1:
      return fill<1>(part, found);
    case 2:
      return fill<2>(part, found);
    case 3:
      return fill<3>(part, found);
    case 4:
      return fill<4>(part, found);
    default:
      return fill<0>(part, found);
  }
}

/// All rows, but for those of errors of B y where there are several multipliers.
template <int fixed>
void LinearResidual::fill(Part part, ResidualValues& found) const {
  const int n = fixed > 0 ? fixed : of_.problem->nx(), m = fixed > 0 ? 1 : of_.problem->ny();
  const Eigen::Index points = found.values.cols(), count = part.count;
  const double *const slope = slope_.data(), *const x = x_.data(), *const By = By_.data();
  const double* const x_sizes = x_sizes_.data();
  const int above = regular_ ? 2 * n : n;
  for (Eigen::Index p = 0; p < count; ++p) {
    const int point = first_ + static_cast<int>(p);
    const double *const A = batch_.A(point).data(), *const q = batch_.q(point).data();
    const double *const C = batch_.C(point).data(), *const r = batch_.r(point).data();
    double* const value = found.values.data() + part.first + p;
    double* const of_terms = found.sizes.data() + part.first + p;
    for (int row = 0; row < n; ++row) {
      const double of_slope = slope[row * count + p], of_By = By[row * count + p];
      double sum = of_slope - q[row] + of_By;
      double size = std::abs(of_slope) + std::abs(q[row]) + std::abs(of_By);
      for (int c = 0; c < n; ++c) {
        const double term = A[c * n + row] * x[c * count + p];
        sum -= term;
        size += std::abs(term);
      }
      value[row * points] = sum;
      of_terms[row * points] = size;
    }
    for (int row = 0; row < m; ++row) {
      double sum = r[row], size = std::abs(r[row]), unit = 0;
      for (int c = 0; c < n; ++c) {
        const double entry = C[c * m + row], term = entry * x[c * count + p];
        sum += term;
        size += std::abs(term);
        unit += std::abs(entry) * x_sizes[c];
      }
      value[(above + row) * points] = unit > 0 ? sum / unit : 0;
      of_terms[(above + row) * points] = unit > 0 ? size / unit : 0;
    }
    if (!regular_ || m != 1) continue;
    const double* const B = batch_.B(point).data();
    double CB = 0, of_value = 0, of_size = 0;
    for (int c = 0; c < n; ++c) {
      CB += C[c] * B[c];
      of_value += C[c] * value[c * points];
      of_size += std::abs(C[c]) * of_terms[c * points];
    }
    const double inverse = CB != 0 ? 1 / CB : 0;
    of_value *= inverse;
    of_size *= std::abs(inverse);
    for (int row = 0; row < n; ++row) {
      value[(n + row) * points] = B[row] * of_value;
      of_terms[(n + row) * points] = std::abs(B[row]) * of_size;
    }
  }
}

/// From (I - P) A at the point in the middle.
void LinearResidual::find_local_error(int point) {
  const int n = of_.problem->nx();
  const double h = of_.curve.mesh().step(interval_);
  const auto A = batch_.A(point), B = batch_.B(point), C = batch_.C(point);
  local_error_.none();
  constexpr double much_longer = 4;
  const bool turns = modes_ != nullptr && modes_->wants(interval_) &&
                     LocalError::matters(A, much_longer * h, x_sizes_);
  if (!turns && !balances_ && !LocalError::matters(A, h, x_sizes_)) return;
  CB_.noalias() = C.lazyProduct(B);
  if (!CB_lu_.factorize(CB_)) return;
  J_ = A;
  for (int c = 0; c < n; ++c) {
    multiplier_.noalias() = C.lazyProduct(A.col(c));
    CB_lu_.solve(multiplier_);
    J_.col(c).noalias() -= B.lazyProduct(multiplier_);
  }
  if (balances_) balanced_ = LocalError::balancing(J_);
  local_error_.find(J_, h, balances_ ? balanced_ : x_sizes_);
  if (turns) modes_->see(interval_, J_, x_sizes_);
}

/// P times the residual of a point and the sizes of its terms, into the rows from `row` on, where
/// there are several multipliers.
void LinearResidual::add_error_of_By(int row, Part part, Eigen::Index point,
                                     ResidualValues& found) {
  const int n = of_.problem->nx(), at = first_ + static_cast<int>(point);
  const auto B = batch_.B(at), C = batch_.C(at);
  auto value = found.values.col(part.first + point), size = found.sizes.col(part.first + point);
  CB_.noalias() = C.lazyProduct(B);
  if (!CB_lu_.factorize(CB_)) {
    value.segment(row, n).setZero();
    size.segment(row, n).setZero();
    return;
  }
  multiplier_.noalias() = C.lazyProduct(value.head(n));
  CB_lu_.solve(multiplier_);
  value.segment(row, n).noalias() = B.lazyProduct(multiplier_);
  multiplier_.noalias() = C.cwiseAbs().lazyProduct(size.head(n));
  CB_lu_.solve(multiplier_);
  size.segment(row, n).noalias() = B.cwiseAbs().lazyProduct(multiplier_.cwiseAbs());
}

ResidualLimits LinearResidual::limits(double tolerance) const {
  const int n = of_.problem->nx(), m = of_.problem->ny(), above = regular_ ? 2 * n : n;
  ResidualLimits limits;
  limits.smooth = above;
  limits.integral.setConstant(above + m, std::numeric_limits<double>::infinity());
  limits.value = limits.integral;
  limits.integral.head(n) =
      limit_of_integral * tolerance * residual_sizes(of_.sizes.x.of(of_.extent_x), of_.influences);
  const VecX By_sizes = of_.sizes.carried.of(of_.extent_carried);
  for (int row = 0; row < n; ++row) {
    const double most = of_.extent_carried(row, 0);
    const double limit = limit_of_value * tolerance * By_sizes[row];
    if (regular_) {
      limits.value[n + row] = limit;
    } else if (most > 0) {
      limits.value[row] = limit;
    }
  }
  limits.value.tail(m).setConstant(2 * tolerance);
  return limits;
}

double constraint_excess(const LinearData& of, double& at) {
  const int n = of.problem->nx(), m = of.problem->ny();
  const Mesh& mesh = of.curve.mesh();
  const MatX& x = of.curve.values().x;
  const VecX sizes = of.sizes.x.finite(of.extent_x);
  MatX C(m, n);
  VecX r(m);
  double most = 0;
  for (int i = of.share.has_begin() ? 0 : 1; i <= mesh.intervals(); ++i) {
    of.problem->evaluate_constraint(mesh.node(i), C, r);
    const VecX residual = (C * x.col(i) + r).cwiseAbs(), unit = C.cwiseAbs() * sizes;
    for (int row = 0; row < m; ++row) {
      if (!(residual[row] > most * unit[row]) || unit[row] == 0) continue;
      most = residual[row] / unit[row];
      at = mesh.node(i);
    }
  }
  const std::vector<double> worst = of.share.worst({most, at});
  at = worst[1];
  return worst[0];
}

}  // namespace daewave::bvp
