#pragma once
// What can be asked of a run of a large sparse problem.

#include <functional>

#include "core/types.hpp"

namespace daewave::sparse {

/// What the first iterate of a step starts from, y_0 of [AL2] (2.5) at the end of the step.
enum class FirstMultiplier {
  zero,         ///< Iterates of a step gain epsilon each from nothing: to study.
  previous,     ///< That of the step before: its error is O(h) where y is smooth.
  extrapolated  ///< In a line through the two steps before: O(h^2).
};

/// Where a run is, after a step.
struct StepInfo {
  double t = 0;
  long step = 0, steps = 0;  ///< Done, and in all.
  double rate = 0;           ///< max |x_n - x_{n-1}| / h.
  double drift = 0;          ///< max |g|.
};

struct Options {
  double h = 0;           ///< Step, > 0; shortened so that a whole number of them ends at the end.
  double epsilon = 1e-3;  ///< > 0; the constraint is left O(epsilon^iterates) open. [AL2] Thm 2.1
  int iterates = 2;       ///< Of each step, >= 1: each is a solve with the same factors.
  double alpha1 = 1;      ///< Weight of g', >= 0.
  double alpha2 = 1;      ///< Weight of g, 1/time, >= 0; not both zero.
  FirstMultiplier first = FirstMultiplier::previous;
  /// Relative change of x at which Newton's method ends; of problems that are not linear.
  double newton_tolerance = 1e-9;
  int newton_steps = 20;
  /// > 0: the run ends, and is what was asked for, where |x'| is below this everywhere and nothing
  /// is only beginning to move (steady.hpp).
  double steady = 0;
  /// A second run with 2h (of less than 8 steps with h / 2) tells the error in time, a third one
  /// what one more iterate changes, for one and a half of the price again, of few steps five times.
  /// Both in units of the largest x and y of the run.
  bool estimate_error = false;

  long every = 0;  ///< Each n-th step is given to the sink; 0: start and end.
  std::function<void(double t, const VecX& x, const VecX& y)> sink{};
  std::function<bool(const StepInfo&)> progress{};  ///< False: stop.
};

/// @throws InvalidOption
void check(const Options& options, const Interval& interval);

}  // namespace daewave::sparse
