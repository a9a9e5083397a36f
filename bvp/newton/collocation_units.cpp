// Units of components and conditions, in which the linear equations of collocation are eliminated.

#include <algorithm>
#include <cmath>

#include "bvp/newton/collocation_equations.hpp"

namespace daewave::bvp {

bool CollocationEquations::are_alike(const VecX& sizes) {
  constexpr double alike = 1e8;
  return sizes.maxCoeff() <= alike * sizes.minCoeff();
}

bool CollocationEquations::take_own_units(const VecX& sizes) {
  in_own_units_ = !are_alike(sizes);
  return in_own_units_;
}

void CollocationEquations::choose_units(const VecX& sizes) {
  units_.resize(0);
  units_of_conditions_.resize(0);
  if (are_alike(sizes)) return;
  units_ = sizes.unaryExpr([](double size) { return std::exp2(std::round(std::log2(size))); });
}

/// @param J  of the stages of a chunk.
void CollocationEquations::put_in_units(int chunk, double* J) {
  if (units_.size() == 0) return;
  const int points = k_ * chunks_.width(chunk);
  for (int j = 0; j < n_; ++j) {
    for (int i = 0; i < n_; ++i, J += points) {
      const double factor = units_[j] / units_[i];
      for (int p = 0; p < points; ++p) J[p] *= factor;
    }
  }
}

void CollocationEquations::condition_units() {
  if (units_.size() == 0) return;
  units_of_conditions_.setOnes(n_);
  matrix_.B0 = matrix_.B0 * units_.asDiagonal();
  matrix_.B1 = matrix_.B1 * units_.asDiagonal();
  for (int r = 0; r < n_; ++r) {
    const double most =
        std::max(matrix_.B0.row(r).cwiseAbs().maxCoeff(), matrix_.B1.row(r).cwiseAbs().maxCoeff());
    if (most > 0 && std::isfinite(most))
      units_of_conditions_[r] = std::exp2(std::round(std::log2(most)));
    matrix_.B0.row(r) /= units_of_conditions_[r];
    matrix_.B1.row(r) /= units_of_conditions_[r];
  }
}

}  // namespace daewave::bvp
