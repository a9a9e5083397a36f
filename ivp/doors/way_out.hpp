#pragma once
// What to try after a run has failed: settings that were tried, and come through.
//
// Which of them do depends on the problem, the state and the numbers; what a method says of itself
// where it fails is a guess, and two that name each other lead around in a circle. So the advice of
// a failed run is looked for by runs, each a bounded number of steps long and all of them about as
// much time as was spent. They give nothing out.

#include <functional>

#include "core/types.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::ivp {

using SolveWith = std::function<Solution(const Options&)>;

/// Writes into Report::advice of a solution that is not usable what was found, or that nothing was,
/// before what it says of the problem. Settings are written as NAME = VALUE and as "leave NAME
/// open", those that belong together joined by "with"; ways out are apart by "; ".
/// @param solve  of the same problem, start and interval.
void seek_way_out(const Options& options, const Interval& span, const SolveWith& solve,
                  Solution& failed);

}  // namespace daewave::ivp
