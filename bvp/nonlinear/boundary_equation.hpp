#pragma once
// What a boundary value problem can be besides a DAE of index 2 or 3, and what its conditions are
// posed on.

#include <concepts>

#include "core/problem/dae.hpp"

namespace daewave::bvp {

/// An ordinary differential equation as a problem: x' = f(x, t).
template <class P>
concept OrdinaryEquation =
    !Dae<P> && requires(const P& problem, const typename P::State& x, double t) {
  { problem.f(x, t) } -> std::convertible_to<typename P::State>;
};

/// A DAE of index 1: x' = f(x, w, t), 0 = r(x, w, t) with dr/dw regular, as COLDAE takes them.
template <class P>
concept ImplicitEquation = !Dae<P> && requires(const P& problem, const typename P::State& x,
                                               const typename P::Algebraic& w, double t) {
  { problem.f(x, w, t) } -> std::convertible_to<typename P::State>;
  { problem.r(x, w, t) } -> std::convertible_to<typename P::Algebraic>;
};

namespace detail {

template <class P>
struct BoundaryStateTrait {
  using type = StateOf<P>;
};
template <class P>
requires(OrdinaryEquation<P> || ImplicitEquation<P>) struct BoundaryStateTrait<P> {
  using type = typename P::State;
};

}  // namespace detail

/// x, or (q, v): what conditions are posed on.
template <class P>
using BoundaryState = typename detail::BoundaryStateTrait<P>::type;

}  // namespace daewave::bvp
