#pragma once
// What a struct lacks to be a boundary value problem, said by the compiler in one sentence.

#include <concepts>
#include <type_traits>

#include "core/problem/boundary.hpp"
#include "core/problem/dae.hpp"
#include "core/types.hpp"

namespace daewave::bvp::detail {

/// P and a P that may be changed: what the latter alone can do is not const.
template <class P>
concept HasInterval = requires(P& problem) {
  { problem.interval() } -> std::convertible_to<Interval>;
};
template <class P>
concept HasBoundary = requires(P& problem) {
  { problem.boundary() } -> std::convertible_to<Boundary>;
};
template <class P>
concept HasA = requires(P& problem, double t) {
  { problem.A(t) } -> std::convertible_to<MatX>;
};
template <class P>
concept HasB = requires(P& problem, double t) {
  { problem.B(t) } -> std::convertible_to<MatX>;
};
template <class P>
concept Hasq = requires(P& problem, double t) {
  { problem.q(t) } -> std::convertible_to<VecX>;
};
template <class P>
concept HasC = requires(P& problem, double t) {
  { problem.C(t) } -> std::convertible_to<MatX>;
};
template <class P>
concept Hasr = requires(P& problem, double t) {
  { problem.r(t) } -> std::convertible_to<VecX>;
};

/// It names no unknowns, but coefficients.
template <class P>
inline constexpr bool may_be_linear = !requires {
  typename P::State;
}
&&!requires { typename P::Position; }
&&(HasA<P> || HasB<P> || HasC<P> || HasBoundary<P>);

/// One of its assertions fails.
template <class P>
constexpr void say_what_is_missing_of_linear() {
  if constexpr (!HasA<P>) {
    static_assert(HasA<P>, "this linear problem lacks A(t). Write: Mat<nx, nx> A(double t) const;");
  } else if constexpr (!HasB<P>) {
    static_assert(HasB<P>, "this linear problem lacks B(t). Write: Mat<nx, ny> B(double t) const;");
  } else if constexpr (!Hasq<P>) {
    static_assert(Hasq<P>, "this linear problem lacks q(t). Write: Vec<nx> q(double t) const;");
  } else if constexpr (!HasC<P>) {
    static_assert(HasC<P>, "this linear problem lacks C(t). Write: Mat<ny, nx> C(double t) const;");
  } else if constexpr (!Hasr<P>) {
    static_assert(Hasr<P>, "this linear problem lacks r(t). Write: Vec<ny> r(double t) const;");
  } else if constexpr (!HasInterval<P>) {
    static_assert(HasInterval<P>,
                  "this linear problem lacks interval(). Write: Interval interval() const;");
  } else if constexpr (!HasBoundary<P>) {
    static_assert(HasBoundary<P>,
                  "this linear problem lacks boundary(), its conditions B0 x(begin) + B1 x(end) = "
                  "beta. Write: Boundary boundary() const;");
  } else {
    static_assert(HasA<const P>, "A(t) is not const: write const behind it");
    static_assert(HasB<const P>, "B(t) is not const: write const behind it");
    static_assert(Hasq<const P>, "q(t) is not const: write const behind it");
    static_assert(HasC<const P>, "C(t) is not const: write const behind it");
    static_assert(Hasr<const P>, "r(t) is not const: write const behind it");
    static_assert(HasInterval<const P>, "interval() is not const: write const behind it");
    static_assert(HasBoundary<const P>, "boundary() is not const: write const behind it");
  }
}

template <class P>
concept HasConditions = requires(P& problem, const StateOf<std::remove_const_t<P>>& x) {
  { problem.conditions(x, x) } -> std::convertible_to<VecX>;
};

/// Of equations that lack nothing.
template <class P>
constexpr void say_what_is_missing_at_ends() {
  if constexpr (!HasConditions<P>) {
    static_assert(HasConditions<P>,
                  "this problem lacks its conditions at the ends, which vanish where two states "
                  "satisfy them. Write: VecX conditions(const State& left, const State& right) "
                  "const; where a state of index 3 is (q, v)");
  } else if constexpr (!HasConditions<const P>) {
    static_assert(HasConditions<const P>,
                  "conditions(left, right) is not const: write const behind it");
  } else if constexpr (!HasInterval<P>) {
    static_assert(HasInterval<P>,
                  "this problem lacks interval(). Write: Interval interval() const;");
  } else {
    static_assert(HasInterval<const P>, "interval() is not const: write const behind it");
  }
}

}  // namespace daewave::bvp::detail
