#pragma once
// The front door for boundary value problems, linear and nonlinear:
//
//   auto solution = daewave::bvp::solve(problem, {.tolerance = 1e-8});
//
// of a struct of the concept LinearBvDae (core/problem/linear_problem.hpp); or of one of the
// concepts in core/problem/dae.hpp with conditions at both ends,
//
//   struct Swing : problems::Pendulum {
//     VecX conditions(const State& left, const State& right) const { ... }   // 2 (nq - ny) of them
//     State guess(double t) const { ... }
//   };
//
// or of a BoundaryProblem that was put together at run time.

#include <memory>
#include <utility>

#include "bvp/continuation/follow.hpp"
#include "bvp/linear/solve.hpp"
#include "bvp/nonlinear/solve.hpp"
#include "bvp/what_is_missing.hpp"
#include "core/adapt/problem_of.hpp"

namespace daewave::bvp {

/// A nonlinear boundary value problem: any struct that problem_of() takes, with an interval and
/// conditions(left, right), which vanish where two states satisfy them. There is one for each entry
/// of x, less those that the constraints give at one end: ny of index 2, 2 ny of index 3. guess(t),
/// nx, is where Newton's method starts; without it, zero. guess_algebraic(t) does the same for w of
/// index 1. lower() and upper(), nx, are bounds within which f is evaluated;
/// singular_term(), nx x nx, is S of a term S x / (t - begin) besides f.
template <class P>
concept NonlinearBvp = !LinearBvDae<P> && daewave::detail::Solvable<P> &&
                       requires(const P& problem, const StateOf<P>& state) {
  { problem.interval() } -> std::convertible_to<Interval>;
  { problem.conditions(state, state) } -> std::convertible_to<VecX>;
};

/// A copy of the struct as a problem at run time. exact(t), x_exact(t) or z_exact(t) is taken where
/// there is one. @throws InvalidProblem as problem_of().
template <NonlinearBvp P>
BoundaryProblem boundary_problem_of(P of) {
  using State = StateOf<P>;
  const auto shared = std::make_shared<const P>(std::move(of));
  BoundaryProblem problem;
  problem.interval = shared->interval();
  if constexpr (requires { State(shared->guess(0.0)); }) {
    problem.guess = [shared](double t) { return VecX(State(shared->guess(t))); };
  }
  if constexpr (State::SizeAtCompileTime == Dynamic && requires { shared->guess(0.0); }) {
    const VecX state = problem.guess(problem.interval.begin);
    problem.equations = std::make_shared<ProblemOf<P>>(shared, &state, problem.interval.begin);
  } else {
    problem.equations = std::make_shared<ProblemOf<P>>(shared, nullptr, problem.interval.begin);
  }
  problem.conditions = [shared](const VecX& left, const VecX& right) {
    return VecX(shared->conditions(State(left), State(right)));
  };
  if constexpr (requires { shared->guess_algebraic(0.0); }) {
    problem.guess_algebraic = [shared](double t) {
      return VecX(typename P::Algebraic(shared->guess_algebraic(t)));
    };
  }
  if constexpr (requires { MatX(shared->singular_term()); }) {
    problem.singular_term = shared->singular_term();
  }
  if constexpr (requires { State(shared->lower()); }) problem.lower = State(shared->lower());
  if constexpr (requires { State(shared->upper()); }) problem.upper = State(shared->upper());
  if constexpr (HasName<P>) problem.name = shared->name();
  if constexpr (requires { State(shared->exact(0.0)); }) {
    problem.exact = [shared](double t) { return VecX(State(shared->exact(t))); };
  } else if constexpr (requires { State(shared->x_exact(0.0)); }) {
    problem.exact = [shared](double t) { return VecX(State(shared->x_exact(t))); };
  } else if constexpr (requires { State(shared->z_exact(0.0)); }) {
    problem.exact = [shared](double t) { return VecX(State(shared->z_exact(t))); };
  }
  return problem;
}

/// See solve(const BoundaryProblem&, const Options&) of bvp/nonlinear/solve.hpp.
template <NonlinearBvp P>
Solution solve(const P& problem, const Options& options = {}) {
  return solve(boundary_problem_of(problem), options);
}

namespace detail {

template <class P>
concept NoProblemToSolve = !LinearBvDae<P> && !LinearOrdinary<P> && !NonlinearBvp<P> &&
                           !std::convertible_to<const P&, const BoundaryProblem&> &&
                           !std::convertible_to<const P&, const ProblemFamily&> &&
                           !std::convertible_to<const P&, std::shared_ptr<const LinearDae>>;

}  // namespace detail

/// Of what is no problem: the compiler says what it lacks.
template <detail::NoProblemToSolve P>
Solution solve(const P&, const Options& = {}) {
  if constexpr (detail::may_be_linear<P>) {
    detail::say_what_is_missing_of_linear<P>();
  } else if constexpr (!daewave::detail::Solvable<P>) {
    daewave::detail::say_what_is_missing_to_solve<P>();
  } else {
    detail::say_what_is_missing_at_ends<P>();
  }
  return {};
}

}  // namespace daewave::bvp
