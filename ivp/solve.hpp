#pragma once
// The front door: an initial value DAE of index 2 or 3, or a multibody system, with the method and
// stepper of one's choice or the default.
//
//   auto motion = ivp::solve(with_autodiff(Pendulum{}), {1, 0, 0, 0}, {0, 100}, {.rtol = 1e-8});

#include <string>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/problem/linear_problem.hpp"
#include "core/start/consistent_start.hpp"
#include "ivp/doors/method_choice.hpp"
#include "ivp/doors/solve_blocked_multistep.hpp"
#include "ivp/doors/solve_invariant.hpp"
#include "ivp/doors/solve_multistep.hpp"
#include "ivp/doors/solve_projected_invariants.hpp"
#include "ivp/doors/solve_reduced.hpp"
#include "ivp/doors/solve_srm.hpp"

namespace daewave::ivp {

namespace detail {

/// @throws InvalidProblem for an inconsistent start that is not to be repaired, or cannot be.
template <Dae P>
Consistency consistent(const P& problem, StateOf<P>& start, double t, const Options& options,
                       std::vector<std::string>& warnings) {
  const double guard = options.regularize.rank_tolerance;
  Consistency found = check_start(problem, start, t, guard);
  if (found.ok(options.start_tolerance)) return found;
  if (!found.not_finite.empty()) {
    throw InvalidProblem("start: " + found.text(options.start_tolerance));
  }
  if (!options.repair_start) {
    throw InvalidProblem(found.text(options.start_tolerance) + ", or by repair_start = true");
  }
  const StartRepair repair = repair_start(problem, start, t, options.start_tolerance, guard);
  if (!repair.ok) throw InvalidProblem("start: " + repair.failure);
  warnings.push_back("the start was moved to the constraints: position by " +
                     std::to_string(repair.position) + ", velocity by " +
                     std::to_string(repair.velocity) + ", max norm");
  return repair.consistency;
}

/// @throws InvalidProblem for a start of another size than the problem's own.
template <Dae P>
void check_size(const P& problem, const StateOf<P>& start) {
  if constexpr (HasStart<P>) {
    const auto own = StateOf<P>(problem.start()).size();
    if (own == start.size()) return;
    throw InvalidProblem("start: has " + std::to_string(start.size()) +
                         " entries, the state of the problem has " + std::to_string(own));
  }
}

template <Dae P>
Monitors monitors_of(const P& problem, const Options& options) {
  Monitors monitors;
  monitors.second_order = !SemiExplicitDae<P>;
  monitors.drift = options.monitor;
  if constexpr (HasEnergy<P> && !SemiExplicitDae<P>) {
    if (options.monitor) {
      monitors.energy = [&problem](double, const VecX& z) {
        const auto n = z.size() / 2;
        return static_cast<double>(problem.energy(z.head(n), z.tail(n)));
      };
    }
  }
  return monitors;
}

}  // namespace detail

/// Integrates a DAE from `start` over `span`; end < begin goes backward.
///
/// @param problem  any type of a concept of core/problem/dae.hpp; may lack the curvature (method
/// srm then).
/// @param start    x of index 2, (q, v) otherwise.
/// @return  what was given out, and why it ended: numerical failure does not throw, and what is
///          valid until then is there.
/// @throws  InvalidOption, InvalidProblem before any step, for options that are wrong or do not go
///          together, and for a start that does not satisfy the constraints.
template <Dae P>
Solution solve(const P& problem, StateOf<P> start, const Interval& span,
               const Options& options = {}) {
  check(options);
  check_span(span);
  detail::check_size(problem, start);
  std::vector<std::string> warnings;
  const Consistency found = detail::consistent(problem, start, span.begin, options, warnings);
  const MethodChoice chosen = choose_method(
      {.reducible = Reducible<P>, .full_rank = !found.singular(), .backward = span.length() < 0},
      options);
  const auto monitors = detail::monitors_of(problem, options);
  Solution solution;
  if (chosen.method == Method::srm) {
    solution = solve_srm(problem, start, span, options, chosen, monitors);
  } else if constexpr (Reducible<P>) {
    solution = is_blocked_multistep(chosen.method)
                   ? solve_blocked_multistep(problem, start, span, options, monitors)
               : chosen.method == Method::projected_invariants
                   ? solve_projected_invariants(problem, start, span, options, chosen, monitors)
               : is_variable_bdf(chosen.method)
                   ? solve_bdf(problem, start, span, options, monitors)
                   : solve_reduced(problem, start, span, options, chosen, monitors);
  }
  Report& report = solution.report;
  if constexpr (HasName<P>) report.problem = problem.name();
  report.nx = static_cast<int>(start.size());
  report.ny = found.constraints;
  report.integration.index = found.index;
  report.integration.constraints = found.constraints;
  report.integration.rank = found.rank;
  report.choices.insert(report.choices.begin(), chosen.choices.begin(), chosen.choices.end());
  report.warnings.insert(report.warnings.begin(), warnings.begin(), warnings.end());
  return solution;
}

/// The same from the start and over the interval that the problem gives.
template <Dae P>
requires HasStart<P> Solution solve(const P& problem, const Options& options = {}) {
  return solve(problem, StateOf<P>(problem.start()), Interval(problem.interval()), options);
}

}  // namespace daewave::ivp
