#pragma once
// Derivatives that a DAE of index 1, with invariants or without, is solved with:
//
//   dr/dw (nw x nw)  for Newton's method,      H = dh/dz (nh x nz)  for projections.
//
// Those that the problem gives, r_w(z, w, t) and H(z, t), or with a matrix more that they fill;
// else by automatic differentiation where r and h are templates on one scalar, as in
// core/derivatives/autodiff.hpp,
//
//   template <class T> VecOf<T, nw> r(const VecOf<T, nz>& z, const VecOf<T, nw>& w, T t) const;
//   template <class T> VecOf<T, nh> h(const VecOf<T, nz>& z, T t) const;
//
// else by differences. Neither decides how accurate a result is, only how fast it is found.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/derivatives/autodiff.hpp"
#include "core/derivatives/moved_entries.hpp"
#include "core/problem/dae.hpp"

namespace daewave {

template <class P>
using AlgebraicJacobian = detail::JacobianFor<typename P::Algebraic, typename P::Algebraic>;
template <InvariantDae P>
using InvariantJacobian = detail::JacobianFor<typename P::Invariant, typename P::State>;

namespace detail {

template <class P>
concept GivesAlgebraicJacobian = requires(const P& problem, const typename P::State& z,
                                          const typename P::Algebraic& w, double t,
                                          AlgebraicJacobian<P>& J) {
  J = problem.r_w(z, w, t);
};
template <class P>
concept GivesInvariantJacobian = requires(const P& problem, const typename P::State& z, double t,
                                          InvariantJacobian<P>& H) {
  H = problem.H(z, t);
};

template <class P, class T = Seeded<typename P::Algebraic>>
concept AlgebraicOn = requires(const P& problem, const Rebind<typename P::State, T>& z,
                               const Rebind<typename P::Algebraic, T>& w, T t) {
  problem.r(z, w, t);
};
template <class P, class T = Seeded<typename P::State>>
concept InvariantOn = requires(const P& problem, const Rebind<typename P::State, T>& z, T t) {
  problem.h(z, t);
};

/// Forward differences of a function of x, x moved by half of its digits: by more where that may be
/// lost between terms far larger than x, which another step, twice as long, tells.
template <class F, class X, class Jacobian>
void forward_differences(F f, const X& x, Jacobian& J) {
  const double digits = std::sqrt(std::numeric_limits<double>::epsilon());
  const double largest = x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0;
  const auto value = f(x);
  X at = x;
  auto other = value;
  J.resize(value.size(), x.size());
  const auto step = [&](int, double x_j) {
    const double far = digits * std::max(std::abs(x_j), 1e-3 * largest);
    return far > 0 ? far : digits;
  };
  move_each(
      static_cast<int>(x.size()), [&](int j) -> double& { return at[j]; }, step,
      [&](int j, double taken) {
        J.col(j) = (f(at) - value) / taken;
        const auto quotient = [&](double far, auto& out) {
          at[j] = x[j] + far;
          out = (f(at) - value) / (at[j] - x[j]);
          return true;
        };
        lengthen_where_lost(taken, quotient, J.col(j), other);
        return true;
      });
}

}  // namespace detail

/// J = dr/dw.
template <class P>
requires(InvariantDae<P> ||
         ImplicitEquation<P>) void algebraic_jacobian(const P& problem, const typename P::State& z,
                                                      const typename P::Algebraic& w, double t,
                                                      AlgebraicJacobian<P>& J) {
  using W = typename P::Algebraic;
  if constexpr (requires { problem.r_w(z, w, t, J); }) {
    problem.r_w(z, w, t, J);
  } else if constexpr (detail::GivesAlgebraicJacobian<P>) {
    J = problem.r_w(z, w, t);
  } else if constexpr (detail::AlgebraicOn<P>) {
    using T = detail::Seeded<W>;
    const detail::Rebind<typename P::State, T> fixed = z.template cast<T>();
    J = detail::jacobian<W>(
        [&](const detail::Rebind<W, T>& at) { return problem.r(fixed, at, T(t)); }, w);
  } else {
    detail::forward_differences([&](const W& at) { return W(problem.r(z, at, t)); }, w, J);
  }
}

/// H = dh/dz.
template <InvariantDae P>
void invariant_jacobian(const P& problem, const typename P::State& z, double t,
                        InvariantJacobian<P>& H) {
  using Z = typename P::State;
  if constexpr (requires { problem.H(z, t, H); }) {
    problem.H(z, t, H);
  } else if constexpr (detail::GivesInvariantJacobian<P>) {
    H = problem.H(z, t);
  } else if constexpr (detail::InvariantOn<P>) {
    using T = detail::Seeded<Z>;
    H = detail::jacobian<typename P::Invariant>(
        [&](const detail::Rebind<Z, T>& at) { return problem.h(at, T(t)); }, z);
  } else {
    detail::forward_differences(
        [&](const Z& at) { return typename P::Invariant(problem.h(at, t)); }, z, H);
  }
}

/// Rows of h that are of positions, of nh.
template <InvariantDae P>
int position_invariants(const P& problem, int nh) {
  if constexpr (HasInvariantLevels<P>) {
    return std::min(static_cast<int>(problem.position_invariants()), nh);
  } else {
    return nh;
  }
}

}  // namespace daewave
