#include "ivp/equations/coordinate_projection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/problem/by_differences.hpp"

namespace daewave::ivp {
namespace {

constexpr int most_iterations = 12;
/// Of sum_j |H_ij z_j|: what an evaluation of h_i rounds by.
constexpr double part_of_rounding = 4 * std::numeric_limits<double>::epsilon();
/// h that no longer falls is rounding below so many times what an evaluation rounds by.
constexpr double times_rounding = 1e3;
/// And as a part of |H_i| |z| where G, and with it G v, is by differences: these are good to some
/// 1e-11 of the largest of their row (core/derivatives/differences.hpp), and several are summed up.
constexpr double part_of_differences = 1e-10;

bool has_differences(const DaeSystem& system) {
  const auto* const says = dynamic_cast<const KnowsDifferences*>(&system);
  return says != nullptr && says->is_by_differences(Ask::G);
}

/// A = L L^T in place, L below; false where A is not positive definite.
bool cholesky(MatX& A, int n) {
  for (int j = 0; j < n; ++j) {
    double d = A(j, j);
    for (int k = 0; k < j; ++k) d -= A(j, k) * A(j, k);
    if (!(d > 0 && d < INFINITY)) return false;
    d = std::sqrt(d);
    A(j, j) = d;
    for (int i = j + 1; i < n; ++i) {
      double sum = A(i, j);
      for (int k = 0; k < j; ++k) sum -= A(i, k) * A(j, k);
      A(i, j) = sum / d;
    }
  }
  return true;
}

void solve_lower(const MatX& L, int n, double* b) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) b[i] -= L(i, k) * b[k];
    b[i] /= L(i, i);
  }
}

void solve_upper(const MatX& L, int n, double* b) {
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k) b[i] -= L(k, i) * b[k];
    b[i] /= L(i, i);
  }
}

void multiply_upper(const MatX& L, int n, double* b) {
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int k = i; k < n; ++k) sum += L(k, i) * b[k];
    b[i] = sum;
  }
}

}  // namespace

CoordinateProjection::CoordinateProjection(DaeSystem& system, const Projection& how,
                                           double rank_tolerance)
    : system_(system), how_(how), rank_tolerance_(rank_tolerance) {
  const InvariantRows kept = invariant_rows(system, how.onto);
  row_ = kept.row;
  rows_ = kept.rows;
  column_ = kept.column;
  columns_ = kept.columns;
  const int nz = system.nz(), nh = system.nh();
  space_.resize(rows_, columns_);
  H_.setZero(nh, nz);
  h_.setZero(nh);
  c_.setZero(rows_);
  goal_.setZero(rows_);
  d_.setZero(columns_);
  from_.setZero(nz);
  z_.setZero(nz);
  if (how.metric == ProjectionMetric::mass) mass_.setZero(nz, nz);
}

bool CoordinateProjection::project(double t, VecX& z, const VecX& weight) {
  iterations_ = 0;
  residual_ = 0;
  failure_ = Failure::none;
  if (!projects()) return true;
  from_ = z_ = z;
  double size = INFINITY;
  bool fresh = false;
  for (;;) {
    if (!fresh) {
      if (!linearize(t, z_, weight)) return false;
      size = largest_residual();
      fresh = true;
      if (at_rounding(1, 0)) break;
    }
    ++iterations_;
    c_ = h_.segment(row_, rows_);
    for (int j = column_; j < column_ + columns_; ++j) {
      c_ -= (z_[j] - from_[j]) * H_.col(j).segment(row_, rows_);
    }
    move(weight);
    const double before = size;
    z_.segment(column_, columns_) = from_.segment(column_, columns_) - d_;
    ++evaluations_;
    if (!system_.invariants(t, z_, h_)) return fails(Failure::evaluation, t);
    size = largest_residual();
    if (!std::isfinite(size)) return fails(Failure::not_finite, t);
    if (at_rounding(1, 0)) break;
    const bool stays = size > 0.5 * before || iterations_ == most_iterations;
    if (stays && is_noise()) break;
    if (iterations_ == most_iterations) return fails(Failure::no_convergence, t);
    fresh = size < 0.1 * before;
  }
  residual_ = size;
  z = z_;
  return true;
}

