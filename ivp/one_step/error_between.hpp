#pragma once
// What the polynomial of an implicit step is off between its stages.
//
// Where all that is fast decays, stages are exact whatever the step is, and the filter of the
// estimate leaves nothing. What the polynomial misses is the divided difference of one order more
// times the product of distances to its nodes; a node of the step before tells that difference.

#include "ivp/one_step/stage_newton.hpp"
#include "ivp/run/tolerance.hpp"

namespace daewave::ivp {

/// The step taken last tells something of one of h: there was one, and it was not too short.
bool before_tells(const StageNewton& newton, double h);

/// A step from x to `end`, of h, whose stages were solved last; in units of the tolerance, 0 where
/// the step before tells nothing.
/// @param shift   what was added to the end of the step before; null: nothing.
/// @param missed  memory.
double error_between(const StageNewton& newton, double h, const VecX* shift,
                     const Tolerance& tolerance, const VecX& x, const VecX& end, VecX& missed);

/// What a step that has no stage at its end is off there in components that are stiff, in units of
/// the tolerance: as much as its polynomial, which is all that order such components see, and
/// nothing damps it. With the filter F = (I - h mu_0 J)^-1 of the estimate, (I - F)^(k + 1) leaves
/// what is stiff of k stages, and of the rest less than the order of the step. 0 where a stage is
/// at the end.
/// @param missed, filtered  memory.
double stiff_error_at_end(StageNewton& newton, double h, const VecX* shift,
                          const Tolerance& tolerance, const VecX& x, const VecX& end, VecX& missed,
                          VecX& filtered);
/// The same of what is missed at theta, where the step before tells nothing.
double stiff_error_at_end(StageNewton& newton, double theta, const Tolerance& tolerance,
                          const VecX& x, const VecX& end, VecX& missed, VecX& filtered);

}  // namespace daewave::ivp
