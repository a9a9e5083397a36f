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

}  // namespace daewave::ivp
