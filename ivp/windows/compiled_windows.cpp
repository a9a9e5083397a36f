// Compiled once for each instruction set, as CMakeLists.txt says: nothing that is not named by the
// set may be left behind here (tests/lane_symbols_test.py).

#include "ivp/windows/lane_chain_sweeps.hpp"
#include "ivp/windows/lane_sweeps.hpp"

namespace daewave::ivp {

WindowSweeps* compiled_windows(CompiledSimd, Evaluation* evaluation, const WindowTask& task) {
  using T = Lanes<WindowFormula::nodes, CompiledSimd>;
  const auto is = [&task](int nq, int nl) { return task.sizes.nq == nq && task.sizes.nl() == nl; };
  if (task.chain) return new LaneChainSweeps<T>(evaluation, task);
  if (task.diagonal) {
    if (is(2, 1)) return new LaneSweeps<T, 2, 1, true>(evaluation, task);
    if (is(4, 2)) return new LaneSweeps<T, 4, 2, true>(evaluation, task);
    return new LaneSweeps<T, Dynamic, Dynamic, true>(evaluation, task);
  }
  if (is(2, 1)) return new LaneSweeps<T, 2, 1, false>(evaluation, task);
  if (is(7, 6)) return new LaneSweeps<T, 7, 6, false>(evaluation, task);
  return new LaneSweeps<T, Dynamic, Dynamic, false>(evaluation, task);
}

}  // namespace daewave::ivp
