#pragma once
// The start of a DaeProblem: is it consistent, the nearest consistent one, the multipliers there.

#include "core/derivatives/check_derivatives.hpp"
#include "core/problem/dae_problem.hpp"
#include "core/start/consistent_start.hpp"
#include "core/start/exact_start.hpp"

namespace daewave {

/// @param state  x, (q, v), or z. @param rank_tolerance  a row of G that falls below this times its
///               largest entry is gone. @param tolerance  where a row is off by more, what rounding
///               of the state explains is looked at.
/// @throws InvalidProblem for a state of another size than the problem's own, and where M is said
///                        to be constant and is not.
Consistency check_start(const DaeProblem& problem, const VecX& state, double t,
                        double rank_tolerance = 1e-12, double tolerance = 1e-8);

/// Moves a state to the constraints; see repair_start() of core/start/consistent_start.hpp.
/// @throws InvalidOption, InvalidProblem as there.
StartRepair repair_start(const DaeProblem& problem, VecX& state, double t, double tolerance,
                         double rank_tolerance = 1e-12);

/// y_0 for the variants that carry y; see core/start/exact_start.hpp.
/// @param state   consistent: x, or (q, v).
/// @param degree  m, -1 to 2; -1 is y_0 = 0.
/// @return  y' good to about 1e-9, y'' to 1e-6, relative, where the solution is smooth over a
///          sixtieth of `length`; not ok() where G is singular at the start or something is not
///          finite. Costs about 1200 evaluations of the problem for degree > 0.
/// @param length  of the run, > 0; otherwise of the problem's interval, or a few units of time.
/// @throws InvalidOption for another degree.
StartPolynomial exact_start_y(const DaeProblem& problem, const VecX& state, double t, int degree,
                              double length = 0);
/// (B y)_0 for the variants that carry B y; M^-1 G^T lambda of a multibody system.
///
/// As exact_start_y(); not ok() where M is singular.
StartPolynomial exact_start_By(const DaeProblem& problem, const VecX& state, double t, int degree,
                               double length = 0);

/// Compares the derivatives that the problem gives with differences of g, w or h, and of f and r,
/// at one state; M has to be symmetric and positive semidefinite.
/// @throws InvalidProblem where shapes do not fit.
DerivativeReport check_derivatives(const DaeProblem& problem, const VecX& state, double t,
                                   double tolerance = 1e-6);

/// @throws InvalidProblem for a state of another size than the problem's own.
void check_state_size(const DaeProblem& problem, const VecX& state);

}  // namespace daewave
