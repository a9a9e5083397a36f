#pragma once
// The front door: an initial value DAE of index 1, with invariants or without, of index 2 or 3, a
// multibody system, or an ordinary equation, with the method and stepper of one's choice or the
// default.
//
//   auto motion = ivp::solve(with_autodiff(Pendulum{}), {1, 0, 0, 0}, {0, 100}, {.rtol = 1e-8});
//
// Methods are compiled once, in the library: what is compiled here wraps the problem.

#include "core/adapt/problem_of.hpp"
#include "core/problem/dae_problem.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::ivp {

/// Integrates a problem from `start` over `span`; end < begin goes backward.
///
/// @param problem  of index 2, second order or multibody, which may lack the curvature (method srm
///                 then); of index 1, which must then give start_algebraic(); or ordinary.
/// @param start    x of index 2 and ordinary equations, x or z of index 1, (q, v) otherwise.
/// @return  what was given out, and why it ended: numerical failure does not throw, and what is
///          valid until then is there.
/// @throws  InvalidOption, InvalidProblem before any step, for options that are wrong or do not go
///          together, and for a start that does not satisfy the constraints.
Solution solve(const DaeProblem& problem, const VecX& start, const Interval& span,
               const Options& options = {});

/// A problem of index 1. @param w  where the search for the unknowns w of the start begins.
/// @throws InvalidProblem also where w is not determined at the start.
Solution solve(const DaeProblem& problem, const VecX& start, const VecX& w, const Interval& span,
               const Options& options = {});

/// From the start and over the interval that the problem gives.
Solution solve(const DaeProblem& problem, const Options& options = {});

namespace detail {

/// What has unknowns w beside its state.
template <class P>
concept IndexOne = InvariantDae<P> || ImplicitEquation<P>;

/// What begins from a state alone.
template <class P>
concept FromState = Dae<P> || OrdinaryEquation<P>;

}  // namespace detail

/// The same of a struct of the concepts in core/problem/dae.hpp.
template <detail::FromState P>
requires daewave::detail::Solvable<P> Solution solve(const P& problem, const StateOf<P>& start,
                                                     const Interval& span,
                                                     const Options& options = {}) {
  const VecX z = start;
  return solve(*daewave::detail::problem_by_reference(problem, &z, span.begin), z, span, options);
}

/// From a start whose size is known at run time, and looked at then.
template <detail::FromState P, class Start>
requires(daewave::detail::Solvable<P> && !std::same_as<Start, StateOf<P>> &&
         Start::RowsAtCompileTime == Dynamic) Solution
    solve(const P& problem, const Eigen::MatrixBase<Start>& start, const Interval& span,
          const Options& options = {}) {
  const VecX z = start;
  return solve(*daewave::detail::problem_by_reference(problem, &z, span.begin), z, span, options);
}

template <detail::IndexOne P>
requires daewave::detail::Solvable<P> Solution solve(const P& problem,
                                                     const typename P::State& start,
                                                     const typename P::Algebraic& w,
                                                     const Interval& span,
                                                     const Options& options = {}) {
  const VecX z = start, unknowns = w;
  return solve(*daewave::detail::problem_by_reference(problem, &z, span.begin,
                                                      static_cast<int>(unknowns.size())),
               z, unknowns, span, options);
}

template <detail::IndexOne P, class Start, class Unknowns>
requires(daewave::detail::Solvable<P> &&
         (Start::RowsAtCompileTime == Dynamic || Unknowns::RowsAtCompileTime == Dynamic) &&
         !(std::same_as<Start, typename P::State> &&
           std::same_as<Unknowns, typename P::Algebraic>)) Solution
    solve(const P& problem, const Eigen::MatrixBase<Start>& start,
          const Eigen::MatrixBase<Unknowns>& w, const Interval& span, const Options& options = {}) {
  const VecX z = start, unknowns = w;
  return solve(*daewave::detail::problem_by_reference(problem, &z, span.begin,
                                                      static_cast<int>(unknowns.size())),
               z, unknowns, span, options);
}

template <detail::FromState P>
requires daewave::detail::Solvable<P> && HasStart<P> Solution solve(const P& problem,
                                                                    const Options& options = {}) {
  return solve(problem, StateOf<P>(problem.start()), Interval(problem.interval()), options);
}

template <detail::IndexOne P>
requires daewave::detail::Solvable<P> && HasStart<P> && HasAlgebraicStart<P> Solution
solve(const P& problem, const Options& options = {}) {
  return solve(problem, typename P::State(problem.start()),
               typename P::Algebraic(problem.start_algebraic()), Interval(problem.interval()),
               options);
}

namespace detail {

using daewave::detail::Solvable;

/// What says all that is needed.
template <class P>
concept ToBeSolved = Solvable<P> &&(FromState<P> || IndexOne<P>);

/// Whatever stands where a start or an interval does.
struct Anything {
  template <class... T>
  Anything(const T&...) {}
};

/// What is given to a door in place of a problem.
template <class P>
concept NoProblemToSolve = !ToBeSolved<P> && !std::convertible_to<const P&, const DaeProblem&>;

template <class P>
void say_what_is_missing() {
  if constexpr (requires(const P& problem) { static_cast<const DaeProblem&>(*problem); }) {
    static_assert(!NoProblemToSolve<P>, "ivp::solve: this points at a problem. Write: *problem");
  } else if constexpr (LinearBvDae<P>) {
    static_assert(
        !NoProblemToSolve<P>,
        "ivp::solve: this is a linear boundary value problem. Write: bvp::solve(problem)");
  } else {
    daewave::detail::say_what_is_missing_to_solve<P>();
  }
}

}  // namespace detail

/// Of what is no problem: the compiler says what it lacks.
template <detail::NoProblemToSolve P>
Solution solve(const P&, const detail::Anything&, const Interval&, const Options& = {}) {
  detail::say_what_is_missing<P>();
  return {};
}
template <detail::NoProblemToSolve P>
Solution solve(const P&, const detail::Anything&, const detail::Anything&, const Interval&,
               const Options& = {}) {
  detail::say_what_is_missing<P>();
  return {};
}
template <detail::NoProblemToSolve P>
Solution solve(const P&, const Options& = {}) {
  detail::say_what_is_missing<P>();
  return {};
}
template <detail::ToBeSolved P>
requires(!HasStart<P> || (detail::IndexOne<P> && !HasAlgebraicStart<P>)) Solution
    solve(const P&, const Options& = {}) {
  static_assert(HasStart<P>,
                "ivp::solve: this problem has no start() and interval(). Write them, or: "
                "ivp::solve(problem, start, {begin, end}, options)");
  static_assert(!HasStart<P> || !detail::IndexOne<P>,
                "ivp::solve: this problem has no start_algebraic(). Write it, or: "
                "ivp::solve(problem, start, w, {begin, end}, options)");
  return {};
}

}  // namespace daewave::ivp
