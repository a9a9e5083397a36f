#pragma once
// From a task, known at run time, to the types of what does it: of a few sizes in the type, where
// that pays, and of sizes known at run time. For files that are compiled for one instruction set.

#include "core/regularize/lane_multibody_point.hpp"
#include "core/regularize/lane_regularize_index2.hpp"
#include "core/regularize/regularize_index3.hpp"
#include "ivp/lanes/compiled_lanes.hpp"

namespace daewave::ivp::detail {

/// Returns make(problem, R*, sizes), R being the regularized problem of the form.
template <class Problem, class Make>
auto with_lane_form(Evaluation& evaluation, const LaneTask& task, Make make) {
  const Regularization& form = task.form;
  const bool curvature = form.variant == Variant::invariant_reduced || form.alpha1 != 0;
  const Problem problem(evaluation, task.sizes, curvature);
  const int nq = task.sizes.nq, nl = task.sizes.nl();
  const auto made = [&]<class R>(R* type, int carried) {
    return make(problem, type, LaneIterateSizes<R>(problem.state_size(), carried));
  };
  if constexpr (requires { problem.nx(); }) {
    if (carries_By(form.variant)) return made(static_cast<LaneSingular2<Problem>*>(nullptr), nq);
    return made(static_cast<LaneIndex2<Problem>*>(nullptr), nl);
  } else {
    using Point = LaneMultibodyPoint<Problem>;
    if (form.variant == Variant::singular) {
      return made(static_cast<RegularizedSingular3<Point>*>(nullptr), nq);
    }
    if constexpr (Problem::fixed_nq == Dynamic) {
      if (form.variant == Variant::invariant_reduced) {
        return made(static_cast<RegularizedReduced<Point>*>(nullptr), 2 * nl);
      }
    }
    return made(static_cast<RegularizedIndex3<Point>*>(nullptr), nl);
  }
}

/// Returns run(Problem*).
template <class T, class Run>
auto with_lane_problem(const LaneTask& task, Run run) {
  const auto is = [&task](int nq, int nl) {
    return task.sizes.nq == nq && task.sizes.nl() == nl &&
           task.form.variant != Variant::invariant_reduced;
  };
  if (task.kind == Kind::index_2) {
    if (is(2, 1)) return run(static_cast<LaneIndexTwo<T, 2, 1>*>(nullptr));
    if (is(4, 2)) return run(static_cast<LaneIndexTwo<T, 4, 2>*>(nullptr));
    return run(static_cast<LaneIndexTwo<T, Dynamic, Dynamic>*>(nullptr));
  }
  if (task.diagonal) {
    if (is(2, 1)) return run(static_cast<LaneMultibody<T, 2, 1, true>*>(nullptr));
    if (is(6, 5)) return run(static_cast<LaneMultibody<T, 6, 5, true>*>(nullptr));
    return run(static_cast<LaneMultibody<T, Dynamic, Dynamic, true>*>(nullptr));
  }
  if (is(2, 1)) return run(static_cast<LaneMultibody<T, 2, 1, false>*>(nullptr));
  if (is(7, 6)) return run(static_cast<LaneMultibody<T, 7, 6, false>*>(nullptr));
  return run(static_cast<LaneMultibody<T, Dynamic, Dynamic, false>*>(nullptr));
}

}  // namespace daewave::ivp::detail
