#pragma once
// Runs of the method of projected invariants, which sees a problem as a DaeSystem and is compiled
// once.

#include "ivp/doors/method_choice.hpp"
#include "ivp/doors/solve_multistep.hpp"
#include "ivp/equations/dae_system_of.hpp"

namespace daewave::ivp {

/// @param system  of any problem: dae_system_of(). @param z0  consistent.
/// @param options  checked. @throws InvalidOption where the problem has no energy that is asked
/// for.
Solution solve_projected_invariants(DaeSystem& system, const VecX& z0, const Interval& span,
                                    const Options& options, const Collocation& scheme,
                                    const Monitors& monitors);

/// @param start  consistent.
template <Dae P>
requires Reducible<P> Solution solve_projected_invariants(const P& problem, const StateOf<P>& start,
                                                          const Interval& span,
                                                          const Options& options,
                                                          const MethodChoice& chosen,
                                                          const Monitors& monitors) {
  const auto system = dae_system_of(problem, start, span.begin, Multistep::Form::eliminated,
                                    options.regularize.rank_tolerance);
  return solve_projected_invariants(*system, VecX(start), span, options, chosen.scheme(), monitors);
}

/// @param w  near the algebraic unknowns of the start.
template <InvariantDae P>
Solution solve_projected_invariants(const P& problem, const typename P::State& start,
                                    const typename P::Algebraic& w, const Interval& span,
                                    const Options& options, const MethodChoice& chosen,
                                    const Monitors& monitors) {
  const auto system = dae_system_of(problem, start, w, span.begin);
  return solve_projected_invariants(*system, VecX(start), span, options, chosen.scheme(), monitors);
}

}  // namespace daewave::ivp
