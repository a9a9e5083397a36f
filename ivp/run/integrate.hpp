#pragma once
// A run of the time loop with a step of any formula.

#include "ivp/options/options.hpp"
#include "ivp/run/loop_step.hpp"
#include "ivp/run/monitors.hpp"
#include "ivp/run/solution.hpp"
#include "ivp/run/step.hpp"

namespace daewave::ivp {

/// Integrates from the start of the step over `span`; end < begin goes backward.
///
/// The start and the end are always given out, the end being where the run came to.
/// @throws InvalidOption, before any step. Numerical failure is told by the report.
Solution integrate(LoopStep& step, const Interval& span, const Options& options);

/// The same of a `Step`, from z0.
template <Step S>
Solution integrate(S& step, const typename S::State& z0, const Interval& span,
                   const Options& options, const Monitors<typename S::State>& monitors = {}) {
  LoopStepOf<S> seen(step, z0, monitors);
  return integrate(static_cast<LoopStep&>(seen), span, options);
}

}  // namespace daewave::ivp
