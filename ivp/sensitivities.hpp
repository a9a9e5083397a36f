#pragma once
// How the end of a run moves with its start and with parameters of its problem.
//
//   const auto moved = ivp::sensitivities(problem, start, {0, 10}, {.rtol = 1e-10});
//   moved.start.col(2);   // by entry 2 of the start
//
// The equations of first order around the run are stepped with it, by its own formula and through
// its own projections; where there are none, differences of runs are taken.

#include <string>
#include <vector>

#include "core/adapt/problem_of.hpp"
#include "core/problem/dae_problem.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/solution.hpp"
#include "ivp/variation/family.hpp"

namespace daewave::ivp {

struct Sensitivities {
  Solution solution;  ///< The run itself; not usable: nothing else is there.
  /// Column i: the derivative of the end by entry i of the start, which is brought back to the
  /// constraints by the nearest correction; nz x nz. Directions off the constraints give what their
  /// tangential parts do.
  MatX start;
  MatX parameters;  ///< Column i: by parameter i; nz x their number.
  /// Relative to the largest entry, entries being measured by the sizes of those of the state: of
  /// all columns, how far a mixture of them is from differences of runs by another method, which
  /// are not taken from the same equations; where columns are differences themselves, of the worst
  /// one how far two of different steps are apart. NaN where it is not known.
  double error = 0;
  std::string how;  ///< The columns were found, and what `error` is.
};

/// By all entries of the start.
///
/// One run of nz (1 + nz) equations with the tolerances, or the h, of `options`, an evaluation of
/// which is 1 + 4 nz of the problem; the columns are as good as the run. It is by the method asked
/// for where that reduces the index, otherwise by s-both2. Runs through events with a change or
/// singular configurations, with invariants, or without a curvature: about 16 runs for each column,
/// to 1e-4 of rtol, 1e-13 at least: for rtol = 1e-9 and below good to about 1e-9. Of a problem
/// whose derivatives are differences the columns are good to 1e-8 to 1e-6.
///
/// @param options  events with a change must be the same, in the same order, beside the run; see
///                 Options::reset for what they set beside the state.
/// @throws InvalidOption as solve(), for a fixed h by a method without such equations, and for an
///         event that stops the run: sensitivities are those at a given time.
///         InvalidProblem as solve(), and where no run beside this one comes through.
Sensitivities sensitivities(const DaeProblem& problem, const VecX& start, const Interval& span,
                            const Options& options = {});

/// By parameters, and by the start of the member.
/// @param family  what it gives has to depend smoothly on the parameters; a start that leaves the
///                constraints is brought back. Kind and sizes are the same for all parameters.
Sensitivities sensitivities(const Family& family, const VecX& parameters, const Interval& span,
                            const Options& options = {});

}  // namespace daewave::ivp
