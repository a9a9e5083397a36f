#pragma once
// Any problem as the DaeSystem that formulas with a past are compiled for.

#include <memory>

#include "ivp/equations/invariant_as_dae.hpp"
#include "ivp/equations/motion_dae.hpp"
#include "ivp/equations/semi_explicit_dae.hpp"

namespace daewave::ivp {

/// @param problem         kept by reference.
/// @param z0              a state at t, for sizes.
/// @param form            multipliers eliminated, or unknowns w of the formula.
/// @param rank_tolerance  of the rank guard, relative to the largest entry of G.
template <Multibody P>
std::unique_ptr<DaeSystem> dae_system_of(const P& problem, const StateOf<P>& z0, double t,
                                         Multistep::Form form = Multistep::Form::eliminated,
                                         double rank_tolerance = 1e-12) {
  return std::make_unique<MotionDae<MultibodyEquations<P>>>(problem, z0, t, form, rank_tolerance);
}

template <SecondOrderDae P>
std::unique_ptr<DaeSystem> dae_system_of(const P& problem, const StateOf<P>& z0, double t,
                                         Multistep::Form form = Multistep::Form::eliminated,
                                         double rank_tolerance = 1e-12) {
  return std::make_unique<MotionDae<SecondOrderEquations<P>>>(problem, z0, t, form, rank_tolerance);
}

template <SemiExplicitDae P>
std::unique_ptr<DaeSystem> dae_system_of(const P& problem, const StateOf<P>& z0, double t,
                                         Multistep::Form form = Multistep::Form::eliminated,
                                         double rank_tolerance = 1e-12) {
  return std::make_unique<SemiExplicitAsDae<P>>(problem, z0, t, form, rank_tolerance);
}

/// @param w0  algebraic unknowns near those of z0.
template <InvariantDae P>
std::unique_ptr<DaeSystem> dae_system_of(const P& problem, const typename P::State& z0,
                                         const typename P::Algebraic& w0, double t,
                                         Multistep::Form form = Multistep::Form::index_1) {
  return std::make_unique<InvariantAsDae<P>>(problem, z0, w0, t, form);
}

}  // namespace daewave::ivp
