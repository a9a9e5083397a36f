#pragma once
// What a nonlinear DAE must be able to say: the concepts, and the types that follow from them.
//
//   index 2       x' = f(x, t) - B(x, t) y,           0 = g(x, t)           [AL2] (2.1)
//   index 3       x'' = f(x, v, t) - B(x, t) y,       0 = g(x, t), v = x'   [AL2] (4.1)
//   multibody     M(q) v' = f(q, v, t) - G^T lambda,  0 = g(q, t), v = q'   [AL2] (5.1)
//
// A problem names the types of its unknowns, fixed (Vec<7>), bounded (SmallVec) or VecX, and the
// rest follows. What it need not say (G, g_t, curvature) `with_autodiff(problem)` or
// `with_differences(problem)` adds, visibly in the call. Functions must be callable from several
// threads at once.

#include <concepts>
#include <string>
#include <type_traits>

#include "core/types.hpp"

namespace daewave {

/// A DAE of index 2.                                                        [AL2] (2.1)
///
/// State nx, Multiplier ny; f nx, B nx x ny, g ny.
template <class P>
concept SemiExplicitDae = requires(const P& problem, const typename P::State& x, double t) {
  typename P::Multiplier;
  { problem.f(x, t) } -> std::convertible_to<typename P::State>;
  problem.B(x, t);
  { problem.g(x, t) } -> std::convertible_to<typename P::Multiplier>;
};

/// A DAE of index 3.                                                        [AL2] (4.1)
///
/// Position nx, Multiplier ny; f nx, B nx x ny, g ny.
template <class P>
concept SecondOrderDae = requires(const P& problem, const typename P::Position& x, double t) {
  typename P::Multiplier;
  { problem.f(x, x, t) } -> std::convertible_to<typename P::Position>;
  problem.B(x, t);
  { problem.g(x, t) } -> std::convertible_to<typename P::Multiplier>;
};

/// A constrained multibody system.                                          [AL2] (5.1)
///
/// Position nq, Multiplier ny; M nq x nq symmetric (dense, or an Eigen diagonal matrix), f nq, g
/// ny. M may be singular where [M G^T; G 0] is not. Units are the problem's own. Where M is the
/// same at all q, `static constexpr bool mass_constant = true;` saves asking for it in each step.
template <class P>
concept Multibody = requires(const P& problem, const typename P::Position& q, double t) {
  typename P::Multiplier;
  problem.M(q);
  { problem.f(q, q, t) } -> std::convertible_to<typename P::Position>;
  { problem.g(q, t) } -> std::convertible_to<typename P::Multiplier>;
};

/// A DAE of index 1 with invariants: z' = f(z, w, t), 0 = r(z, w, t), and 0 = h(z, t) along every
/// solution that starts on it. Index-1 unknowns stand in w beside multipliers, on which f may
/// depend in any way; a mass matrix has been solved for in f.         [Eich] section 2, (2.1)-(2.2)
///
/// State nz, Algebraic nw, Invariant nh; f nz, r nw with dr/dw regular, h nh, those of position
/// first.
template <class P>
concept InvariantDae = requires(const P& problem, const typename P::State& z,
                                const typename P::Algebraic& w, double t) {
  typename P::Invariant;
  { problem.f(z, w, t) } -> std::convertible_to<typename P::State>;
  { problem.r(z, w, t) } -> std::convertible_to<typename P::Algebraic>;
  { problem.h(z, t) } -> std::convertible_to<typename P::Invariant>;
};

/// Any of the three whose constraints are yet to be differentiated.
template <class P>
concept Dae = SemiExplicitDae<P> || SecondOrderDae<P> || Multibody<P>;

/// An ordinary differential equation: x' = f(x, t). State nx; f nx.
template <class P>
concept OrdinaryEquation =
    !Dae<P> && requires(const P& problem, const typename P::State& x, double t) {
  { problem.f(x, t) } -> std::convertible_to<typename P::State>;
};

/// A DAE of index 1: x' = f(x, w, t), 0 = r(x, w, t), as COLDAE takes them.
///
/// State nx, Algebraic nw; f nx, r nw with dr/dw regular.
template <class P>
concept ImplicitEquation = !Dae<P> && !InvariantDae<P> &&
                           requires(const P& problem, const typename P::State& x,
                                    const typename P::Algebraic& w, double t) {
  { problem.f(x, w, t) } -> std::convertible_to<typename P::State>;
  { problem.r(x, w, t) } -> std::convertible_to<typename P::Algebraic>;
};

namespace detail {

template <class P>
struct ConfigurationTrait {
  using type = typename P::Position;
};
template <SemiExplicitDae P>
struct ConfigurationTrait<P> {
  using type = typename P::State;
};
template <class P>
requires(InvariantDae<P> || ImplicitEquation<P> || OrdinaryEquation<P>)  //
    struct ConfigurationTrait<P> {
  using type = typename P::State;
};

constexpr int twice(int n) { return n == Dynamic ? Dynamic : 2 * n; }
constexpr int sum(int n, int m) { return n == Dynamic || m == Dynamic ? Dynamic : n + m; }

template <class V>
inline constexpr int rows = V::RowsAtCompileTime;
template <class V>
inline constexpr int most_rows = V::MaxRowsAtCompileTime;

/// A vector of the shape of V with entries T.
template <class V, class T>
using Rebind = Eigen::Matrix<T, rows<V>, 1, Eigen::ColMajor, most_rows<V>, 1>;

/// Without a type for what is no problem, so that overloads can be told apart.
template <class P>
struct StateTrait {};
template <class P>
requires(!SemiExplicitDae<P> && !InvariantDae<P> && !ImplicitEquation<P> && !OrdinaryEquation<P> &&
         requires { typename P::Position; }) struct StateTrait<P> {
  using X = typename P::Position;
  using type = Eigen::Matrix<double, twice(rows<X>), 1, Eigen::ColMajor, twice(most_rows<X>), 1>;
};
template <SemiExplicitDae P>
struct StateTrait<P> {
  using type = typename P::State;
};
template <class P>
requires(InvariantDae<P> || ImplicitEquation<P> || OrdinaryEquation<P>) struct StateTrait<P> {
  using type = typename P::State;
};

}  // namespace detail

/// What the constraint is posed on: x of index 2, the position of index 3; else the state.
template <class P>
using ConfigurationOf = typename detail::ConfigurationTrait<P>::type;

/// What is integrated: z = (q, v) for index 3 and multibody systems, else x or z itself.
template <class P>
using StateOf = typename detail::StateTrait<P>::type;

/// G = dg/dq (ny x nq) and g_t = dg/dt (ny).
template <class P>
concept HasJacobian = requires(const P& problem, const ConfigurationOf<P>& q, double t) {
  problem.G(q, t);
  { problem.g_t(q, t) } -> std::convertible_to<typename P::Multiplier>;
};

/// curvature(q, v, t) = v' g_qq v + 2 g_qt v + g_tt, so that g'' = G v' + curvature; ny.
template <class P>
concept HasCurvature = HasJacobian<P> &&
    requires(const P& problem, const typename P::Position& q, double t) {
  { problem.curvature(q, q, t) } -> std::convertible_to<typename P::Multiplier>;
};

/// Nonholonomic constraints 0 = w(q, v, t) = K(q, t) v + k(q, t), linear in v, beside g; their
/// multipliers follow those of g and enter as - K^T mu. VelocityMultiplier nk, w nk.
template <class P>
concept HasVelocityConstraint = Multibody<P> &&
    requires(const P& problem, const typename P::Position& q, double t) {
  { problem.w(q, q, t) } -> std::convertible_to<typename P::VelocityMultiplier>;
};

/// K (nk x nq), k (nk) and w_curvature(q, v, t) = K_t v + k_t + (K v + k)_q v, so that
/// w' = K v' + w_curvature; nk.
template <class P>
concept HasVelocityJacobian = HasVelocityConstraint<P> &&
    requires(const P& problem, const typename P::Position& q, double t) {
  problem.K(q, t);
  { problem.k(q, t) } -> std::convertible_to<typename P::VelocityMultiplier>;
  { problem.w_curvature(q, q, t) } -> std::convertible_to<typename P::VelocityMultiplier>;
};

/// Where a problem starts when nothing else is said: start() is a StateOf<P>.
template <class P>
concept HasStart = requires(const P& problem) {
  { problem.start() } -> std::convertible_to<StateOf<P>>;
  { problem.interval() } -> std::convertible_to<Interval>;
};

/// Energy of the motion, monitored over a run; kinetic and potential together, in the problem's
/// unit.
template <class P>
concept HasEnergy = requires(const P& problem, const ConfigurationOf<P>& q) {
  { problem.energy(q, q) } -> std::convertible_to<double>;
};

/// The exact state z(t), where it is known.
template <class P>
concept HasExactState = requires(const P& problem, double t) {
  { problem.z_exact(t) } -> std::convertible_to<StateOf<P>>;
};

/// The exact multiplier y(t) or lambda(t), where it is known and bounded.
template <class P>
concept HasExactMultiplier = requires(const P& problem, double t) {
  { problem.y_exact(t) } -> std::convertible_to<typename P::Multiplier>;
};

/// Rows of g, of w, and of all constraints of a problem; Dynamic where known at run time only.
template <class P>
struct ConstraintRows {
  static constexpr int position = detail::rows<typename P::Multiplier>;
  static constexpr int velocity = 0;
};
template <HasVelocityConstraint P>
struct ConstraintRows<P> {
  static constexpr int position = detail::rows<typename P::Multiplier>;
  static constexpr int velocity = detail::rows<typename P::VelocityMultiplier>;
};

namespace detail {

template <class P>
struct MultiplierTrait {
  using type = typename P::Multiplier;
};
template <class P>
requires(InvariantDae<P> || ImplicitEquation<P>) struct MultiplierTrait<P> {
  using type = typename P::Algebraic;
};
template <HasVelocityConstraint P>
struct MultiplierTrait<P> {
  using L = typename P::Multiplier;
  using K = typename P::VelocityMultiplier;
  using type = Eigen::Matrix<double, sum(rows<L>, rows<K>), 1, Eigen::ColMajor,
                             sum(most_rows<L>, most_rows<K>), 1>;
};

}  // namespace detail

/// All multipliers of a problem: of g, then of w; nl = ny + nk. With invariants and of index 1, w.
template <class P>
using MultiplierOf = typename detail::MultiplierTrait<P>::type;

/// Where the search for w begins at the start; it may be off as far as Newton's method forgives.
template <class P>
concept HasAlgebraicStart = (InvariantDae<P> || ImplicitEquation<P>)&&requires(const P& problem) {
  { problem.start_algebraic() } -> std::convertible_to<typename P::Algebraic>;
};

/// How many rows of h, and how many leading entries of z, are those of positions; without it all.
template <class P>
concept HasInvariantLevels = InvariantDae<P> && requires(const P& problem) {
  { problem.position_invariants() } -> std::convertible_to<int>;
  { problem.positions() } -> std::convertible_to<int>;
};

/// Why f or r is not finite at a point, in words; empty where the problem does not know.
template <class P>
concept TellsFailure = (InvariantDae<P> ||
                        ImplicitEquation<P>)&&requires(const P& problem, const typename P::State& z,
                                                       const typename P::Algebraic& w, double t) {
  { problem.failure(z, w, t) } -> std::convertible_to<std::string>;
};

}  // namespace daewave
