#pragma once
// A DAE by sequential regularization, with the stepper and the order of the loops asked for.

#include <limits>

#include "core/exact_start.hpp"
#include "core/with_regularized.hpp"
#include "ivp/integrate.hpp"
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
        "with_autodiff(problem), "
        "or take exact_start = -1");
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

}  // namespace detail

/// @param options  checked. @throws InvalidOption
template <Dae P>
Solution solve_srm(const P& problem, const StateOf<P>& start, const Interval& span,
                   const Options& options, const MethodChoice& method,
                   Monitors<StateOf<P>> monitors) {
  const bool explicit_formula = is_explicit(method.stepper);
  const SrmChoices chosen = explicit_formula
                                ? choose_srm(problem, start, span, options, tableau(method.stepper))
                                : detail::choose_implicit_srm(problem, start, span, options);
  monitors.carries_By = carries_By(chosen.form.variant);
  const bool sweeps = options.regularize.order == Order::sweeps;
  check_sweeps(options);
  Options bounded = options;
  if (std::isfinite(chosen.largest_step)) bounded.largest_step = chosen.largest_step;
  const Tolerance tolerance(options, static_cast<int>(start.size()));
  const bool estimate = !options.h;

  Solution solution = with_regularized(problem, chosen.form, [&](auto ode) -> Solution {
    using Ode = decltype(ode);
    using Carried = typename Ode::Carried;
    const auto y_0 = detail::initial_iterate<Carried>(
        problem, start, span.begin, chosen.form.variant, options.regularize.exact_start);
    if (sweeps && !explicit_formula) {
      throw InvalidOption(
          "order = sweeps: is for explicit steppers here; take order = step-local, whose results "
          "are the same");
    }
    if (sweeps) {
      SrmSweeps<Ode> all(std::move(ode), tableau(method.stepper), y_0);
      return sweep_solution(problem, all, start, span, options, chosen.iterates, monitors);
    }
    const auto run = [&](auto step) {
      Solution result = integrate(step, start, span, bounded, monitors);
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
  auto& choices = solution.report.choices;
  choices.insert(choices.end(), chosen.choices.begin(), chosen.choices.end());
  return solution;
}

}  // namespace daewave::ivp
