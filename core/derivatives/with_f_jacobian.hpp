#pragma once
// Derivatives of f, and of r, of problems whose constraints are not differentiated, by automatic
// differentiation, asked for visibly in the call:
//
//   problem_of(with_autodiff(problem))
//
// f and r are templates on one scalar,
//
//   template <class T> VecOf<T, nx> f(const VecOf<T, nx>& x, T t) const;
//   template <class T> VecOf<T, nx> f(const VecOf<T, nx>& x, const VecOf<T, nw>& w, T t) const;

#include <utility>

#include "core/derivatives/autodiff.hpp"

namespace daewave {

namespace detail {

/// dF/dx of a function of (x, w, t), w fixed, or of (x, w, t) by w.
template <class L, class X, class W, class F>
auto derivative_by_first(F f, const X& x, const W& w, double t) {
  using T = Seeded<X>;
  const Rebind<W, T> fixed = w.template cast<T>();
  return jacobian<L>([&](const Rebind<X, T>& at) { return f(at, fixed, T(t)); }, x);
}
template <class L, class X, class W, class F>
auto derivative_by_second(F f, const X& x, const W& w, double t) {
  using T = Seeded<W>;
  const Rebind<X, T> fixed = x.template cast<T>();
  return jacobian<L>([&](const Rebind<W, T>& at) { return f(fixed, at, T(t)); }, w);
}

}  // namespace detail

/// An ordinary equation with f_x(x, t).
template <OrdinaryEquation P>
struct OrdinaryWithAutodiff : P {
  explicit OrdinaryWithAutodiff(P problem) : P(std::move(problem)) {}

  auto f_x(const typename P::State& x, double t) const {
    using X = typename P::State;
    using T = detail::Seeded<X>;
    return detail::jacobian<X>([&](const detail::Rebind<X, T>& at) { return P::f(at, T(t)); }, x);
  }
};

/// Of index 1, with f_w, and f_x and r_x or, with invariants, f_z and r_z.
template <class P>
requires(ImplicitEquation<P> || InvariantDae<P>) struct IndexOneWithAutodiff : P {
  using X = typename P::State;
  using W = typename P::Algebraic;

  explicit IndexOneWithAutodiff(P problem) : P(std::move(problem)) {}

  auto f_x(const X& x, const W& w, double t) const requires ImplicitEquation<P> {
    return by_state_of_f(x, w, t);
  }
  auto r_x(const X& x, const W& w, double t) const requires ImplicitEquation<P> {
    return by_state_of_r(x, w, t);
  }
  auto f_z(const X& x, const W& w, double t) const requires InvariantDae<P> {
    return by_state_of_f(x, w, t);
  }
  auto r_z(const X& x, const W& w, double t) const requires InvariantDae<P> {
    return by_state_of_r(x, w, t);
  }
  auto f_w(const X& x, const W& w, double t) const {
    const P& problem = *this;
    return detail::derivative_by_second<X>(
        [&problem](const auto& at, const auto& v, auto s) { return problem.f(at, v, s); }, x, w, t);
  }

 private:
  auto by_state_of_f(const X& x, const W& w, double t) const {
    const P& problem = *this;
    return detail::derivative_by_first<X>(
        [&problem](const auto& at, const auto& v, auto s) { return problem.f(at, v, s); }, x, w, t);
  }
  auto by_state_of_r(const X& x, const W& w, double t) const {
    const P& problem = *this;
    return detail::derivative_by_first<W>(
        [&problem](const auto& at, const auto& v, auto s) { return problem.r(at, v, s); }, x, w, t);
  }
};

/// The problem with derivatives of f and r, for Newton's methods; to rounding. About 1 + nx + nw
/// evaluations.
template <OrdinaryEquation P>
auto with_autodiff(P problem) {
  return OrdinaryWithAutodiff<P>(std::move(problem));
}
template <class P>
requires(ImplicitEquation<P> || InvariantDae<P>) auto with_autodiff(P problem) {
  return IndexOneWithAutodiff<P>(std::move(problem));
}

}  // namespace daewave
