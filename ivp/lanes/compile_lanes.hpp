#pragma once
// Compiles the lanes of a problem for the instruction set this file is compiled for. Including it
// in one file per set, each with its own flags, gives a program all of them:
//
//   -mavx2 -mfma                                     Avx2      both with -ffp-contract=off,
//   -mavx512f -mavx512vl -mavx512dq -mavx2 -mfma     Avx512    see core/lanes/lanes.hpp
//
// Such a file must hold nothing else, and what is compiled here must not leave functions behind
// that other files share: the linker would take either. tests/ivp/lanes/lane_symbols_test.py looks.

#include "core/regularize/regularize_multibody.hpp"
#include "ivp/lanes/lane_kernels.hpp"
#include "ivp/lanes/lane_multibody_point.hpp"
#include "ivp/lanes/lane_problem.hpp"
#include "ivp/lanes/lane_regularize_index2.hpp"
#include "ivp/lanes/members_in_lanes.hpp"
#include "ivp/lanes/skewed_iterates.hpp"

namespace daewave::ivp {

namespace detail {

/// Calls function(R) with a pointer, null, of the type of the form; null where lanes have none.
/// @tparam P  the problem of doubles.  @tparam Problem  the same in lanes.
template <class Result, class P, class Problem, class Function>
Result* with_lane_form(const RegularizedForm& form, Function function) {
  if constexpr (SemiExplicitDae<P>) {
    if (carries_By(form.variant)) return function(static_cast<LaneSingular2<Problem>*>(nullptr));
    return function(static_cast<LaneIndex2<Problem>*>(nullptr));
  } else {
    using Point = LaneMultibodyPoint<Problem>;
    if (form.variant == Variant::singular) {
      return function(static_cast<RegularizedSingular3<Point>*>(nullptr));
    }
    if (form.variant == Variant::invariant_reduced) {
      return function(static_cast<RegularizedReduced<Point>*>(nullptr));
    }
    const bool solves = form.variant == Variant::baumgarte_form && form.alpha1 != 0;
    if (solves && form.weight != Weight::inverse) return nullptr;
    return function(static_cast<RegularizedIndex3<Point>*>(nullptr));
  }
}

template <class P, class T>
SkewedIterates* skewed_iterates(const P& problem, const RegularizedForm& form,
                                const LaneFormula& formula, int iterates,
                                const LaneRescue& rescue) {
  using Problem = InLanes<P, T>;
  return with_lane_form<SkewedIterates, P, Problem>(form, [&]<class R>(R*) -> SkewedIterates* {
    const Problem lanes = in_lanes<P, T>([&](int) -> const P& { return problem; });
    return new SkewedIteratesOf<R, Problem>(lanes, form, formula, iterates, rescue);
  });
}

template <class P, class Set>
SkewedIterates* skewed_iterates_of(const P& problem, const RegularizedForm& form,
                                   const LaneFormula& formula, int iterates,
                                   const LaneRescue& rescue) {
  if (iterates <= 2) {
    return skewed_iterates<P, Lanes<2, Set>>(problem, form, formula, iterates, rescue);
  }
  if (iterates <= 4) {
    return skewed_iterates<P, Lanes<4, Set>>(problem, form, formula, iterates, rescue);
  }
  return skewed_iterates<P, Lanes<8, Set>>(problem, form, formula, iterates, rescue);
}

template <class P, class Set>
MembersInLanes* members_in_lanes(const P* const* problems, const RegularizedForm& form,
                                 const LaneFormula& formula, int iterates,
                                 const LaneRescue& rescue) {
  using T = Lanes<Set::numbers, Set>;
  using Problem = InLanes<P, T>;
  return with_lane_form<MembersInLanes, P, Problem>(form, [&]<class R>(R*) -> MembersInLanes* {
    const Problem lanes = in_lanes<P, T>([&](int i) -> const P& { return *problems[i]; });
    return new MembersInLanesOf<R, Problem>(lanes, form, formula, iterates, rescue);
  });
}

}  // namespace detail

/// @tparam P  a multibody system or a DAE of index 2, of doubles, that HasLanes; fixed sizes.
template <class P, class Set = CompiledSimd>
LaneKernels<P> compile_lanes() {
  static_assert(HasLanes<P>,
                "have the problem be a template on its scalar: ivp/lanes/lane_problem.hpp");
  static_assert(Multibody<P> || SemiExplicitDae<P>, "lanes are for index 2 and multibody systems");
  return {Set::simd, 8, Set::numbers, &detail::skewed_iterates_of<P, Set>,
          &detail::members_in_lanes<P, Set>};
}

}  // namespace daewave::ivp
