#include "bvp/linear/linear_residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"

namespace daewave::bvp {
namespace {

VecX sizes_of(const MatX& x) { return (x.cwiseAbs().rowwise().maxCoeff().array() + 1).matrix(); }

}  // namespace

LinearResidual::LinearResidual(const LinearData& of)
    : of_(of),
      x_sizes_(sizes_of(of.x)),
      batch_(static_cast<int>(of.x.rows()), of.problem->ny(), false) {}

bool LinearResidual::evaluate(int interval, const Places& at) {
  const int k = of_.scheme.stages;
  const bool fresh = interval != interval_;
  t_.clear();
  for (int j = 0; fresh && j < k; ++j) {
    const double c = of_.scheme.c[j];
    t_.push_back(c == 1 ? of_.mesh.node(interval + 1)
                        : of_.mesh.node(interval) + c * of_.mesh.step(interval));
  }
  t_.insert(t_.end(), at.t.begin(), at.t.end());
  try {
    of_.problem->evaluate(t_.data(), static_cast<int>(t_.size()), batch_);
  } catch (const InvalidProblem& error) {
    if (failure_.empty()) failure_ = error.what();
    return false;
  }
  if (fresh) {
    const VecX F = stage_slopes(of_, interval, batch_);
    slopes_ = Eigen::Map<const MatX>(F.data(), of_.x.rows(), k);
    interval_ = interval;
  }
  return true;
}

void LinearResidual::operator()(int interval, const Places& at, ResidualValues& found) {
  const int n = static_cast<int>(of_.x.rows()), m = of_.problem->ny(), k = of_.scheme.stages;
  const auto points = static_cast<Eigen::Index>(at.t.size());
  const int first = interval != interval_ ? k : 0;  // Of the points asked for.
  found.values.resize(n + m, points);
  found.sizes.resize(n + m, points);
  if (!evaluate(interval, at)) {
    found.values.setConstant(std::numeric_limits<double>::quiet_NaN());
    found.sizes.setZero();
    return;
  }
  slope_.noalias() = slopes_ * at.values;
  x_.noalias() = slopes_ * at.integrals;
  x_ *= of_.mesh.step(interval);
  x_.colwise() += of_.x.col(interval);
  By_.noalias() = of_.stage_By.middleCols(interval * k, k) * at.values;
  for (int p = 0; p < points; ++p) {
    const auto A = batch_.A(first + p), C = batch_.C(first + p);
    const auto q = batch_.q(first + p), r = batch_.r(first + p);
    for (int row = 0; row < n; ++row) {
      double sum = slope_(row, p) - q[row] + By_(row, p);
      double size = std::abs(slope_(row, p)) + std::abs(q[row]) + std::abs(By_(row, p));
      for (int c = 0; c < n; ++c) {
        const double term = A(row, c) * x_(c, p);
        sum -= term;
        size += std::abs(term);
      }
      found.values(row, p) = sum;
      found.sizes(row, p) = size;
    }
    for (int row = 0; row < m; ++row) {
      double sum = r[row], size = std::abs(r[row]), unit = 0;
      for (int c = 0; c < n; ++c) {
        const double term = C(row, c) * x_(c, p);
        sum += term;
        size += std::abs(term);
        unit += std::abs(C(row, c)) * x_sizes_[c];
      }
      found.values(n + row, p) = unit > 0 ? sum / unit : 0;
      found.sizes(n + row, p) = unit > 0 ? size / unit : 0;
    }
  }
}

ResidualLimits LinearResidual::limits(double tolerance) const {
  const int n = static_cast<int>(of_.x.rows()), m = of_.problem->ny();
  ResidualLimits limits;
  limits.smooth = n;
  limits.integral.setConstant(n + m, std::numeric_limits<double>::infinity());
  limits.value = limits.integral;
  limits.integral.head(n) = 0.25 * tolerance * x_sizes_;
  for (int row = 0; row < n; ++row) {
    const double most = of_.stage_By.row(row).cwiseAbs().maxCoeff();
    if (most > 0) limits.value[row] = 4 * tolerance * (1 + most);
  }
  limits.value.tail(m).setConstant(2 * tolerance);
  return limits;
}

double constraint_excess(const LinearData& of, double& at) {
  const int n = static_cast<int>(of.x.rows()), m = of.problem->ny();
  const VecX sizes = sizes_of(of.x);
  MatX C(m, n);
  VecX r(m);
  double most = 0;
  for (int i = 0; i <= of.mesh.intervals(); ++i) {
    of.problem->evaluate_constraint(of.mesh.node(i), C, r);
    const VecX residual = (C * of.x.col(i) + r).cwiseAbs(), unit = C.cwiseAbs() * sizes;
    for (int row = 0; row < m; ++row) {
      if (!(residual[row] > most * unit[row]) || unit[row] == 0) continue;
      most = residual[row] / unit[row];
      at = of.mesh.node(i);
    }
  }
  return most;
}

}  // namespace daewave::bvp
