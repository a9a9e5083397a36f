#pragma once
// The front door for linear boundary value DAEs.
//
//   auto solution = daewave::bvp::solve(problem, {.tolerance = 1e-8});

#include <memory>

#include "bvp/options/options.hpp"
#include "bvp/result/solution.hpp"
#include "core/problem/linear_dae.hpp"
#include "core/problem/linear_problem.hpp"

namespace daewave::bvp {

/// Solves a linear boundary value DAE of index 2 by sequential regularization.  [AL1]
///
/// @return  values and report; report.usable() tells whether what was asked holds. Numerical
///          failure does not throw.
/// @throws  InvalidProblem, InvalidOption before any work for what cannot be solved as stated, and
///          InvalidProblem for a coefficient that is not finite.
Solution solve(std::shared_ptr<const LinearDae> problem, const Options& options = {});

/// The same for any type of the concept LinearBvDae; the problem is copied.
template <LinearBvDae P>
Solution solve(const P& problem, const Options& options = {}) {
  return solve(erase(problem), options);
}

}  // namespace daewave::bvp
