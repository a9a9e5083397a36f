#pragma once
// z' that follows from a state alone, for events: whether what has come to rest at one is driven
// through it.
//
//   ordinary, index 1  z' = f(z, w, t),  0 = r(z, w, t)
//   index 2 and 3      by index reduction, see constraint_point.hpp

#include "core/problem/dae_problem.hpp"
#include "ivp/run/event_changes.hpp"

namespace daewave::ivp {

/// Of a problem with constraints; empty where it has no curvature. It must outlive what is given.
EventChanges::Slope slope_of_states(const DaeProblem& problem);

/// Of one with invariants. @param w  near the unknowns of the state, kept by reference.
EventChanges::Slope slope_of_states(const DaeProblem& problem, const VecX& w);

}  // namespace daewave::ivp
