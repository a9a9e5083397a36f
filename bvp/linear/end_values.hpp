#pragma once
// B y and x' at the ends of intervals. x is far more accurate at nodes than between them, and where
// C B is regular the differentiated constraint gives B y from it:
//
//   B y = B (C B)^-1 (C (A x + q) + C_t x + r_t),   x' = A x - B y + q.             [AL1] (3.5)

#include "bvp/linear/linear_values.hpp"

namespace daewave::bvp {

/// Adds them to a curve with slopes, where the scheme has no stage on a node and the problem gives
/// C_t and r_t; of an interval where C B has no inverse, what the polynomials have there.
/// @throws InvalidProblem for coefficients that are not finite.
void add_end_values(LinearData& to);

}  // namespace daewave::bvp
