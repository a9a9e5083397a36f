#pragma once
// A run that starts anew at events that change the state, where f jumps in t, and at checkpoints.

#include <functional>
#include <string>
#include <vector>

#include "ivp/options/options.hpp"
#include "ivp/run/checkpointer.hpp"
#include "ivp/run/event_changes.hpp"
#include "ivp/run/monitors.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::ivp {

/// What a run with restarts is made of.
struct Restarted {
  /// A run of its own from a consistent state.
  std::function<Solution(const VecX& z, const Interval& span, const Options& options,
                         const Piece& piece)>
      run;
  EventChanges::MakeConsistent make_consistent;
  bool second_order = false;    ///< The state is (q, v).
  EventChanges::Slope slope{};  ///< Empty where there is none.
  Settings settings{};          ///< Of checkpoints, see settings_of(); empty where there are none.
};

/// One run where nothing starts anew. Else as many as it takes, given as one; steps, times and what
/// a report counts are those of all.
/// @param options  checked.  @throws InvalidOption for restart_times outside of the interval.
Solution solve_with_restarts(const Restarted& how, const VecX& start, const Interval& span,
                             const Options& options);

}  // namespace daewave::ivp
