#pragma once
// What rounding makes of B y where the derivative of the constraint is not used (alpha1 = 0).
// Stages satisfy the constraint to rounding alone, and slopes, of which B y is found, are what
// differences of x over the step are: h sum_l a_jl F_l = x_j - x_i. An error d of x at stages
// becomes A^-1 d / h in slopes and B y alike, which no residual tells: it is small between them as
// well. On fine meshes where x is steep the rounding of time matters most: a constraint at t (1 +
// u) is met by x that is off by u t x'.

#include "bvp/linear/linear_values.hpp"

namespace daewave::bvp {

/// The largest that is expected, of all ranks, in units of the sizes of B y; 0 where less than a
/// tenth of `tolerance` is certain, and where alpha1 > 0. All ranks call it.
/// @param at  left as it is, or where that is.
/// @throws InvalidProblem for coefficients that are not finite.
double rounding_of_By(const LinearData& of, double tolerance, double& at);

}  // namespace daewave::bvp
