#pragma once
// A DAE by sequential regularization, with the stepper and the order of the loops asked for.

#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/exact_start.hpp"
#include "core/with_regularized.hpp"
#include "ivp/integrate.hpp"
#include "ivp/iterate_changes.hpp"
#include "ivp/method_choice.hpp"
#include "ivp/srm_collocation_step.hpp"
#include "ivp/srm_defaults.hpp"
#include "ivp/srm_step.hpp"
#include "ivp/sweep_solution.hpp"

namespace daewave::ivp {

namespace detail {

/// y_0, or (B y)_0, that agrees with the solution at the start.
/// @throws InvalidOption where there is none.
template <class Carried, Dae P>
InitialIterate<Carried> initial_iterate(const P& problem, const StateOf<P>& start, double t,
                                        Variant variant, int degree) {
  if (degree < 0) return {};
  // zeta of the reduced problem is zero, and so is its initial iterate.
  if (variant == Variant::invariant_reduced) return {};
  const auto function = [](auto polynomial) -> InitialIterate<Carried> {
    if (!polynomial.ok()) {
      throw InvalidOption("exact_start: " + polynomial.failure + "; take exact_start = -1");
    }
    return [polynomial](double time, Carried& y) { y = polynomial(time); };
  };
  if constexpr (!Reducible<P>) {
    throw InvalidOption(
        "exact_start: needs curvature(q, v, t) of the problem; give it, use "
        "with_autodiff(problem), or take exact_start = -1");
  } else if constexpr (std::is_same_v<Carried, ConfigurationOf<P>> &&
                       std::is_same_v<Carried, MultiplierOf<P>>) {
    return carries_By(variant) ? function(exact_start_By(problem, start, t, degree))
                               : function(exact_start_y(problem, start, t, degree));
  } else if constexpr (std::is_same_v<Carried, ConfigurationOf<P>>) {
    return function(exact_start_By(problem, start, t, degree));
  } else if constexpr (std::is_same_v<Carried, MultiplierOf<P>>) {
    return function(exact_start_y(problem, start, t, degree));
  } else {
    return {};
  }
}

/// The choices for an implicit formula, whose steps no stability limits.
template <Dae P>
SrmChoices choose_implicit_srm(const P& problem, const StateOf<P>& start, const Interval& span,
                               const Options& options) {
  Options open = options;
  open.h.reset();
  SrmChoices chosen = choose_srm(problem, start, span, open, tableau(Stepper::dopri5));
  chosen.largest_step = options.largest_step.value_or(std::numeric_limits<double>::infinity());
  return chosen;
}

template <class SrmStepOfAnyKind>
void tell_changes_of(const SrmStepOfAnyKind& step, const Options& options, Report& report) {
  std::vector<double> changes;
  for (int s = 2; s <= step.iterates(); ++s) {
    changes.push_back(largest_residual((step.iterate(s).x - step.iterate(s - 1).x).eval()));
  }
  tell_changes(changes, largest_residual(step.state()), options, report);
}

}  // namespace detail

/// @param options  checked. @throws InvalidOption
template <Dae P>
Solution solve_srm(const P& problem, const StateOf<P>& start, const Interval& span,
                   const Options& options, const MethodChoice& method,
                   Monitors<StateOf<P>> monitors) {
  const bool explicit_formula = is_explicit(method.stepper);
  check_sweeps(options, explicit_formula);
  const SrmChoices chosen = explicit_formula
                                ? choose_srm(problem, start, span, options, tableau(method.stepper))
                                : detail::choose_implicit_srm(problem, start, span, options);
  monitors.carries_By = carries_By(chosen.form.variant);
  const bool sweeps = options.regularize.order == Order::sweeps;
  Options bounded = options;
  if (std::isfinite(chosen.largest_step)) bounded.largest_step = chosen.largest_step;
  const bool gives_zeta = chosen.form.variant == Variant::invariant_reduced;
  bounded.multipliers = options.multipliers && !gives_zeta;
  const Tolerance tolerance(options, static_cast<int>(start.size()));
  const bool estimate = !options.h;

  Solution solution = with_regularized(problem, chosen.form, [&](auto ode) -> Solution {
    using Ode = decltype(ode);
    using Carried = typename Ode::Carried;
    const auto y_0 = detail::initial_iterate<Carried>(
        problem, start, span.begin, chosen.form.variant, options.regularize.exact_start);
    if (sweeps) {
      SrmSweeps<Ode> all(std::move(ode), tableau(method.stepper), y_0);
      return sweep_solution(problem, all, start, span, bounded, chosen.iterates, monitors);
    }
    const auto run = [&](auto step) {
      Solution result = integrate(step, start, span, bounded, monitors);
      detail::tell_changes_of(step, options, result.report);
      if constexpr (requires { step.ode().guarded(); }) {
        result.report.integration.guarded = step.ode().guarded();
      }
      return result;
    };
    if (explicit_formula) {
      return run(SrmStep<Ode>(std::move(ode), tableau(method.stepper), chosen.iterates, y_0,
                              tolerance, estimate));
    }
    const int carried = static_cast<int>(ode.none(start, span.begin).size());
    return run(SrmCollocationStep<Ode>(std::move(ode), method.scheme(), chosen.iterates, carried,
                                       y_0, tolerance, estimate));
  });
  if (gives_zeta && options.multipliers) {
    solution.report.warnings.push_back(
        "no multipliers are given out: variant = invariant-reduced has zeta instead, which is zero "
        "in the exact solution; take variant = invariant for lambda");
  }
  auto& choices = solution.report.choices;
  choices.insert(choices.end(), chosen.choices.begin(), chosen.choices.end());
  return solution;
}

}  // namespace daewave::ivp
