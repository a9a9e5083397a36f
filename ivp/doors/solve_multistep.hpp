#pragma once
// Runs of multistep formulas, which see a problem as a DaeSystem and are compiled once.

#include <string>
#include <vector>

#include "ivp/equations/dae_system_of.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/monitors.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::ivp {

/// BDF of variable order with projection onto the invariants, [Eich] section 2, or, where
/// Options::method says so, with multipliers for them, [ACPR] (3.3).
///
/// With h fixed the order is fixed too, Options::multistep.order or 4, and the values it starts
/// from are computed to nearly rounding.
/// @param system   of any problem: dae_system_of(). @param z0  consistent.
/// @param options  checked.
/// @throws InvalidOption where the problem has no mass or energy that a projection asks for.
Solution run_bdf(DaeSystem& system, const VecX& z0, const Interval& span, const Options& options,
                 const Monitors& monitors);

/// @param start  consistent. @param options  checked. @throws InvalidOption as above.
template <Dae P>
requires Reducible<P> Solution solve_bdf(const P& problem, const StateOf<P>& start,
                                         const Interval& span, const Options& options,
                                         const Monitors& monitors) {
  const auto system = dae_system_of(problem, start, span.begin, options.multistep.form,
                                    options.regularize.rank_tolerance);
  return run_bdf(*system, VecX(start), span, options, monitors);
}

/// @param w  near the algebraic unknowns of the start.
template <InvariantDae P>
Solution solve_bdf(const P& problem, const typename P::State& start, const typename P::Algebraic& w,
                   const Interval& span, const Options& options, const Monitors& monitors) {
  const auto system = dae_system_of(problem, start, w, span.begin, options.multistep.form);
  return run_bdf(*system, VecX(start), span, options, monitors);
}

}  // namespace daewave::ivp
