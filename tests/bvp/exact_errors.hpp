#pragma once
// Errors of a solution whose exact values are known, where the method itself has values: x at the
// nodes, B y at the stages.

#include <algorithm>
#include <cmath>
#include <limits>

#include "bvp/result/solution.hpp"

namespace daewave::testing {

struct Errors {
  double x = 0;          ///< max over nodes, max norm.
  double By = 0;         ///< max over stages, max norm.
  double x_largest = 0;  ///< max |x| over nodes.
  double By_largest = 0;
  /// Relative to 1 + the largest value.
  double relative_x() const { return x / (1 + x_largest); }
  double relative_By() const { return By / (1 + By_largest); }
};

/// @param from  errors before this t are left out.
template <class P>
Errors errors_of(const bvp::Solution& solution, const P& problem,
                 double from = -std::numeric_limits<double>::infinity()) {
  Errors errors;
  const Mesh& mesh = solution.mesh();
  for (int i = 0; i <= mesh.intervals(); ++i) {
    if (mesh.node(i) < from) continue;
    const VecX exact = problem.x_exact(mesh.node(i));
    errors.x = std::max(errors.x, (solution.x_at_node(i) - exact).cwiseAbs().maxCoeff());
    errors.x_largest = std::max(errors.x_largest, exact.cwiseAbs().maxCoeff());
  }
  for (int i = 0; i < mesh.intervals(); ++i) {
    for (int j = 0; j < solution.scheme().stages; ++j) {
      const double t = solution.stage_time(i, j);
      if (t < from) continue;
      const VecX exact = problem.By_exact(t);
      errors.By = std::max(errors.By, (solution.By_at_stage(i, j) - exact).cwiseAbs().maxCoeff());
      errors.By_largest = std::max(errors.By_largest, exact.cwiseAbs().maxCoeff());
    }
  }
  return errors;
}

/// p of error ~ step^p from two errors at steps in the ratio `ratio`.
inline double observed_order(double coarse, double fine, double ratio = 2) {
  return std::log(coarse / fine) / std::log(ratio);
}

}  // namespace daewave::testing
