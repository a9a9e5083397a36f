// Compiled once for each instruction set, as CMakeLists.txt says: nothing that is not named by the
// set may be left behind here (tests/lane_symbols_test.py).

#include "ivp/lanes/lanes_by_size.hpp"
#include "ivp/lanes/members_in_lanes.hpp"

namespace daewave::ivp {

MembersInLanes* compiled_members(CompiledSimd, Evaluation* evaluation, const LaneTask& task) {
  using T = Lanes<CompiledSimd::numbers, CompiledSimd>;
  return detail::with_lane_problem<T>(task, [&]<class Problem>(Problem*) {
    return detail::with_lane_form<Problem>(
        *evaluation, task,
        [&]<class R>(const Problem& problem, R*,
                     const LaneIterateSizes<R>& sizes) -> MembersInLanes* {
          return new MembersInLanesOf<R, Problem>(evaluation, problem, sizes, task.form,
                                                  task.formula, task.iterates, task.rescue,
                                                  task.energy);
        });
  });
}

}  // namespace daewave::ivp
