#pragma once
// How accurately an implicit step is solved, and what its error estimate is compared with.

#include "core/time/collocation_scheme.hpp"
#include "core/types.hpp"
#include "ivp/one_step/newton_convergence.hpp"
#include "ivp/one_step/stage_transform.hpp"
#include "ivp/run/step_control.hpp"
#include "ivp/run/tolerance.hpp"

namespace daewave::ivp {

struct CollocationAccuracy {
  bool estimates = false;
  /// Of the weights of error and stages, in those of the tolerance. The estimate is of order k, the
  /// step of order 2k - 1 or 2k: measured by 0.1 rtol^q instead of rtol, q = (k + 1) / (order + 1),
  /// it keeps the error of the step itself in proportion to rtol, as RADAU5 does.    [HW2] IV.8
  /// In what is stiff steps have no such order: those of Radau have a stage at their end, where
  /// nothing of it is left; for others see stiff_error_at_end().
  double unit = 1;
  NewtonGoal goal{};
  /// What attempt() returns where Newton's method does not converge: the control halves h.
  double not_converged = 0;
};

/// @param estimate  asks for step control; only an odd number of stages has an estimate.
CollocationAccuracy accuracy_of(const Collocation& scheme, const Tolerance& tolerance,
                                bool estimate);

/// Of what is as exact inside of a step as its end is, as Step::solved_degree(): the order, where
/// that is more than the collocation polynomial has and its error more than a part of the
/// tolerance.
/// @param between  that error, 1 the tolerance; only where there is an estimate.
int degree_of_solved(const StageTransform& scheme, const CollocationAccuracy& accuracy,
                     double between);

/// The constants of RADAU5.
inline Control collocation_control() {
  return {.safety = 0.9, .beta = 0, .shrink = 0.125, .grow = 8};
}

/// weight_i of stages and errors of a step from z.
void weigh(const CollocationAccuracy& accuracy, const Tolerance& tolerance, const VecX& z,
           VecX& weight);

/// The same where nothing is estimated, for differences: half of the digits of z_i, but not less
/// than those of a thousandth of the largest.
void weigh_by_digits(const VecX& z, VecX& weight);

}  // namespace daewave::ivp