bool CoordinateProjection::linearize(double t, const VecX& z, const VecX& weight) {
  ++evaluations_;
  if (!system_.invariants(t, z, h_, H_)) return fails(Failure::evaluation, t);
  const bool by_mass = how_.metric == ProjectionMetric::mass;
  if (by_mass && !metric(t, z)) return fails(Failure::no_mass, t);
  const bool weighted = how_.metric == ProjectionMetric::weighted;
  for (int i = 0; i < rows_; ++i) {
    double* const row = space_.row(i);
    double size = 0;
    for (int j = 0; j < columns_; ++j) {
      const double H = H_(row_ + i, column_ + j);
      size += std::abs(H * z[column_ + j]);
      row[j] = weighted ? H * weight[column_ + j] : H;
    }
    goal_[i] = part_of_rounding * size;
    if (by_mass) solve_lower(mass_, columns_, row);
  }
  return space_.orthonormalize(rows_, columns_, rank_tolerance_) || fails(Failure::not_finite, t);
}

/// The factor of the block of M of what is moved, in the first entries of mass_.
bool CoordinateProjection::metric(double t, const VecX& z) {
  if (!system_.mass(t, z, mass_)) return false;
  if (column_ > 0) {
    for (int j = 0; j < columns_; ++j) {
      for (int i = 0; i < columns_; ++i) mass_(i, j) = mass_(column_ + i, column_ + j);
    }
  }
  return cholesky(mass_, columns_);
}

void CoordinateProjection::move(const VecX& weight) {
  space_.smallest(c_.data(), d_.data());
  if (how_.metric == ProjectionMetric::weighted) {
    d_.array() *= weight.segment(column_, columns_).array();
  } else if (how_.metric == ProjectionMetric::mass) {
    solve_upper(mass_, columns_, d_.data());
  }
}

void CoordinateProjection::keep_tangential(VecX& e, const VecX& weight) {
  if (!projects()) return;
  d_ = e.segment(column_, columns_);
  const bool weighted = how_.metric == ProjectionMetric::weighted;
  const bool by_mass = how_.metric == ProjectionMetric::mass;
  if (weighted) d_.array() /= weight.segment(column_, columns_).array();
  if (by_mass) multiply_upper(mass_, columns_, d_.data());
  space_.remove(d_.data());
  if (weighted) d_.array() *= weight.segment(column_, columns_).array();
  if (by_mass) solve_upper(mass_, columns_, d_.data());
  e.segment(column_, columns_) = d_;
}

/// Of the rows that take part.
double CoordinateProjection::largest_residual() const {
  double most = 0;
  for (int k = 0; k < space_.rank(); ++k) {
    const double size = std::abs(h_[row_ + space_.row_in_order(k)]);
    if (!(size <= most)) most = size;
    if (std::isnan(most)) break;
  }
  return most;
}

bool CoordinateProjection::at_rounding(double factor, double floor) const {
  for (int k = 0; k < space_.rank(); ++k) {
    const int i = space_.row_in_order(k);
    if (!(std::abs(h_[row_ + i]) <= std::max(floor, factor * goal_[i]))) return false;
  }
  return true;
}

/// Of h that no longer falls.
bool CoordinateProjection::is_noise() const {
  if (at_rounding(times_rounding, 1e-12)) return true;
  if (!has_differences(system_)) return false;
  // Not sum_j |H_ij z_j|: where bodies move along axes each of these terms may vanish.
  const auto largest = [&](int row, int begin, int end) {
    double H = 0, z = 0;
    for (int j = std::max(begin, column_); j < std::min(end, column_ + columns_); ++j) {
      H = std::max(H, std::abs(H_(row, j)));
      z = std::max(z, std::abs(z_[j]));
    }
    return H * z;
  };
  const int positions = system_.positions();
  for (int k = 0; k < space_.rank(); ++k) {
    const int row = row_ + space_.row_in_order(k);
    const double size = largest(row, 0, positions) + largest(row, positions, system_.nz());
    if (!(std::abs(h_[row]) <= part_of_differences * size)) return false;
  }
  return true;
}

bool CoordinateProjection::fails(Failure failure, double t) {
  failure_ = failure;
  failed_at_ = t;
  residual_ = largest_residual();
  return false;
}

std::string CoordinateProjection::failure() const {
  switch (failure_) {
    case Failure::none:
      return "";
    case Failure::evaluation:
      return system_.failure();
    case Failure::not_finite:
      return fmt::format("the invariants are not finite at t = {:.9g}", failed_at_);
    case Failure::no_mass:
      return fmt::format(
          "metric = mass: M is not positive definite at t = {:.9g}; leave metric open", failed_at_);
    case Failure::no_convergence:
      return fmt::format(
          "no projection onto the invariants at t = {:.9g}: |h| = {:.3g} after {} iterations, rank "
          "{} of {}{}",
          failed_at_, residual_, iterations_, rank(), rows_,
          has_differences(system_) ? "; G is by differences: give it, or use with_autodiff(problem)"
                                   : "");
  }
  return "";
}

}  // namespace daewave::ivp
