#pragma once
// The regularization of a constraint: its form and the numbers that go with it, as a solve uses
// them. Of a linear problem, r being inhomogeneous and C x + r the constraint,
//
//   y_s = y_{s-1} + (1/epsilon) E (alpha1 (C x_s + r)' + alpha2 (C x_s + r))          [AL1] (3.15)
//
// and of a nonlinear one with g as core/regularize/variant.hpp says.

#include "core/regularize/variant.hpp"
#include "core/regularize/weight.hpp"

namespace daewave {

struct Regularization {
  Variant variant = Variant::singular;  ///< Linear problems carry B y.
  Weight weight = Weight::inverse;      ///< E; `shifted` is for linear problems only.
  double epsilon = 1e-3;                ///< > 0; in units of time where alpha1 = 0.
  /// >= 0. Of (C x + r)', which needs C' and r'; of g' in [AL2] (2.5); of g'' in (4.5), which needs
  /// the curvature.
  double alpha1 = 0;
  double alpha2 = 1;    ///< > 0. Of C x + r; of g in (2.5), of g' in (4.5); other variants: 1.
  double alpha3 = 1;    ///< >= 0. Of g in (4.5).
  double delta = 1e-6;  ///< Of Weight::shifted, > 0.
  double rank_tolerance = 1e-12;  ///< Nonlinear: of the rank guard, relative to max |G_ij|.
};

/// Each @throws InvalidOption naming the number or the combination, and the rule.
void check_linear(const Regularization& regularization);
void check_index_2(const Regularization& regularization);
/// @param reducible  the problem gives its curvature (core/problem/terms.hpp).
void check_index_3(const Regularization& regularization, bool reducible);

}  // namespace daewave
