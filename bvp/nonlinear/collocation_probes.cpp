// What the linearization at hand makes of changes of conditions, of residuals, and of rounding.

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "bvp/nonlinear/collocation_equations.hpp"
#include "bvp/residual/influences.hpp"
#include "core/not_finite.hpp"

namespace daewave::bvp {

double CollocationEquations::boundary_conditioning(const VecX& weight, const VecX& sizes) {
  constexpr int most_probes = 8;
  if (matrix_.B0.rows() != n_) return 0;
  const VecX part = units_.size() > 0 ? VecX(weight.cwiseQuotient(units_)) : weight;
  const VecX sizes_in_units = units_.size() > 0 ? VecX(sizes.cwiseQuotient(units_)) : sizes;
  const VecX unit = matrix_.B0.cwiseAbs() * part + matrix_.B1.cwiseAbs() * part;
  std::mt19937 generator(20260103);
  double largest = 0;
  for (int probe = 0; probe < std::min(n_, most_probes); ++probe) {
    right_.setZero();
    for (int r = 0; r < n_; ++r) {
      const bool moved = n_ > most_probes || r == probe;
      const double sign = generator() % 2 == 0 ? 1 : -1;
      if (moved) right_[right_.size() - n_ + r] = sign * unit[r];
    }
    solver_.probe(right_, u_);
    const Eigen::Map<const MatX> moved(u_.data(), n_, mesh_.intervals() + 1);
    largest = larger(
        largest, moved.cwiseAbs().rowwise().maxCoeff().cwiseQuotient(sizes_in_units).maxCoeff());
  }
  return largest;
}

VecX CollocationEquations::influences(const VecX& sizes) {
  if (matrix_.B0.rows() != n_) return VecX::Zero(n_);
  const VecX units = units_.size() > 0 ? units_ : VecX::Ones(n_);
  const VecX influences =
      probed_influences(mesh_, n_, sizes.cwiseQuotient(units), [&](const VecX& right) -> VecX {
        solver_.probe(right, u_);
        return u_;
      });
  return influences.cwiseQuotient(units);
}

double CollocationEquations::rounding(const CollocationUnknowns& at, const VecX& weight) {
  constexpr double unit = std::numeric_limits<double>::epsilon();
  // Signs without a pattern.
  const auto sign = [](std::size_t e) {
    return (e * 0x9e3779b97f4a7c15U >> 40 & 1U) != 0 ? unit : -unit;
  };
  over_chunks([&](Worker& worker, int c, Outcome&) {
    const int m = chunks_.width(c), first = chunks_.begin(c);
    fill_stages(at, c, worker);
    const double* const X = chunks_.of(stage_x_, n_, c);
    const double* const K = chunks_.of(at.slopes, n_, c);
    const double* const J = slopes_.jacobians(c);
    double* const rates = chunks_.of(rates_, n_, c);
    for (int r = 0; r < n_; ++r) {
      for (int p = 0; p < k_ * m; ++p) {
        double terms = std::abs(K[r * k_ * m + p]);
        for (int j = 0; j < n_; ++j) {
          const double unit_of_J = units_.size() > 0 ? units_[r] / units_[j] : 1;
          terms += unit_of_J * std::abs(J[(j * n_ + r) * k_ * m + p] * X[j * k_ * m + p]);
        }
        const auto e = static_cast<std::size_t>((first * n_ + r) * k_ + p);
        rates[r * k_ * m + p] = K[r * k_ * m + p] + sign(e) * terms;
      }
      double* const off = node_residuals_.data() + static_cast<std::ptrdiff_t>(n_) * first + r * m;
      for (int i = 0; i < m; ++i) {
        off[i] = sign(static_cast<std::size_t>(first + i) * 31U + static_cast<std::size_t>(r)) *
                 std::abs(at.x(r, first + i));
      }
    }
  });
  VecX left = at.x.col(0).cwiseAbs(), last = at.x.col(mesh_.intervals()).cwiseAbs();
  if (units_.size() > 0) {
    left.array() /= units_.array();
    last.array() /= units_.array();
  }
  condition_residuals_ = unit * (matrix_.B0.cwiseAbs() * left + matrix_.B1.cwiseAbs() * last);
  if (units_.size() > 0) condition_residuals_.array() *= units_of_conditions_.array();
  CollocationUnknowns moved;
  return change(at, moved) ? size(moved, weight) : 0;
}

}  // namespace daewave::bvp
