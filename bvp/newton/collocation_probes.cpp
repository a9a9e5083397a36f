// What the linearization at hand makes of changes of conditions, of residuals, and of rounding.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <tuple>

#include "bvp/newton/collocation_equations.hpp"
#include "bvp/residual/influences.hpp"
#include "core/not_finite.hpp"

namespace daewave::bvp {
namespace {

constexpr double rounding_unit = std::numeric_limits<double>::epsilon();

/// Signs without a pattern.
double rounding_sign(std::size_t e) { return (e * 0x9e3779b97f4a7c15U >> 40 & 1U) != 0 ? 1 : -1; }

}  // namespace

/// Of what is constant, as unknown parameters are, the size tells nothing: where others make up for
/// what one of them does, all may be as large as they like. What counts for one by itself is what
/// moves the others by as much as they are large.
/// @param sizes  in the units of the linear equations.
void CollocationEquations::limit_constants(VecX& sizes) {
  const auto largest = [](const double* values, int count) {
    return largest_size(Eigen::Map<const VecX>(values, count));
  };
  MatX rates = MatX::Zero(n_, 1), effects = rates;
  // Only whether they vanish matters.
  for (int c = 0; c < chunks_.count() && !(rates.minCoeff() > 0); ++c) {
    const int points = k_ * chunks_.width(c);
    const double* const F = chunks_.of(rates_, n_, c);
    for (int r = 0; r < n_; ++r) rates(r, 0) = larger(rates(r, 0), largest(F + r * points, points));
  }
  rates = share_.extents(rates, MatX()).first;
  if (rates.minCoeff() > 0) return;
  for (int c = 0; c < chunks_.count(); ++c) {
    const int points = k_ * chunks_.width(c);
    slopes_.each_entry(c, [&](int r, int j, const double* J) {
      const double most = largest(J, points);
      rates(r, 0) = larger(rates(r, 0), most);
      effects(j, 0) = larger(effects(j, 0), most / sizes[r]);
    });
  }
  std::tie(rates, effects) = share_.extents(rates, effects);
  const double length =
      share_.is_shared() ? share_.end - share_.begin : mesh_.end() - mesh_.begin();
  for (int j = 0; j < n_; ++j) {
    const double effect = std::abs(length) * effects(j, 0);
    if (rates(j, 0) == 0 && effect > 0) sizes[j] = std::min(sizes[j], 1 / effect);
  }
}

double CollocationEquations::boundary_conditioning(const VecX& weight, const VecX& sizes) {
  constexpr int most_probes = 8;
  if (matrix_.B0.rows() != n_) return 0;
  const VecX part = units_.size() > 0 ? VecX(weight.cwiseQuotient(units_)) : weight;
  VecX sizes_in_units = units_.size() > 0 ? VecX(sizes.cwiseQuotient(units_)) : sizes;
  limit_constants(sizes_in_units);
  const VecX unit = matrix_.B0.cwiseAbs() * part + matrix_.B1.cwiseAbs() * part;
  // Of one condition at a time the sign does not matter.
  std::optional<std::mt19937> generator;
  if (n_ > most_probes) generator.emplace(20260103);
  MatX conditions = MatX::Zero(n_, std::min(n_, most_probes));
  for (int probe = 0; probe < conditions.cols(); ++probe) {
    for (int r = 0; r < n_; ++r) {
      const bool moved = n_ > most_probes || r == probe;
      const double sign = !generator || (*generator)() % 2 == 0 ? 1 : -1;
      if (moved) conditions(r, probe) = sign * unit[r];
    }
  }
  const MatX here = solver_.probe_conditions(conditions);
  double largest = 0;
  for (int probe = 0; probe < conditions.cols(); ++probe) {
    const MatX most = share_.extents(here.col(probe), MatX()).first;
    largest = larger(largest, most.col(0).cwiseQuotient(sizes_in_units).maxCoeff());
  }
  return largest;
}

VecX CollocationEquations::influences(const VecX& sizes) {
  if (matrix_.B0.rows() != n_) return VecX::Zero(n_);
  const VecX units = units_.size() > 0 ? units_ : VecX::Ones(n_);
  const VecX influences = probed_influences(mesh_, share_, n_, sizes.cwiseQuotient(units),
                                            [&](const VecX& right) -> VecX {
                                              solver_.probe(right, u_);
                                              return u_;
                                            });
  return influences.cwiseQuotient(units);
}

/// What F changes by where x is moved by rounding, in worker.y; zero where it cannot be evaluated.
/// Functions of a problem may be made of differences, tables or iterations of their own.
void CollocationEquations::find_noise(int chunk, ChunkWorker& worker) {
  const auto size = static_cast<std::size_t>(n_ * k_ * chunks_.width(chunk));
  double* const X = worker.X;
  double* const rates = chunks_.of(rates_, n_, chunk);
  double* const carried = chunks_.of(carried_, carried_count_, chunk);
  std::string failure;
  const auto evaluate = [&] {
    worker.system->evaluate_batch(stages_of(chunk, worker), rates, carried, nullptr, failure);
  };
  evaluate();
  std::copy_n(rates, size, worker.y);
  constexpr double moved = 4 * rounding_unit;
  for (std::size_t e = 0; e < size; ++e) X[e] *= 1 + rounding_sign(e) * moved;
  evaluate();
  for (std::size_t e = 0; e < size; ++e) {
    const double noise = std::abs(rates[e] - worker.y[e]);
    worker.y[e] = failure.empty() && std::isfinite(noise) ? noise : 0;
  }
}

double CollocationEquations::rounding(const CollocationUnknowns& at, const VecX& weight) {
  constexpr double unit = rounding_unit;
  over_chunks([&](ChunkWorker& worker, int c, Outcome&) {
    const int m = chunks_.width(c), first = chunks_.begin(c), of_all = share_.first + first;
    fill_stages(at, c, worker);
    find_noise(c, worker);
    const double* const X = worker.X;
    const double* const K = chunks_.of(at.slopes, n_, c);
    double* const rates = chunks_.of(rates_, n_, c);
    double* const terms = worker.right;
    for (int e = 0; e < n_ * k_ * m; ++e) terms[e] = std::abs(K[e]);
    slopes_.each_entry(c, [&](int r, int j, const double* J) {
      const double unit_of_J = units_.size() > 0 ? units_[r] / units_[j] : 1;
      for (int p = 0; p < k_ * m; ++p) {
        terms[r * k_ * m + p] += unit_of_J * std::abs(J[p] * X[j * k_ * m + p]);
      }
    });
    for (int r = 0; r < n_; ++r) {
      for (int p = 0; p < k_ * m; ++p) {
        const auto e = static_cast<std::size_t>((of_all * n_ + r) * k_ + p);
        const double noise = worker.y[r * k_ * m + p];
        rates[r * k_ * m + p] =
            K[r * k_ * m + p] + rounding_sign(e) * std::max(unit * terms[r * k_ * m + p], noise);
      }
      double* const off = node_residuals_.data() + static_cast<std::ptrdiff_t>(n_) * first + r * m;
      for (int i = 0; i < m; ++i) {
        const std::size_t e =
            static_cast<std::size_t>(of_all + i) * 31U + static_cast<std::size_t>(r);
        off[i] = rounding_sign(e) * unit * std::abs(at.x(r, first + i));
      }
    }
  });
  auto [left, last] = ends_of(at);
  left = left.cwiseAbs();
  last = last.cwiseAbs();
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
