#pragma once
// A look at the constraint over the whole interval before work starts: where CB loses rank, how it
// does, and whether the weight chosen makes the regularized equation stable.

#include <vector>

#include "core/problem/linear_dae.hpp"
#include "core/regularize/regularization.hpp"
#include "core/report/report.hpp"
#include "core/stages/regularize_linear.hpp"

namespace daewave {

/// What "small" is measured against.
struct ConstraintReference {
  ConstraintUnits units;
  ConstraintPivots pivots;  ///< Largest values of the smallest pivots over the interval.
};

struct ConstraintScan {
  ConstraintReference reference;
  std::vector<SingularPoint> singular_points;  ///< Ordered by t; `passed_by` is left empty.
  double largest_A = 0;    ///< max over samples of the largest absolute row sum of A.
  MatX entries_of_A{};     ///< max over samples of the absolute value of each.
  double obliqueness = 1;  ///< max over samples of 1 / transversality, about |P|.
  bool regular() const { return singular_points.empty(); }
};

/// Relative pivot below which the coefficients at a point are too inaccurate to be used.
inline constexpr double singular_pivot = 1e-5;

/// Smallest of the pivots, in the units of the reference, relative to its pivots.
double relative_pivot(const ConstraintPivots& pivots, const ConstraintReference& reference);

/// @param samples  points looked at; minima between them are refined.
/// @throws InvalidProblem when CB is singular everywhere: the index is not 2.
ConstraintScan scan_constraint(const LinearDae& problem, int samples = 1000);

/// @throws InvalidOption when an eigenvalue of E C B is negative somewhere, so that the regularized
///         equation would grow like exp(t / epsilon).
void check_weight(const LinearDae& problem, const Regularization& regularization,
                  int samples = 200);

}  // namespace daewave
