#pragma once
// The start of a DaeProblem: is it consistent, the nearest consistent one, the multipliers there.

#include "core/derivatives/check_derivatives.hpp"
#include "core/problem/dae_problem.hpp"
#include "core/start/consistent_start.hpp"
#include "core/start/exact_start.hpp"

namespace daewave {

/// @param state  x, (q, v), or z. @param rank_tolerance  a row of G that falls below this times its
///               largest entry is gone.
/// @throws InvalidProblem for a state of another size than the problem's own, and for a mass that
/// is
///                        said to be constant and is not.
Consistency check_start(const DaeProblem& problem, const VecX& state, double t,
                        double rank_tolerance = 1e-12);

/// Moves a state to the constraints; see repair_start() of core/start/consistent_start.hpp.
/// @throws InvalidOption, InvalidProblem as there.
StartRepair repair_start(const DaeProblem& problem, VecX& state, double t, double tolerance,
                         double rank_tolerance = 1e-12);

/// y_0, or (B y)_0, that agrees with the solution at the start; see core/start/exact_start.hpp.
/// @throws InvalidOption for a degree not in [-1, 2].
StartPolynomial<VecX> exact_start_y(const DaeProblem& problem, const VecX& state, double t,
                                    int degree);
StartPolynomial<VecX> exact_start_By(const DaeProblem& problem, const VecX& state, double t,
                                     int degree);

/// Compares the derivatives that the problem gives with differences of g, w or h, and of f and r,
/// at one state; M has to be symmetric and positive semidefinite.
/// @throws InvalidProblem where shapes do not fit.
DerivativeReport check_derivatives(const DaeProblem& problem, const VecX& state, double t,
                                   double tolerance = 1e-6);

/// @throws InvalidProblem for a state of another size than the problem's own.
void check_state_size(const DaeProblem& problem, const VecX& state);

}  // namespace daewave
