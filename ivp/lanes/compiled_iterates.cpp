// Compiled once for each instruction set, as CMakeLists.txt says: nothing that is not named by the
// set may be left behind here (tests/lane_symbols_test.py).

#include "ivp/lanes/lanes_by_size.hpp"
#include "ivp/lanes/skewed_iterates.hpp"

namespace daewave::ivp {
namespace {

template <class T>
SkewedIterates* iterates_in(Evaluation* evaluation, const LaneTask& task) {
  return detail::with_lane_problem<T>(task, [&]<class Problem>(Problem*) {
    return detail::with_lane_form<Problem>(
        *evaluation, task,
        [&]<class R>(const Problem& problem, R*,
                     const LaneIterateSizes<R>& sizes) -> SkewedIterates* {
          return new SkewedIteratesOf<R, Problem>(evaluation, problem, sizes, task.form,
                                                  task.formula, task.iterates, task.rescue);
        });
  });
}

}  // namespace

SkewedIterates* compiled_iterates(CompiledSimd, Evaluation* evaluation, const LaneTask& task) {
  // As many as a register has numbers, or 8: each width is compiled. Registers of two are those of
  // old machines: one width.
  constexpr int numbers = CompiledSimd::numbers < 4 ? 8 : CompiledSimd::numbers;
  if (task.iterates <= numbers) return iterates_in<Lanes<numbers, CompiledSimd>>(evaluation, task);
  return iterates_in<Lanes<8, CompiledSimd>>(evaluation, task);
}

}  // namespace daewave::ivp
