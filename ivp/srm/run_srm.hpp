#pragma once
// A run of all iterates of a sequential regularization, in the order of the loops asked for.

#include <functional>
#include <memory>

#include "ivp/options/options.hpp"
#include "ivp/run/checkpointer.hpp"
#include "ivp/run/monitors.hpp"
#include "ivp/run/solution.hpp"
#include "ivp/srm/srm_step.hpp"

namespace daewave::ivp {

/// What a run has to know of a problem.
struct SrmProblem {
  std::unique_ptr<RegularizedOde> ode;
  VecX start;
  InitialIterate y_0{};
  Monitors monitors{};
  /// Of any state; the end is looked at, and of sweeps each node, where monitors.drift says so.
  std::function<Drift(double t, const VecX& z)> drift{};
  bool one_suffices = false;  ///< As SrmChoices has it.
};

/// @param asked     of it the loops, and whether alpha1 is 0. @param options  checked, both.
/// @param settings  what checkpoints of this run are marked with.
/// @throws InvalidOption
Solution run_srm(const SrmProblem& problem, const SrmFormula& formula, int iterates,
                 const Interval& span, const Srm& asked, const Options& options,
                 Settings settings = {});

}  // namespace daewave::ivp
