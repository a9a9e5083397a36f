#pragma once
// Whether a run kept its constraints as well as its tolerance promises. What a state is off them is
// an error of it that nobody has to estimate: it is at least as wrong as the nearest state that
// meets them.

#include <functional>

#include "core/problem/dae_problem.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/constraints_between.hpp"
#include "ivp/run/ode_system.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::ivp {

/// Of any state; empty: not known.
using DriftOf = std::function<Drift(double t, const VecX& z)>;

/// What a state that is wrong by `away` may be off its constraints: as much as they change along
/// a few directions. @param found  the drift of z. @param enough  where it is that much, it may be
///                                 more.
Drift allowed_drift(const DriftOf& drift, double t, const VecX& z, const VecX& away,
                    const Drift& found, const Drift& enough);

/// Compares the drift of a run with what a state is off that is wrong by 100 times the tolerance,
/// or with a fixed h by a hundredth of its motion: beyond that, a warning. Beyond a tenth of its
/// motion, or with 10'000 times the tolerance and the sum of that of all steps, the run is
/// tolerance_not_met. Most runs cost two evaluations of the constraints.
/// @param options  with all absolute tolerances.
void judge_drift(const DriftOf& drift, const Options& options, Solution& solution);

/// The same of constraints that are driven, inside of steps.
void judge_between(ConstraintsBetween& between, const Options& options, Solution& solution);

/// The same of constraints that are none of the rows of the problem, as others implied them where
/// it starts (DaeProblem::implied): whether they do so on the way, at states that are given out.
void judge_implied(const DaeProblem& problem, const Options& options, Solution& solution);

}  // namespace daewave::ivp
