#pragma once
// Derivatives of the constraint of a linear DAE by differences, asked for visibly in the call:
//
//   bvp::solve(with_differences(problem), {.alpha1 = 1.0});

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "core/problem/linear_problem.hpp"
#include "core/types.hpp"

namespace daewave {

namespace detail {

/// Fourth-order difference of f at t within the interval, with the step of three whose result
/// agrees best with that of the step before it.
template <class F>
auto difference(F f, double t, const Interval& interval) {
  const auto with_step = [&](double d) {
    // Five equidistant points around t, moved inside near an end of the interval.
    const double shift = t - 2 * d < interval.begin ? 2 : t + 2 * d > interval.end ? -2 : 0;
    if (shift == 0) {
      return ((f(t - 2 * d) - f(t + 2 * d) + 8 * (f(t + d) - f(t - d))) / (12 * d)).eval();
    }
    const double s = shift > 0 ? d : -d;
    return ((-25 * f(t) + 48 * f(t + s) - 36 * f(t + 2 * s) + 16 * f(t + 3 * s) -
             3 * f(t + 4 * s)) /
            (12 * s))
        .eval();
  };
  const double unit = std::min(1.0, interval.length());
  auto best = with_step(1e-2 * unit);
  auto previous = best;
  double smallest = std::numeric_limits<double>::infinity();
  for (double d : {2.5e-3 * unit, 6e-4 * unit, 1.5e-4 * unit}) {
    const auto current = with_step(d);
    const double gap = current.size() == 0 ? 0.0 : (current - previous).cwiseAbs().maxCoeff();
    if (gap < smallest) {
      smallest = gap;
      best = current;
    }
    previous = current;
  }
  return best;
}

}  // namespace detail

/// A problem with C' and r' by differences; accurate to about 1e-11 for coefficients that vary on a
/// scale of one. Costs 20 evaluations of C and r per point.
template <LinearBvDae P>
class WithDifferences : public P {
 public:
  explicit WithDifferences(P problem) : P(std::move(problem)) {}

  auto C_t(double t) const {
    return detail::difference([this](double s) { return P::C(s); }, t, P::interval());
  }
  auto r_t(double t) const {
    return detail::difference([this](double s) { return P::r(s); }, t, P::interval());
  }
};

template <LinearBvDae P>
WithDifferences<P> with_differences(P problem) {
  return WithDifferences<P>(std::move(problem));
}

}  // namespace daewave
