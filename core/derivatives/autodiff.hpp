#pragma once
// Derivatives of the constraints without a line of algebra, asked for visibly in the call:
//
//   ivp::solve(with_autodiff(problem), ...);
//
// where the problem writes g (and w) as a template on its scalar, the time included:
//
//   template <class T> VecOf<T, 1> g(const VecOf<T, 2>& q, T t) const;
//   template <class T> VecOf<T, 1> w(const VecOf<T, 3>& q, const VecOf<T, 3>& v, T t) const;
//
// G and K by a Dual with some directions at once, g_t and the curvatures by a Taylor2 along (v, 1).

#include <algorithm>
#include <utility>

#include "core/derivatives/dual.hpp"
#include "core/derivatives/taylor2.hpp"
#include "core/derivatives/with_derivatives.hpp"
#include "core/eigen_memory.hpp"
#include "core/problem/dae.hpp"
#include "core/problem/say_what_is_missing.hpp"
#include "core/problem/terms.hpp"

namespace daewave {

namespace detail {

/// How many derivatives are taken along in one evaluation.
template <class X>
inline constexpr int seeds = rows<X> != Dynamic&& rows<X> <= 16 ? rows<X> : 8;
template <class X>
using Seeded = Dual<double, seeds<X>>;

/// df/dx at x, some columns at a time, of a function of the seeded x that returns an L.
template <class L, class X, class F>
JacobianFor<L, X> jacobian(F f, const X& x) {
  constexpr int width = seeds<X>;
  using T = Seeded<X>;
  Rebind<X, T> seeded = x.template cast<T>();
  JacobianFor<L, X> J;
  const int nx = static_cast<int>(x.size());
  for (int from = 0; from < nx; from += width) {
    const int count = std::min(width, nx - from);
    for (int j = 0; j < count; ++j) seeded[from + j] = T(x[from + j], j);
    const Rebind<L, T> value = f(seeded);
    if (from == 0) J.resize(value.size(), nx);
    for (int i = 0; i < value.size(); ++i) {
      for (int j = 0; j < count; ++j) J(i, from + j) = value[i].d[j];
    }
    for (int j = 0; j < count; ++j) seeded[from + j] = T(x[from + j]);
  }
  return J;
}

/// x + s v.
template <class X>
Rebind<X, Taylor2> along(const X& x, const X& v) {
  Rebind<X, Taylor2> line(x.size());
  for (int i = 0; i < x.size(); ++i) line[i] = Taylor2(x[i], v[i], 0);
  return line;
}

template <class L>
L first_of(const Rebind<L, Taylor2>& value) {
  L first(value.size());
  for (int i = 0; i < value.size(); ++i) first[i] = value[i].first;
  return first;
}
template <class L>
L second_of(const Rebind<L, Taylor2>& value) {
  L second(value.size());
  for (int i = 0; i < value.size(); ++i) second[i] = value[i].second;
  return second;
}

template <class P, class T>
concept ConstraintOn = requires(const P& problem, const Rebind<ConfigurationOf<P>, T>& q, T t) {
  problem.g(q, t);
};
template <class P, class T>
concept VelocityConstraintOn = requires(const P& problem, const Rebind<ConfigurationOf<P>, T>& q,
                                        T t) {
  problem.w(q, q, t);
};

template <class P>
inline constexpr bool g_is_differentiable = ConstraintOn<P, Taylor2> ||
                                            (GivesG<P> && GivesGt<P> &&
                                             (SemiExplicitDae<P> || GivesCurvature<P>));
template <class P>
inline constexpr bool w_is_differentiable = true;
template <HasVelocityConstraint P>
inline constexpr bool w_is_differentiable<P> = VelocityConstraintOn<P, Taylor2> ||
                                               (GivesK<P> && Givesk<P> && GivesWCurvature<P>);
template <class P>
concept DerivableByAutodiff =
    StatesProblem<P> && Dae<P> && g_is_differentiable<P> && w_is_differentiable<P>;

/// A Source of derivatives (core/derivatives/with_derivatives.hpp), exact to rounding.
struct Autodiff {
  static constexpr bool of_any_scalar = true;

