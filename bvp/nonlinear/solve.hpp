#pragma once
// Nonlinear boundary value problems: DAEs of index 1, 2 and 3, constrained multibody systems, and
// ordinary differential equations.

#include "bvp/options/options.hpp"
#include "bvp/result/solution.hpp"
#include "bvp/statement/boundary_problem.hpp"
#include "bvp/statement/problem_family.hpp"

namespace daewave::bvp {

/// Solves it by collocation and Newton's method; a DAE by sequential regularization, every iterate
/// on the whole interval.                                            [AL2] sections 2 to 5
///
/// Where the variant is open and the default finds no solution, singular is tried, which passes
/// points where constraints become dependent.
///
/// @return  values and report; report.usable() tells whether what was asked holds.
/// @throws  InvalidProblem for a wrong number of conditions, InvalidOption for options that are out
///          of range or do not go together. Numerical failure does not throw.
Solution solve(const BoundaryProblem& problem, const Options& options = {});

/// The member at family.p, with its unknown parameters solved for: conditions are one more for each
/// of them. They are in Solution::parameters and in the report; the tolerance holds for them as for
/// x, relative to 1 + their size.
Solution solve(const ProblemFamily& family, const Options& options = {});

}  // namespace daewave::bvp
