#pragma once
// Derivatives of the constraints of a nonlinear DAE by differences of g and w, for a problem whose
// g cannot be a template (tables, other libraries), asked for visibly in the call:
//
//   ivp::solve(with_differences(problem), ...);
//
// and what core/derivatives/check_derivatives.hpp compares with.

#include <algorithm>
#include <limits>
#include <utility>

#include "core/derivatives/agreeing_steps.hpp"
#include "core/derivatives/linear_derivatives.hpp"
#include "core/derivatives/with_derivatives.hpp"
#include "core/eigen_memory.hpp"
#include "core/not_finite.hpp"
#include "core/problem/dae.hpp"
#include "core/problem/linear_problem.hpp"
#include "core/problem/say_what_is_missing.hpp"
#include "core/problem/terms.hpp"

namespace daewave {

namespace detail {

/// Along (v, 1) from q: a unit of s moves q and t by no more than one, or than what is seen beside
/// the rounding of q.
/// @param q, v  their largest entries.
inline double unit_of_line(double q, double v) {
  constexpr double seen = 1e-4;
  return std::max(1.0, seen * q) / std::max(1.0, v);
}

/// From q as far as q is from zero.
inline double line_to_zero(double q, double v) { return q / v; }

/// That, if it is more than a unit: what g is known to if steps of a unit are rounding.
inline double longest_line(double unit, double q, double v) {
  return std::max(unit, line_to_zero(q, v));
}

/// f'(0), f being smooth on a scale of `unit`, or of up to `longest`; the accuracy of difference().
template <class F>
auto difference_at_0(F f, double unit, double longest) {
  const double infinity = std::numeric_limits<double>::infinity();
  auto slope = difference([&](double s) { return f(unit * s); }, 0, Interval{-infinity, infinity},
                          longest / unit);
  slope /= unit;
  return slope;
}

/// f''(0): fourth-order, of a step of 8e-2 of the unit and of smaller ones, or of longer ones, up
/// to `to_zero` if that is more than a unit, where these are rounding: see AgreeingSteps.
/// @param to_zero  line_to_zero() of what f moves.
template <class F>
auto second_difference_at_0(F f, double unit, double to_zero) {
  const double longest = std::max(unit, to_zero);
  const auto middle = f(0.0);
  using Values = std::decay_t<decltype(middle)>;
  FivePoints<Values> points{middle, middle, middle, middle, middle};
  bool is_around = true;
  const auto with_step = [&](double d) -> Values {
    points.far_left = f(-2 * d);
    points.left = f(-d);
    points.right = f(d);
    points.far_right = f(2 * d);
    const Values around = points.second(d);
    is_around = true;
    if (around.allFinite()) return around;
    // f may be of one side alone, as a root of t at its begin.
    for (const double s : {d, -d}) {
      const Values beside = (45 * middle - 154 * f(s) + 214 * f(2 * s) - 156 * f(3 * s) +
                             61 * f(4 * s) - 10 * f(5 * s)) /
                            (12 * s * s);
      is_around = !beside.allFinite();
      if (!is_around) return beside;
    }
    return around;
  };
  // None of the steps is a multiple of another one: to all of these a wave of one length is the
  // same.
  constexpr double ratio = 0.4142135623730950488, wide = 8e-2;
  constexpr int most_steps = 20;
  constexpr int by_chance = 2;  // So many may agree that have passed over a wave.
  double d = wide * unit;
  const Values first = with_step(d);
  SizeOfTerms<Values> terms(first);
  const auto see = [&](AgreeingSteps<Values>& steps) {
    const Values result = with_step(d);
    terms.see(result);
    return steps.see(
        result, [&](Eigen::Index entry) { return !is_around || points.foresees_middle(entry); });
  };
  AgreeingSteps<Values> agreeing(first);
  const auto rounding = [&]() -> Values {
    // What q is at a step, and terms with it, may be far less than what a unit makes of it (motions
    // of micrometres in microseconds).
    const double reach = std::min(unit, to_zero + 2 * d);
    return 4 * std::numeric_limits<double>::epsilon() *
           (middle.cwiseAbs() + reach * reach * terms.size());
  };
  for (int i = 1; i < most_steps; ++i) {
    d *= ratio;
    if ((i > by_chance || agreeing.are_the_same()) && !agreeing.may_improve(rounding() / (d * d)))
      break;
    see(agreeing);
  }
  // Where f has large terms (of lengths in mm, say) which cancel, or hardly changes (in seconds of
  // what takes days), what it does along the unit is less than rounding.
  const Values enough = (1e-10 * (1 / (longest * longest) + first.array().abs())).matrix();
  if (!agreeing.is_rounding(enough)) return agreeing.best();
  constexpr int most_worse = 4, most_longer = 24;
  AgreeingSteps<Values> longer(first);
  d = wide * unit;
  for (int i = 1, worse = 0; i < most_longer && worse <= most_worse; ++i) {
    d /= ratio;
    if (d > longest) break;
    worse = see(longer) ? 0 : worse + 1;
    if (i > by_chance && !longer.may_improve(enough)) break;
  }
  agreeing.take_of_rounding(longer, enough);
  return agreeing.best();
}

/// A Source of derivatives (core/derivatives/with_derivatives.hpp).
struct Differences {
  template <class P, class X = ConfigurationOf<P>>
  static auto G(const P& problem, const X& q, double t) {
    using L = typename P::Multiplier;
    JacobianFor<L, X> J;
    X at = q;
    for (int j = 0; j < q.size(); ++j) {
      const L column = difference_at_0(
          [&](double s) {
            at[j] = q[j] + s;
            return L(problem.g(at, t));
          },
          1, longest_line(1, q.template lpNorm<Eigen::Infinity>(), 1));
      at[j] = q[j];
      if (j == 0) J.resize(column.size(), q.size());
      J.col(j) = column;
    }
    return J;
  }

