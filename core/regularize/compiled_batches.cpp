// Compiled once for each instruction set, as CMakeLists.txt says: nothing that is not named by the
// set may be left behind here (tests/lane_symbols_test.py).

#include "core/regularize/batch_in_lanes.hpp"
#include "core/regularize/lane_multibody_point.hpp"
#include "core/regularize/lane_regularize_index2.hpp"
#include "core/regularize/regularize_index3.hpp"

namespace daewave {
namespace {

using T = Lanes<CompiledSimd::numbers, CompiledSimd>;

template <class Problem>
RegularizedBatch* batch_of(Evaluation* evaluation, const BatchTask& task) {
  const Regularization& form = task.form;
  const bool curvature = form.variant == Variant::invariant_reduced || form.alpha1 != 0;
  const Problem problem(*evaluation, task.sizes, curvature);
  const int nq = task.sizes.nq, nl = task.sizes.nl();
  if constexpr (requires { problem.nx(); }) {
    if (carries_By(form.variant)) {
      return new BatchInLanes<LaneSingular2<Problem>, Problem>(evaluation, problem, task, nq);
    }
    return new BatchInLanes<LaneIndex2<Problem>, Problem>(evaluation, problem, task, nl);
  } else {
    using Point = LaneMultibodyPoint<Problem>;
    if (form.variant == Variant::singular) {
      return new BatchInLanes<RegularizedSingular3<Point>, Problem>(evaluation, problem, task, nq);
    }
    if constexpr (Problem::fixed_nq == Dynamic) {
      if (form.variant == Variant::invariant_reduced) {
        return new BatchInLanes<RegularizedReduced<Point>, Problem>(evaluation, problem, task,
                                                                    2 * nl);
      }
    }
    return new BatchInLanes<RegularizedIndex3<Point>, Problem>(evaluation, problem, task, nl);
  }
}

}  // namespace

RegularizedBatch* compiled_batch(CompiledSimd, Evaluation* evaluation, const BatchTask& task) {
  const auto is = [&task](int nq, int nl) {
    return task.sizes.nq == nq && task.sizes.nl() == nl &&
           task.form.variant != Variant::invariant_reduced;
  };
  if (task.kind == Kind::index_2) {
    if (is(2, 1)) return batch_of<LaneIndexTwo<T, 2, 1>>(evaluation, task);
    return batch_of<LaneIndexTwo<T, Dynamic, Dynamic>>(evaluation, task);
  }
  if (task.diagonal) {
    if (is(2, 1)) return batch_of<LaneMultibody<T, 2, 1, true>>(evaluation, task);
    if (is(6, 5)) return batch_of<LaneMultibody<T, 6, 5, true>>(evaluation, task);
    return batch_of<LaneMultibody<T, Dynamic, Dynamic, true>>(evaluation, task);
  }
  if (is(2, 1)) return batch_of<LaneMultibody<T, 2, 1, false>>(evaluation, task);
  return batch_of<LaneMultibody<T, Dynamic, Dynamic, false>>(evaluation, task);
}

}  // namespace daewave
