#pragma once
// Sweeps over the whole interval as a Solution, as the time loop would give it out.

#include <functional>

#include "ivp/options/options.hpp"
#include "ivp/run/monitors.hpp"
#include "ivp/run/solution.hpp"
#include "ivp/srm/srm_sweeps.hpp"

namespace daewave::ivp {

/// @throws InvalidOption for what whole-interval sweeps cannot do.
void check_sweeps(const Options& options);

/// Gives nothing out where a sweep fails: there is no interval in which all iterates are valid.
/// @param drift  of a state.
Solution sweep_solution(SrmSweeps& sweeps, const VecX& start, const Interval& span,
                        const Options& options, int iterates, const Monitors<VecX>& monitors,
                        const std::function<Drift(double t, const VecX& z)>& drift);

}  // namespace daewave::ivp