  template <class P, class X = ConfigurationOf<P>>
  static auto g_t(const P& problem, const X& q, double t) {
    using L = typename P::Multiplier;
    return L(difference_at_0([&](double s) { return L(problem.g(q, t + s)); }, 1,
                             std::numeric_limits<double>::infinity()));
  }

  template <class P, class X = ConfigurationOf<P>>
  static auto curvature(const P& problem, const X& q, const X& v, double t) {
    using L = typename P::Multiplier;
    return L(second_difference_at_0(
        [&](double s) { return L(problem.g(X(q + s * v), t + s)); }, unit_along(q, v),
        line_to_zero(q.template lpNorm<Eigen::Infinity>(), v.template lpNorm<Eigen::Infinity>())));
  }

  /// w is linear in v: no more than its values are needed.
  template <class P, class X = ConfigurationOf<P>>
  static auto K(const P& problem, const X& q, double t) {
    using L = typename P::VelocityMultiplier;
    X v = X::Zero(q.size());
    const L k = problem.w(q, v, t);
    JacobianFor<L, X> J(k.size(), q.size());
    for (int j = 0; j < q.size(); ++j) {
      v[j] = 1;
      J.col(j) = L(problem.w(q, v, t)) - k;
      v[j] = 0;
    }
    return J;
  }

  template <class P, class X = ConfigurationOf<P>>
  static auto w_curvature(const P& problem, const X& q, const X& v, double t) {
    using L = typename P::VelocityMultiplier;
    return L(difference_at_0([&](double s) { return L(problem.w(X(q + s * v), v, t + s)); },
                             unit_along(q, v), longest_along(q, v)));
  }

 private:
  template <class X>
  static double unit_along(const X& q, const X& v) {
    return unit_of_line(q.template lpNorm<Eigen::Infinity>(), v.template lpNorm<Eigen::Infinity>());
  }
  template <class X>
  static double longest_along(const X& q, const X& v) {
    return longest_line(unit_along(q, v), q.template lpNorm<Eigen::Infinity>(),
                        v.template lpNorm<Eigen::Infinity>());
  }
};

}  // namespace detail

/// The problem with G, g_t, curvature, K, k and w_curvature; those it gives itself are kept.
///
/// For g that varies on a scale of one in q and t: G, g_t and w_curvature to about 1e-11, the
/// curvature to about 1e-9 of |g| (1 + |v|)^2; on a shorter scale of d, by 1 / d and 1 / d^2 less,
/// on longer ones, of lengths in mm or times in years, as much relative to themselves. Where g is
/// not defined within 0.02 of q and t, for the curvature within 0.16, smaller steps are left. Costs
/// of evaluations of g: 13 to 17 nq for G, 9 to 13 for g_t, 14 to 21 for a curvature, 72 for none.
template <Dae P>
requires detail::StatesProblem<P>
auto with_differences(P problem) {
  return detail::WithDerivatives<P, detail::Differences>(std::move(problem));
}

/// Of what is no problem: the compiler says what it lacks.
template <class P>
requires(!detail::StatesProblem<P> && !LinearBvDae<P>) detail::NoProblem
    with_differences(const P&) {
  detail::say_what_is_missing<P>();
  return {};
}

}  // namespace daewave
