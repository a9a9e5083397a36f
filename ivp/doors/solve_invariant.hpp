#pragma once
// The front door for a DAE of index 1 with invariants: w is solved for in every evaluation, and z
// brought back to the invariants after every step.
//
//   auto motion = ivp::solve(problems::Wheelset{}, {.rtol = 1e-8, .atol = 1e-8});

#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/problem/linear_problem.hpp"
#include "ivp/doors/method_choice.hpp"
#include "ivp/doors/solve_multistep.hpp"
#include "ivp/doors/solve_projected_invariants.hpp"
#include "ivp/equations/consistent_invariant.hpp"
#include "ivp/one_step/collocation_step.hpp"
#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/reduced/reduced_invariant.hpp"
#include "ivp/run/integrate.hpp"

namespace daewave::ivp {

namespace detail {

/// @param start  consistent. @param w  near the algebraic unknowns there.
template <InvariantDae P>
Solution solve_invariant(const P& problem, const typename P::State& start,
                         const typename P::Algebraic& w, const Interval& span,
                         const Options& options, const MethodChoice& chosen) {
  Monitors monitors;
  monitors.drift = options.monitor;
  if (chosen.method == Method::projected_invariants) {
    return solve_projected_invariants(problem, start, w, span, options, chosen, monitors);
  }
  if (is_variable_bdf(chosen.method)) {
    return solve_bdf(problem, start, w, span, options, monitors);
  }
  const Tolerance tolerance(options, static_cast<int>(start.size()));
  ReducedInvariant<P> system(problem, chosen.method, options.projection, tolerance,
                             options.regularize.rank_tolerance);
  system.start_algebraic(w);
  const bool estimate = !options.h;
  if (is_explicit(chosen.stepper)) {
    ExplicitRkStep step(system, tableau(chosen.stepper), tolerance, estimate);
    return integrate(step, start, span, options, monitors);
  }
  CollocationStep step(system, chosen.scheme(), tolerance, estimate);
  return integrate(step, start, span, options, monitors);
}

}  // namespace detail

/// Integrates a DAE with invariants from `start` over `span`; end < begin goes backward.
///
/// @param w  where the search for the algebraic unknowns of the start begins.
/// @return  what was given out, the algebraic unknowns as multipliers, and why it ended.
/// @throws  InvalidOption, InvalidProblem before any step, for options that are wrong or do not go
///          together, for a start off the invariants, and for one where w is not determined.
template <InvariantDae P>
Solution solve(const P& problem, typename P::State start, const typename P::Algebraic& w,
               const Interval& span, const Options& options = {}) {
  check(options);
  check_span(span);
  std::vector<std::string> warnings;
  const InvariantStart<P> found =
      consistent_invariant(problem, std::move(start), w, span.begin, options, warnings);
  const MethodChoice chosen =
      choose_method({.backward = span.length() < 0, .invariants = true}, options);
  Solution solution = detail::solve_invariant(problem, found.z, found.w, span, options, chosen);
  Report& report = solution.report;
  if constexpr (HasName<P>) report.problem = problem.name();
  report.nx = static_cast<int>(found.z.size());
  report.ny = static_cast<int>(found.w.size());
  report.integration.index = 1;
  report.integration.constraints = report.integration.rank = found.invariants;
  report.choices.insert(report.choices.begin(), chosen.choices.begin(), chosen.choices.end());
  report.warnings.insert(report.warnings.begin(), warnings.begin(), warnings.end());
  return solution;
}

/// The same from the start and over the interval that the problem gives.
template <InvariantDae P>
requires HasStart<P> && HasAlgebraicStart<P> Solution solve(const P& problem,
                                                            const Options& options = {}) {
  return solve(problem, typename P::State(problem.start()),
               typename P::Algebraic(problem.start_algebraic()), Interval(problem.interval()),
               options);
}

}  // namespace daewave::ivp
