#pragma once
// A run of the time loop with a step of any formula.

#include "ivp/options/options.hpp"
#include "ivp/run/monitors.hpp"
#include "ivp/run/solution.hpp"
#include "ivp/run/step.hpp"

namespace daewave::ivp {

/// Integrates from z0 over `span`; end < begin goes backward.
///
/// The start and the end are always given out, the end being where the run came to.
/// @throws InvalidOption, before any step. Numerical failure is told by the report.
Solution integrate(Step& step, const VecX& z0, const Interval& span, const Options& options,
                   const Monitors& monitors = {});

}  // namespace daewave::ivp
