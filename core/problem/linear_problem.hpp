#pragma once
// What a problem must be able to say: the concepts, and nothing else.
//
// Sign of this library: the multiplier enters as - B y.

#include <concepts>
#include <string>

#include "core/problem/boundary.hpp"
#include "core/types.hpp"

namespace daewave {

/// A linear boundary value DAE of index 2:                              [AL1] (2.1)-(2.2)
///
///   x' = A(t) x - B(t) y + q(t),   0 = C(t) x + r(t),   B0 x(begin) + B1 x(end) = beta.
///
/// Shapes: A nx x nx, B nx x ny, q nx, C ny x nx, r ny; fixed or Dynamic Eigen types. The functions
/// must be callable from several threads at once.
template <class P>
concept LinearBvDae = requires(const P& problem, double t) {
  { problem.interval() } -> std::convertible_to<Interval>;
  { problem.boundary() } -> std::convertible_to<Boundary>;
  { problem.A(t) } -> std::convertible_to<MatX>;
  { problem.B(t) } -> std::convertible_to<MatX>;
  { problem.q(t) } -> std::convertible_to<VecX>;
  { problem.C(t) } -> std::convertible_to<MatX>;
  { problem.r(t) } -> std::convertible_to<VecX>;
};

/// A linear boundary value problem without constraints: x' = A(t) x + q(t), and nx conditions B0
/// x(begin) + B1 x(end) = beta.
template <class P>
concept LinearOrdinary = !LinearBvDae<P> && requires(const P& problem, double t) {
  { problem.interval() } -> std::convertible_to<Interval>;
  { problem.boundary() } -> std::convertible_to<Boundary>;
  { problem.A(t) } -> std::convertible_to<MatX>;
  { problem.q(t) } -> std::convertible_to<VecX>;
};

/// C'(t) and r'(t), needed where the regularization has alpha1 != 0.     [AL1] (3.15)
template <class P>
concept HasConstraintDerivatives = requires(const P& problem, double t) {
  { problem.C_t(t) } -> std::convertible_to<MatX>;
  { problem.r_t(t) } -> std::convertible_to<VecX>;
};

/// A, B, q, C and r at one t in a single call, for problems whose coefficients share work.
template <class P>
concept HasCoefficients = requires(const P& problem, double t) {
  { problem.coefficients(t).A } -> std::convertible_to<MatX>;
  { problem.coefficients(t).B } -> std::convertible_to<MatX>;
  { problem.coefficients(t).q } -> std::convertible_to<VecX>;
  { problem.coefficients(t).C } -> std::convertible_to<MatX>;
  { problem.coefficients(t).r } -> std::convertible_to<VecX>;
};

/// The same with C_t and r_t among them.
template <class P>
concept HasFusedDerivatives = HasCoefficients<P> && requires(const P& problem, double t) {
  { problem.coefficients(t).C_t } -> std::convertible_to<MatX>;
  { problem.coefficients(t).r_t } -> std::convertible_to<VecX>;
};

/// The exact solution, where it is known: x(t), nx, and (B y)(t), nx.
template <class P>
concept HasExactSolution = requires(const P& problem, double t) {
  { problem.x_exact(t) } -> std::convertible_to<VecX>;
  { problem.By_exact(t) } -> std::convertible_to<VecX>;
};

/// A name for reports.
template <class P>
concept HasName = requires(const P& problem) {
  { problem.name() } -> std::convertible_to<std::string>;
};

}  // namespace daewave
