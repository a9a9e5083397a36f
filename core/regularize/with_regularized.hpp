#pragma once
// From a problem and a form, known at run time, to the class that evaluates it.

#include "core/regularize/regularize_index2.hpp"
#include "core/regularize/regularize_multibody.hpp"

namespace daewave {

/// Returns function(ode), ode being the RegularizedOde of the problem in that form; the results for
/// all of them must have one type. The problem must outlive it.
/// @throws InvalidOption where the problem has no such form.
template <Dae P, class Function>
auto with_regularized(const P& problem, const RegularizedForm& form, Function function) {
  if constexpr (SemiExplicitDae<P>) {
    if (carries_By(form.variant)) return function(RegularizedSingular2<P>(problem, form));
    return function(RegularizedIndex2<P>(problem, form));
  } else if constexpr (Multibody<P>) {
    if (form.variant == Variant::singular) {
      return function(RegularizedSingularMultibody<P>(problem, form));
    }
    if (form.variant == Variant::invariant_reduced) {
      return function(RegularizedReducedMultibody<P>(problem, form));
    }
    return function(RegularizedMultibody<P>(problem, form));
  } else {
    using Point = SecondOrderPoint<P>;
    if (form.variant == Variant::singular) {
      return function(RegularizedSingular3<Point>(problem, form));
    }
    if (form.variant == Variant::invariant_reduced) {
      return function(RegularizedReduced<Point>(problem, form));
    }
    return function(RegularizedIndex3<Point>(problem, form));
  }
}

}  // namespace daewave
