#pragma once
// What a struct lacks to be a problem, said by the compiler in one sentence.
//
// The doors that take structs have an overload for those that are none, which asserts that nothing
// is missing. A struct is looked at as what its types say it is: Position stands for multibody
// systems and second order, Algebraic for index 1, State for index 2 and ordinary equations.

#include <concepts>
#include <type_traits>
#include <utility>

#include "core/problem/dae.hpp"
#include "core/problem/terms.hpp"

namespace daewave::detail {

/// How a function of a struct is found.
enum class Found { right, missing, not_const, misshapen };

/// The first thing that is missing or wrong.
enum class Lack {
  nothing,
  unknowns,             ///< neither State nor Position
  multiplier,           ///< the type
  invariant,            ///< the type, where h is there
  velocity_multiplier,  ///< the type, where w is there
  forces_of_motion,     ///< f(q, v, t)
  forces_of_state,      ///< f(x, t)
  forces_of_index_1,    ///< f(x, w, t)
  mass_or_B,
  mass,
  B_of_position,
  B_of_state,
  g_of_position,
  g_of_state,
  w,
  r,
  h,
  G,
  g_t,
  K
};

template <class P, class... A>
using CallOff = decltype(std::declval<P&>().f(std::declval<const A&>()...));
template <class P, class... A>
using CallOfM = decltype(std::declval<P&>().M(std::declval<const A&>()...));
template <class P, class... A>
using CallOfB = decltype(std::declval<P&>().B(std::declval<const A&>()...));
template <class P, class... A>
using CallOfg = decltype(std::declval<P&>().g(std::declval<const A&>()...));
template <class P, class... A>
using CallOfG = decltype(std::declval<P&>().G(std::declval<const A&>()...));
template <class P, class... A>
using CallOfgt = decltype(std::declval<P&>().g_t(std::declval<const A&>()...));
template <class P, class... A>
using CallOfw = decltype(std::declval<P&>().w(std::declval<const A&>()...));
template <class P, class... A>
using CallOfr = decltype(std::declval<P&>().r(std::declval<const A&>()...));
template <class P, class... A>
using CallOfh = decltype(std::declval<P&>().h(std::declval<const A&>()...));

constexpr bool agree(int one, int other) {
  return one == Dynamic || other == Dynamic || one == other;
}

/// Shapes that are known at run time only are looked at when they are evaluated.
template <class R, int rows_wanted, int columns_wanted>
constexpr bool may_have_shape() {
  using V = std::remove_cvref_t<R>;
  if constexpr (requires { V::RowsAtCompileTime; }) {
    return agree(V::RowsAtCompileTime, rows_wanted) && agree(V::ColsAtCompileTime, columns_wanted);
  } else if constexpr (columns_wanted == 1) {
    return std::convertible_to<R, Eigen::Matrix<double, rows_wanted, 1>>;
  } else {
    return std::is_class_v<V>;
  }
}

template <template <class, class...> class Call, class P, int rows_wanted, int columns_wanted,
          class... A>
constexpr Found found() {
  if constexpr (requires { typename Call<const P, A...>; }) {
    return may_have_shape<Call<const P, A...>, rows_wanted, columns_wanted>() ? Found::right
                                                                              : Found::misshapen;
  } else if constexpr (requires { typename Call<P, A...>; }) {
    return Found::not_const;
  } else {
    return Found::missing;
  }
}

struct Missing {
  Lack lack = Lack::nothing;
  Found found = Found::right;
  constexpr bool nothing() const { return lack == Lack::nothing; }
  /// The first of both.
  constexpr Missing then(Lack next, Found how) const {
    return nothing() && how != Found::right ? Missing{next, how} : *this;
  }
};

/// G, g_t, and K of constraints on velocities: what with_autodiff() adds.
template <class P, class X, class L>
constexpr Missing missing_derivatives() {
  constexpr int n = rows<X>, m = rows<L>;
  Missing first = Missing()
                      .then(Lack::G, found<CallOfG, P, m, n, X, double>())
                      .then(Lack::g_t, found<CallOfgt, P, m, 1, X, double>());
  if constexpr (HasVelocityConstraint<P>) {
    first = first.then(Lack::K, HasVelocityJacobian<P> ? Found::right : Found::missing);
  }
  return first;
}

template <class P>
constexpr Missing missing_of_motion() {
  using X = typename P::Position;
  constexpr int n = rows<X>;
  if constexpr (!requires { typename P::Multiplier; }) {
    return {Lack::multiplier, Found::missing};
  } else {
    using L = typename P::Multiplier;
    constexpr int m = rows<L>;
    constexpr Found mass = found<CallOfM, P, n, n, X>(), b = found<CallOfB, P, n, m, X, double>();
    Missing first = Missing()
                        .then(Lack::forces_of_motion, found<CallOff, P, n, 1, X, X, double>())
                        .then(Lack::g_of_position, found<CallOfg, P, m, 1, X, double>());
    if (mass == Found::missing && b == Found::missing) {
      first = first.then(Lack::mass_or_B, Found::missing);
    } else if (mass != Found::missing) {
      first = first.then(Lack::mass, mass);
    } else {
      first = first.then(Lack::B_of_position, b);
    }
    if constexpr (requires { typename P::VelocityMultiplier; }) {
      constexpr int k = rows<typename P::VelocityMultiplier>;
      first = first.then(Lack::w, found<CallOfw, P, k, 1, X, X, double>());
    } else {
      constexpr Found w = found<CallOfw, P, Dynamic, 1, X, X, double>();
      first = first.then(Lack::velocity_multiplier,
                         w == Found::missing ? Found::right : Found::missing);
    }
    return first;
  }
}

template <class P>
constexpr Missing missing_of_index_1() {
  using X = typename P::State;
  using W = typename P::Algebraic;
  Missing first = Missing()
                      .then(Lack::forces_of_index_1, found<CallOff, P, rows<X>, 1, X, W, double>())
                      .then(Lack::r, found<CallOfr, P, rows<W>, 1, X, W, double>());
  if constexpr (requires { typename P::Invariant; }) {
    first = first.then(Lack::h, found<CallOfh, P, rows<typename P::Invariant>, 1, X, double>());
  } else {
    const bool has_h = found<CallOfh, P, Dynamic, 1, X, double>() != Found::missing;
    first = first.then(Lack::invariant, has_h ? Found::missing : Found::right);
  }
  return first;
}

template <class P>
constexpr Missing missing_of_state() {
  using X = typename P::State;
  constexpr int n = rows<X>;
  constexpr Missing of_f =
      Missing().then(Lack::forces_of_state, found<CallOff, P, n, 1, X, double>());
  constexpr Found g = found<CallOfg, P, Dynamic, 1, X, double>(),
                  b = found<CallOfB, P, n, Dynamic, X, double>();
  if constexpr (requires { typename P::Multiplier; }) {
    constexpr int m = rows<typename P::Multiplier>;
    return of_f.then(Lack::g_of_state, found<CallOfg, P, m, 1, X, double>())
        .then(Lack::B_of_state, found<CallOfB, P, n, m, X, double>());
  } else if (g != Found::missing || b != Found::missing) {
    return {Lack::multiplier, Found::missing};
  } else {
    return of_f;
  }
}

/// What P lacks to be a problem; derivatives of its constraints may be missing. Where it names
/// types of several kinds, as a State for (q, v), it is what it satisfies, then what has a
/// Position.
template <class P>
constexpr Missing missing() {
  if constexpr (InvariantDae<P> || ImplicitEquation<P>) {
    return missing_of_index_1<P>();
  } else if constexpr (SemiExplicitDae<P> || OrdinaryEquation<P>) {
    return missing_of_state<P>();
  } else if constexpr (requires { typename P::Position; }) {
    return missing_of_motion<P>();
  } else if constexpr (requires {
                         typename P::State;
                         typename P::Algebraic;
                       }) {
    return missing_of_index_1<P>();
  } else if constexpr (requires { typename P::State; }) {
    return missing_of_state<P>();
  } else {
    return {Lack::unknowns, Found::missing};
  }
}

/// The same, of a problem to be solved.
template <class P>
constexpr Missing missing_to_solve() {
  constexpr Missing first = missing<P>();
  if constexpr (HasMultibodyTerms<P> || HasSecondOrderTerms<P> || HasSemiExplicitTerms<P>) {
    return first;
  } else if constexpr (first.nothing() && Dae<P>) {
    return missing_derivatives<P, ConfigurationOf<P>, typename P::Multiplier>();
  } else {
    return first;
  }
}

template <class P>
concept StatesProblem = missing<P>()
.nothing();
template <class P>
concept Solvable = missing_to_solve<P>()
.nothing();

}  // namespace daewave::detail