  template <class P, class X = ConfigurationOf<P>>
  static auto G(const P& problem, const X& q, double t) {
    using T = Seeded<X>;
    demand_template<P, T>();
    return jacobian<typename P::Multiplier>(
        [&problem, t](const Rebind<X, T>& at) { return problem.g(at, T(t)); }, q);
  }

  template <class P, class X = ConfigurationOf<P>>
  static auto g_t(const P& problem, const X& q, double t) {
    demand_template<P, Taylor2>();
    const X rest = X::Zero(q.size());
    return first_of<typename P::Multiplier>(problem.g(along(q, rest), Taylor2(t, 1, 0)));
  }

  template <class P, class X = ConfigurationOf<P>>
  static auto curvature(const P& problem, const X& q, const X& v, double t) {
    demand_template<P, Taylor2>();
    return second_of<typename P::Multiplier>(problem.g(along(q, v), Taylor2(t, 1, 0)));
  }

  template <class P, class X = ConfigurationOf<P>>
  static auto K(const P& problem, const X& q, double t) {
    using T = Seeded<X>;
    demand_velocity_template<P, T>();
    const Rebind<X, T> at = q.template cast<T>();
    const X rest = X::Zero(q.size());
    return jacobian<typename P::VelocityMultiplier>(
        [&problem, &at, t](const Rebind<X, T>& v) { return problem.w(at, v, T(t)); }, rest);
  }

  template <class P, class X = ConfigurationOf<P>>
  static auto w_curvature(const P& problem, const X& q, const X& v, double t) {
    demand_velocity_template<P, Taylor2>();
    const Rebind<X, Taylor2> fixed = v.template cast<Taylor2>();
    return first_of<typename P::VelocityMultiplier>(
        problem.w(along(q, v), fixed, Taylor2(t, 1, 0)));
  }

  template <class P>
  static void demand_templates() {
    if constexpr (!detail::g_is_differentiable<P>) {
      demand_template<P, Taylor2>();
    } else {
      demand_velocity_template<P, Taylor2>();
    }
  }

 private:
  template <class P, class T>
  static void demand_template() {
    static_assert(ConstraintOn<P, T>,
                  "with_autodiff: write g as a template on the scalar of q and of t, "
                  "template <class T> VecOf<T, ny> g(const VecOf<T, nq>& q, T t) const; "
                  "or give its derivatives; or use with_differences(problem)");
  }
  template <class P, class T>
  static void demand_velocity_template() {
    static_assert(VelocityConstraintOn<P, T>,
                  "with_autodiff: write w as a template on the scalar of q, v and t, template "
                  "<class T> VecOf<T, nk> w(const VecOf<T, nq>& q, const VecOf<T, nq>& v, T t) "
                  "const; or give its derivatives; or use with_differences(problem)");
  }
};

}  // namespace detail

template <Dae P>
using WithAutodiff = detail::WithDerivatives<P, detail::Autodiff>;

/// The problem with G, g_t and, for index 3, curvature of g, and with K, k and w_curvature of w; to
/// rounding.
///
/// Derivatives that the problem gives itself are kept. g may use sin, cos, tan, asin, acos, sinh,
/// cosh, tanh, exp, log, sqrt, abs and pow(x, number), written `using std::sin; sin(x)`, and
/// Eigen's algebra. Fixed and bounded sizes take no memory from the heap. Costs of one evaluation
/// of g: about 1 + nq for G, 3 for g_t and for the curvature.
template <Dae P>
requires detail::DerivableByAutodiff<P> WithAutodiff<P> with_autodiff(P problem) {
  return WithAutodiff<P>(std::move(problem));
}

/// Of what is no problem, or has no function for other numbers: the compiler says what it lacks.
template <class P>
requires(!detail::StatesProblem<P> || (Dae<P> && !detail::DerivableByAutodiff<P>)) detail::NoProblem
    with_autodiff(const P&) {
  if constexpr (!detail::StatesProblem<P>) {
    detail::say_what_is_missing<P>();
  } else {
    detail::Autodiff::demand_templates<P>();
  }
  return {};
}

}  // namespace daewave
