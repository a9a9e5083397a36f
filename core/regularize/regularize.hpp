#pragma once
// From a problem and a form, known at run time, to the ordinary problem of its iterates.

#include <memory>
#include <utility>

#include "core/regularize/regularize_index2.hpp"
#include "core/regularize/regularize_multibody.hpp"
#include "core/regularize/regularized_ode_of.hpp"

namespace daewave {

namespace detail {

template <class R, Dae P>
std::unique_ptr<RegularizedOde> regularized(const P& problem, const Regularization& form,
                                            const StateOf<P>& x, double t) {
  R ode(problem, form);
  int carried = R::Carried::RowsAtCompileTime;
  if constexpr (R::Carried::RowsAtCompileTime == Dynamic) {
    carried = static_cast<int>(ode.none(x, t).size());
  }
  return std::make_unique<RegularizedOdeOf<R>>(std::move(ode), static_cast<int>(x.size()), carried);
}

}  // namespace detail

/// The problem in that form. The problem must outlive it.
/// @param x  any state at t: for sizes that the type of the problem does not tell.
/// @throws InvalidOption where the problem has no such form, or its numbers are wrong.
template <Dae P>
std::unique_ptr<RegularizedOde> regularize(const P& problem, const Regularization& form,
                                           const StateOf<P>& x, double t = 0) {
  if constexpr (SemiExplicitDae<P>) {
    if (carries_By(form.variant)) {
      return detail::regularized<RegularizedSingular2<P>>(problem, form, x, t);
    }
    return detail::regularized<RegularizedIndex2<P>>(problem, form, x, t);
  } else {
    using Point = PointOf<P>;
    if (form.variant == Variant::singular) {
      return detail::regularized<RegularizedSingular3<Point>>(problem, form, x, t);
    }
    if (form.variant == Variant::invariant_reduced) {
      return detail::regularized<RegularizedReduced<Point>>(problem, form, x, t);
    }
    return detail::regularized<RegularizedIndex3<Point>>(problem, form, x, t);
  }
}

}  // namespace daewave
