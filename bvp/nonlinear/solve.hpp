#pragma once
// The front door for nonlinear boundary value problems: DAEs of index 2 and 3, constrained
// multibody systems, and ordinary differential equations.
//
//   struct Swing : problems::Pendulum {
//     VecX conditions(const State& left, const State& right) const { ... }   // 2 (nq - ny) of them
//     State guess(double t) const { ... }
//   };
//   auto solution = daewave::bvp::solve_nonlinear(Swing{}, {.tolerance = 1e-8});

#include <memory>
#include <optional>
#include <type_traits>

#include "bvp/nonlinear/choose.hpp"
#include "bvp/nonlinear/collocation_solve.hpp"
#include "bvp/nonlinear/conditions_of.hpp"
#include "bvp/nonlinear/iterate_system_of.hpp"
#include "core/problem/time_reversed.hpp"
#include "core/regularize/regularize.hpp"

namespace daewave::bvp {

namespace detail {

/// How a problem is reversed; nothing where it has no constraints.
template <class P>
struct ReversalOf {
  struct Problem {};
};
template <Dae P>
struct ReversalOf<P> {
  using Problem = TimeReversed<P>;
};

/// What makes the iterates' equation of a form for an epsilon. The problem is kept by reference.
template <Dae P>
auto maker(const P& problem, const RegularizedForm& form, const StateOf<P>& state, double t) {
  return [&problem, form, state, t](double epsilon) -> std::unique_ptr<IterateSystem> {
    RegularizedForm of_epsilon = form;
    of_epsilon.epsilon = epsilon;
    return std::make_unique<RegularizedSystem>(regularize(problem, of_epsilon, state, t));
  };
}

template <class P>
BoundaryState<P> any_state(const P& problem, double t) {
  using State = BoundaryState<P>;
  if constexpr (State::SizeAtCompileTime != Dynamic) {
    return State::Zero();
  } else if constexpr (requires { State(problem.guess(t)); }) {
    return problem.guess(t);
  } else {
    return problem.start();
  }
}

}  // namespace detail

/// A nonlinear boundary value problem: a Dae (core/problem/dae.hpp), an ImplicitEquation of index
/// 1, or an OrdinaryEquation, with an interval and conditions(left, right), which vanish where two
/// states satisfy them. There is one for each entry of x, less those that the constraints give at
/// one end: ny of index 2, 2 ny of index 3. guess(t), nx, is where Newton's method starts; without
/// it, zero. guess_algebraic(t) does the same for w of index 1.
template <class P>
concept NonlinearBvp = (Dae<P> || OrdinaryEquation<P> ||
                        ImplicitEquation<P>)&&requires(const P& problem,
                                                       const BoundaryState<P>& state) {
  { problem.interval() } -> std::convertible_to<Interval>;
  { problem.conditions(state, state) } -> std::convertible_to<VecX>;
};

/// Solves it by collocation and Newton's method; a DAE by sequential regularization, every iterate
/// on the whole interval.                                            [AL2] sections 2 to 5
///
/// Where the variant is open and the default finds no solution, singular is tried, which passes
/// points where constraints become dependent.
///
/// @return  values and report; report.usable() tells whether what was asked holds.
/// @throws  InvalidProblem for a wrong number of conditions, InvalidOption for options that are out
///          of range or do not go together. Numerical failure does not throw.
template <NonlinearBvp P>
NonlinearSolution solve_nonlinear(const P& problem, const NonlinearOptions& options = {}) {
  using State = BoundaryState<P>;
  check(options);
  const Interval interval = problem.interval();
  check_increasing(interval);
  NonlinearProblem erased;
  if constexpr (requires { std::string(problem.name()); }) erased.name = problem.name();
  erased.interval = interval;
  State state = detail::any_state(problem, interval.begin);
  const int nx = static_cast<int>(state.size());
  if (options.guess) {
    erased.guess = options.guess;
  } else if constexpr (requires { State(problem.guess(0.0)); }) {
    erased.guess = [&problem](double t) { return VecX(State(problem.guess(t))); };
  } else {
    erased.guess = [nx](double) -> VecX { return VecX::Zero(nx); };
  }
  const VecX given = erased.guess(interval.begin);
  if (given.size() != nx) detail::refuse_guess(static_cast<int>(given.size()), nx);
  state = given;
  ConditionsOf<P> conditions(problem, interval, state,
                             options.constraint_end == ConstraintEnd::end);
  erased.conditions = &conditions;
  // Of shooting back; they have to stay as long as the solve.
  std::optional<typename detail::ReversalOf<P>::Problem> reversed;
  std::optional<ConditionsOf<P>> at_end;
  std::optional<ReversedConditions> from_end;
  erased.constraints = conditions.count() - conditions.own();
  if constexpr (OrdinaryEquation<P>) {
    choose_ordinary(options, erased);
    erased.system = [&problem, nx](double) -> std::unique_ptr<IterateSystem> {
      return std::make_unique<OrdinarySystemOf<P>>(problem, nx);
    };
  } else if constexpr (ImplicitEquation<P>) {
    choose_ordinary(options, erased);
    int nw = P::Algebraic::SizeAtCompileTime;
    if constexpr (requires { problem.guess_algebraic(0.0); }) {
      erased.guess_algebraic = [&problem](double t) {
        return VecX(typename P::Algebraic(problem.guess_algebraic(t)));
      };
      nw = static_cast<int>(erased.guess_algebraic(interval.begin).size());
    }
    static_assert(
        P::Algebraic::SizeAtCompileTime != Dynamic || requires { problem.guess_algebraic(0.0); },
        "give guess_algebraic(t), from which the number of unknowns w follows");
    erased.system = [&problem, nx, nw](double) -> std::unique_ptr<IterateSystem> {
      return std::make_unique<ImplicitSystemOf<P>>(problem, nx, nw);
    };
  } else {
    static_assert(!HasVelocityConstraint<P>,
                  "constraints on velocities are not solved as boundary value problems");
    erased.second_order = !SemiExplicitDae<P>;
    const RegularizedForm form =
        choose_regularized(options, {SemiExplicitDae<P> ? 2 : 3, Reducible<P>}, erased);
    erased.system = detail::maker(problem, form, state, interval.begin);
    if (form.alpha1 == 0 && (SemiExplicitDae<P> || Reducible<P>)) {
      RegularizedForm easier = form;
      easier.variant = SemiExplicitDae<P> ? Variant::direct : Variant::baumgarte_form;
      easier.alpha1 = 1;
      // Where GB is singular at a point, E = I is defined there too.
      easier.weight = form.variant == Variant::singular ? Weight::identity : form.weight;
      erased.easier = detail::maker(problem, easier, state, interval.begin);
    }
    if (form.alpha1 == 0) {
      using Reversed = TimeReversed<P>;
      reversed.emplace(problem, interval.end);
      at_end.emplace(problem, interval, state, true);
      const auto turned = [](const VecX& x) { return VecX(Reversed::turned(State(x))); };
      from_end.emplace(*at_end, turned);
      erased.reversed = {detail::maker(*reversed, form, State(Reversed::turned(state)), 0.0),
                         &*from_end, turned, erased.carries_By ? Reversed::sign_of_By : 1.0};
    }
  }
  NonlinearSolution solution = solve_by_collocation(erased, options);
  if constexpr (Dae<P>) {
    if (detail::may_be_singular(options, solution.report)) {
      NonlinearOptions again = options;
      again.variant = Variant::singular;
      return detail::better_of(std::move(solution), solve_nonlinear(problem, again));
    }
  }
  return solution;
}

}  // namespace daewave::bvp
