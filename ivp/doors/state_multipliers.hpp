#pragma once
// Multipliers that follow from states alone, by index reduction, for a run that carries none:
//
//   y(x, v) = (GB)^-1 (G f + curvature)                                        [AL2] (4.12)

#include <functional>

#include "core/problem/dae_problem.hpp"
#include "core/regularize/regularization.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::ivp {

/// NaN where it cannot be evaluated.
using MultiplierOfState = std::function<void(double t, const VecX& z, VecX& y)>;

/// Where zeta is carried and multipliers are asked for; else empty. The problem must outlive it.
MultiplierOfState multiplier_of_state(const DaeProblem& problem, const Regularization& form,
                                      const Options& options);

/// Options of a run that carries zeta, which is not given out: a sink sees the multipliers of the
/// states. Both are kept by reference. @param nz  entries of a state.
Options without_zeta(const MultiplierOfState& multiplier, int nz, const Options& options);

/// Of every state that a run has kept.
void fill_multipliers(const MultiplierOfState& multiplier, Solution& solution);

}  // namespace daewave::ivp
