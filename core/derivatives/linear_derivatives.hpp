#pragma once
// Derivatives of the constraint of a linear DAE by differences, asked for visibly in the call:
//
//   bvp::solve(with_differences(problem), {.alpha1 = 1.0});

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "core/derivatives/agreeing_steps.hpp"
#include "core/problem/linear_problem.hpp"
#include "core/types.hpp"

namespace daewave {

namespace detail {

/// Fourth-order difference of f at t within the interval, of 1e-2 of its length or of one,
/// whichever is smaller, and of smaller steps, or of longer ones, up to a quarter of `longest`,
/// where these are rounding: see AgreeingSteps.
template <class F>
auto difference(F f, double t, const Interval& interval, double longest = 1) {
  const auto middle = f(t).eval();
  using Values = std::decay_t<decltype(middle)>;
  FivePoints<Values> points{middle, middle, middle, middle, middle};
  bool inside = true;
  const auto to_one_side = [&](double s) -> Values {
    return (-25 * middle + 48 * f(t + s) - 36 * f(t + 2 * s) + 16 * f(t + 3 * s) -
            3 * f(t + 4 * s)) /
           (12 * s);
  };
  const auto with_step = [&](double d) -> Values {
    // Five equidistant points around t, moved inside near an end of the interval.
    inside = t - 2 * d >= interval.begin && t + 2 * d <= interval.end;
    if (!inside) return to_one_side(t - 2 * d < interval.begin ? d : -d);
    points.far_left = f(t - 2 * d);
    points.left = f(t - d);
    points.right = f(t + d);
    points.far_right = f(t + 2 * d);
    const Values around = points.first(d);
    if (around.allFinite()) return around;
    // f may be of one side alone, as a root of t at its begin.
    for (const double s : {d, -d}) {
      const Values beside = to_one_side(s);
      inside = !beside.allFinite();
      if (!inside) return beside;
    }
    return around;
  };
  // None of the steps is a multiple of another one: to all of these a wave of one length is the
  // same.
  constexpr double ratio = 0.2679491924311227065;
  constexpr int most_steps = 12;
  const double unit = std::min(1.0, interval.length());
  constexpr double wide = 1e-2;
  double d = wide * unit;
  const Values first = with_step(d);
  AgreeingSteps<Values> agreeing(first);
  // f may vanish here without its terms.
  SizeOfTerms<Values> terms(first);
  const auto rounding = [&]() -> Values {
    return 2 * std::numeric_limits<double>::epsilon() * (middle.cwiseAbs() + unit * terms.size());
  };
  const auto see = [&](AgreeingSteps<Values>& steps) {
    const Values result = with_step(d);
    terms.see(result);
    return steps.see(result,
                     [&](Eigen::Index entry) { return !inside || points.foresees_middle(entry); });
  };
  constexpr int by_chance = 2;  // So many may agree that have passed over a wave.
  for (int i = 1; i < most_steps; ++i) {
    d *= ratio;
    if ((i > by_chance || agreeing.are_the_same()) && !agreeing.may_improve(rounding() / d)) break;
    see(agreeing);
  }
  const Values enough = (1e-11 * (1 / longest + first.array().abs())).matrix();
  if (!agreeing.is_rounding(enough)) return agreeing.best();
  constexpr int most_worse = 4;
  AgreeingSteps<Values> longer(first);
  d = wide * unit;
  for (int i = 1, worse = 0; i < most_steps && worse <= most_worse; ++i) {
    d /= ratio;
    if (4 * d > longest) break;
    worse = see(longer) ? 0 : worse + 1;
    if (i > by_chance && !longer.may_improve(enough)) break;
  }
  agreeing.take_of_rounding(longer, enough);
  return agreeing.best();
}

}  // namespace detail

/// A problem with C' and r' by differences; accurate to about 1e-11 for coefficients that vary on a
/// scale of one, to about 1e-11 / d on a scale of d. Costs some 20 evaluations of C and r per
/// point.
template <LinearBvDae P>
class WithDifferences : public P {
 public:
  explicit WithDifferences(P problem) : P(std::move(problem)) {}

  auto C_t(double t) const {
    return detail::difference([this](double s) { return P::C(s); }, t, P::interval(),
                              P::interval().length());
  }
  auto r_t(double t) const {
    return detail::difference([this](double s) { return P::r(s); }, t, P::interval(),
                              P::interval().length());
  }
};

template <LinearBvDae P>
WithDifferences<P> with_differences(P problem) {
  return WithDifferences<P>(std::move(problem));
}

}  // namespace daewave
