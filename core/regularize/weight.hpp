#pragma once
// The regularization of a constraint: its parameters and weights.
//
//   y_s = y_{s-1} + (1/epsilon) E (alpha1 (C x_s + r)' + alpha2 (C x_s + r))      [AL1] (3.15)

#include <string>
#include <vector>

namespace daewave {

/// The weight E.                                                        [AL1] section 3
enum class Weight {
  inverse,    ///< (C B)^-1; B E C is the projector P, also through singular points.
  transpose,  ///< (C B)^T
  identity,   ///< I; for C B symmetric positive semi-definite.
  shifted,    ///< (C B + delta I)^-1; for C B symmetric positive semi-definite.
};

const char* name_of(Weight weight);

/// @throws InvalidOption naming the known weights.
Weight weight_named(const std::string& name);

const std::vector<Weight>& all_weights();

/// Everything a sweep needs to know of the regularization.
struct Regularization {
  double epsilon = 1e-3;  ///< > 0, in units of time where alpha1 = 0.
  double alpha1 = 0;      ///< Of the differentiated constraint; needs C' and r'.
  double alpha2 = 1;      ///< Of the constraint; > 0.
  Weight weight = Weight::inverse;
  double delta = 1e-6;  ///< Of Weight::shifted, > 0.
};

/// @throws InvalidOption naming the parameter, its value and the rule.
void check(const Regularization& regularization);

}  // namespace daewave
