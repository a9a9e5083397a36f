#pragma once
// f, r and h of a DAE of index 1 with invariants, written to memory that is there. A problem whose
// sizes are known at run time only, and which must not ask for memory in each step, fills it by
//
//   void f(const State& z, const Algebraic& w, double t, State& out) const;
//   void r(const State& z, const Algebraic& w, double t, Algebraic& out) const;
//   void h(const State& z, double t, Invariant& out) const;
//
// beside the functions of the concept; of any other the values are copied.

#include <concepts>

#include "core/problem/dae.hpp"

namespace daewave {

/// f and r from one call, what they share being computed once.
template <class P>
concept HasInvariantTerms = InvariantDae<P> &&
    requires(const P& problem, const typename P::State& z, const typename P::Algebraic& w, double t,
             typename P::State& f, typename P::Algebraic& r) {
  problem.terms(z, w, t, f, r);
};

/// A problem that may know the derivative of (f, r) with respect to (z, w): for Newton's methods.
template <class P>
concept KnowsIndexOneJacobian = InvariantDae<P> &&
    requires(const P& problem, const typename P::State& z, const typename P::Algebraic& w, double t,
             MatX& J) {
  { problem.has_f_jacobian() } -> std::same_as<bool>;
  { problem.jacobian(z, w, t, J) } -> std::same_as<bool>;
};

template <InvariantDae P>
void fill_f(const P& problem, const typename P::State& z, const typename P::Algebraic& w, double t,
            typename P::State& out) {
  if constexpr (requires { problem.f(z, w, t, out); }) {
    problem.f(z, w, t, out);
  } else {
    out = problem.f(z, w, t);
  }
}

template <InvariantDae P>
void fill_r(const P& problem, const typename P::State& z, const typename P::Algebraic& w, double t,
            typename P::Algebraic& out) {
  if constexpr (requires { problem.r(z, w, t, out); }) {
    problem.r(z, w, t, out);
  } else {
    out = problem.r(z, w, t);
  }
}

template <InvariantDae P>
void fill_h(const P& problem, const typename P::State& z, double t, typename P::Invariant& out) {
  if constexpr (requires { problem.h(z, t, out); }) {
    problem.h(z, t, out);
  } else {
    out = problem.h(z, t);
  }
}

}  // namespace daewave
