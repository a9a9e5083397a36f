#pragma once
// The sentences for what a struct lacks to be a problem.

#include "core/problem/what_is_missing.hpp"

namespace daewave::detail {

/// What a door gives for a struct that is no problem: the next door is silent about it.
struct NoProblem {};

// Messages of assertions have to be literals.
#define DAEWAVE_SAY(which, name, signature)                                                       \
  static_assert(!(first.lack == Lack::which && first.found == Found::missing),                    \
                "this problem lacks " name ", or it takes other arguments. Write: " signature);   \
  static_assert(!(first.lack == Lack::which && first.found == Found::not_const), name             \
                " is not const, and problems are asked from several threads. Write: " signature); \
  static_assert(!(first.lack == Lack::which && first.found == Found::misshapen),                  \
                name " returns another shape than its types say. Write: " signature)

/// Of its assertions one fails, where something is missing.
template <Missing first>
constexpr void say() {
  static_assert(first.lack != Lack::unknowns,
                "this is no problem: it names neither its Position (multibody systems and second "
                "order) nor its State (index 1, index 2 and ordinary equations). Write, for two "
                "coordinates: using Position = daewave::Vec<2>;");
  static_assert(first.lack != Lack::multiplier,
                "this problem does not name the type of its multipliers. Write, for one row of g: "
                "using Multiplier = daewave::Vec<1>;");
  static_assert(first.lack != Lack::invariant,
                "this problem has h(z, t), but does not name its type. Write, for one row: using "
                "Invariant = daewave::Vec<1>;");
  static_assert(first.lack != Lack::velocity_multiplier,
                "this problem has w(q, v, t), but does not name the type of its multipliers. "
                "Write, for one row: using VelocityMultiplier = daewave::Vec<1>;");
  static_assert(first.lack != Lack::mass_or_B,
                "this problem lacks its mass matrix, or B, or they take other arguments. Write: "
                "Mat<nq, nq> M(const Position& q) const; of a multibody system, or Mat<nx, ny> "
                "B(const Position& x, double t) const; of second order");
  DAEWAVE_SAY(forces_of_motion, "f(q, v, t)",
              "Position f(const Position& q, const Position& v, double t) const;");
  DAEWAVE_SAY(forces_of_state, "f(x, t)", "State f(const State& x, double t) const;");
  DAEWAVE_SAY(forces_of_index_1, "f(x, w, t)",
              "State f(const State& x, const Algebraic& w, double t) const;");
  DAEWAVE_SAY(mass, "M(q)", "Mat<nq, nq> M(const Position& q) const;");
  DAEWAVE_SAY(B_of_position, "B(x, t)", "Mat<nx, ny> B(const Position& x, double t) const;");
  DAEWAVE_SAY(B_of_state, "B(x, t)", "Mat<nx, ny> B(const State& x, double t) const;");
  DAEWAVE_SAY(g_of_position, "the constraint g(q, t)",
              "Multiplier g(const Position& q, double t) const;");
  DAEWAVE_SAY(g_of_state, "the constraint g(x, t)",
              "Multiplier g(const State& x, double t) const;");
  DAEWAVE_SAY(w, "the constraint w(q, v, t)",
              "VelocityMultiplier w(const Position& q, const Position& v, double t) const;");
  DAEWAVE_SAY(r, "r(x, w, t)", "Algebraic r(const State& x, const Algebraic& w, double t) const;");
  DAEWAVE_SAY(h, "h(z, t)", "Invariant h(const State& z, double t) const;");
  DAEWAVE_SAY(G, "G (the derivative of g by the coordinates)",
              "Mat<ny, nq> G(const Position& q, double t) const; or take with_autodiff(problem) or "
              "with_differences(problem)");
  DAEWAVE_SAY(
      g_t, "g_t (the derivative of g by t)",
      "Multiplier g_t(const Position& q, double t) const; or take with_autodiff(problem) or "
      "with_differences(problem)");
  DAEWAVE_SAY(K, "K, k or w_curvature (the derivatives of w)",
              "them (core/problem/dae.hpp), or take with_autodiff(problem) or "
              "with_differences(problem)");
}

#undef DAEWAVE_SAY

/// What P lacks to be a problem to be solved.
template <class P>
constexpr void say_what_is_missing_to_solve() {
  if constexpr (!std::same_as<P, NoProblem>) say<missing_to_solve<P>()>();
}

/// The same, but for derivatives of its constraints.
template <class P>
constexpr void say_what_is_missing() {
  if constexpr (!std::same_as<P, NoProblem>) say<missing<P>()>();
}

}  // namespace daewave::detail
