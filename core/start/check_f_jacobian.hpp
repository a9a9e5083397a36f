#pragma once
// Are f_q, f_v, f_w and r_q, where a problem knows them, those of differences of f and r?

#include "core/derivatives/check_derivatives.hpp"
#include "core/problem/dae_problem.hpp"

namespace daewave {

/// Adds to the report what was found at a state, at w of start_algebraic(), or zeros.
/// @param state  x, (q, v), or z, of the size of the problem's own.
void check_f_jacobian(const DaeProblem& problem, const VecX& state, double t,
                      DerivativeReport& report);

}  // namespace daewave
