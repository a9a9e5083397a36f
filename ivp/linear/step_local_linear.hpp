#pragma once
// Initial value DAEs with the loops over steps and iterates exchanged:             [AL1]
// section 4.2
//
//   for steps i { for iterates s = 1..m { x_i^s, B y_i^s from x_{i-1}^s, B y_i^{s-1} } }
//
// An iterate needs the one before on the same step only, so nothing grows with the horizon.

#include <memory>

#include "core/problem/linear_dae.hpp"
#include "core/problem/linear_problem.hpp"
#include "core/report/report.hpp"
#include "ivp/linear/linear_options.hpp"

namespace daewave::ivp {

/// The end of a run; the way there is seen by the observer.
struct LinearResult {
  int steps = 0;     ///< Done.
  double t = 0;      ///< End of the last of them.
  double t_By = 0;   ///< Its last stage.
  MatX x;            ///< nx x iterates, at t.
  MatX By;           ///< nx x iterates, at t_By.
  double bytes = 0;  ///< Of working memory, whatever the number of steps.
  Report report;     ///< `history` holds the largest change and drift of each iterate over the run.
};

/// Solves a linear DAE of index 2 from conditions at the begin of its interval.
///
/// @param observer  called after each step; may be empty.
/// @return  where the run ended and why; numerical failure does not throw, and leaves the last
///          step that is finite.
/// @throws  InvalidProblem, InvalidOption before any step for what cannot be solved as stated (a
///          condition that acts at the end or couples both ends among it), and InvalidProblem for
///          a coefficient that is not finite.
LinearResult solve(std::shared_ptr<const LinearDae> problem, const LinearOptions& options,
                   const LinearObserver& observer = {});

/// The same for any type of the concept LinearBvDae; the problem is copied.
template <LinearBvDae P>
LinearResult solve(const P& problem, const LinearOptions& options,
                   const LinearObserver& observer = {}) {
  return solve(erase(problem), options, observer);
}

}  // namespace daewave::ivp
