#pragma once
// Any problem as the DaeSystem that formulas with a past are compiled for.

#include <memory>

#include "core/problem/dae_problem.hpp"
#include "ivp/equations/dae_system.hpp"
#include "ivp/options/multistep.hpp"

namespace daewave::ivp {

/// @param problem         kept by reference; not one with invariants.
/// @param z0              a state at t.
/// @param form            multipliers eliminated, or unknowns w of the formula.
/// @param rank_tolerance  of the rank guard, relative to the largest entry of G.
/// @throws InvalidProblem for a problem without constraints.
std::unique_ptr<DaeSystem> dae_system_of(const DaeProblem& problem, const VecX& z0, double t,
                                         MultiplierForm form = MultiplierForm::eliminated,
                                         double rank_tolerance = 1e-12);

/// Of a problem with invariants. @param w0  algebraic unknowns near those of z0.
std::unique_ptr<DaeSystem> dae_system_of(const DaeProblem& problem, const VecX& z0, const VecX& w0,
                                         double t, MultiplierForm form = MultiplierForm::index_1);

}  // namespace daewave::ivp
