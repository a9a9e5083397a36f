#pragma once
// A DAE by sequential regularization, with the stepper and the order of the loops asked for. What
// depends on the type of the problem ends here: the run itself is compiled once.

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "core/error.hpp"
#include "core/problem/constraint_residual.hpp"
#include "core/problem/linear_problem.hpp"
#include "core/regularize/regularize.hpp"
#include "core/start/exact_start.hpp"
#include "ivp/doors/method_choice.hpp"
#include "ivp/doors/state_multipliers.hpp"
#include "ivp/srm/run_srm.hpp"
#include "ivp/srm/srm_defaults.hpp"

namespace daewave::ivp {

/// The part of solve_srm() that is compiled once. @param chosen  by choose_srm().
/// @param name        of the problem, may be empty.
/// @param multiplier  where zeta is carried and multipliers are asked for; else empty.
Solution solve_srm(const SrmProblem& problem, const std::string& name, const SrmChoices& chosen,
                   const Interval& span, const Options& options, const MethodChoice& method,
                   const MultiplierOfState& multiplier);

/// Of the stepper. @throws InvalidOption
SrmFormula srm_formula(const MethodChoice& method);

/// @throws InvalidOption for what sequential regularization cannot do.
void check_srm(const Options& options);

namespace detail {

/// y_0, or (B y)_0, that agrees with the solution at the start.
/// @throws InvalidOption where there is none.
template <Dae P>
InitialIterate initial_iterate(const P& problem, const StateOf<P>& start, double t, Variant variant,
                               int degree) {
  if (degree < 0) return {};
  // zeta of the reduced problem is zero, and so is its initial iterate.
  if (variant == Variant::invariant_reduced) return {};
  if constexpr (!Reducible<P>) {
    throw InvalidOption(
        "exact_start: needs curvature(q, v, t) of the problem; give it, use "
        "with_autodiff(problem), or take exact_start = -1");
  } else {
    const auto function = [](auto polynomial) -> InitialIterate {
      if (!polynomial.ok()) {
        throw InvalidOption("exact_start: " + polynomial.failure + "; take exact_start = -1");
      }
      return [polynomial](double time, VecX& y) { y = polynomial(time); };
    };
    return carries_By(variant) ? function(exact_start_By(problem, start, t, degree))
                               : function(exact_start_y(problem, start, t, degree));
  }
}

/// Of a state of a problem of any class.
template <Dae P>
class DriftOf {
 public:
  explicit DriftOf(const P& problem) : problem_(&problem) {}

  Drift operator()(double t, const VecX& z) {
    if constexpr (SemiExplicitDae<P>) {
      return {largest_residual(typename P::Multiplier(problem_->g(StateOf<P>(z), t))), 0};
    } else {
      const int n = static_cast<int>(z.size() / 2);
      residual_.evaluate(*problem_, z.head(n), z.tail(n), t);
      return {largest_residual(residual_.position()), largest_residual(residual_.velocity())};
    }
  }

 private:
  struct None {};
  const P* problem_;
  std::conditional_t<SemiExplicitDae<P>, None, ConstraintResidual<P>> residual_;
};

template <class State>
Monitors<VecX> monitors_of_any(const Monitors<State>& monitors, const RegularizedForm& form) {
  Monitors<VecX> of_any;
  of_any.drift = monitors.drift;
  of_any.second_order = monitors.second_order;
  of_any.carries_By = carries_By(form.variant);
  if (monitors.energy) {
    of_any.energy = [energy = monitors.energy](double t, const VecX& z) {
      return energy(t, State(z));
    };
  }
  return of_any;
}

template <Dae P>
std::string name_of_problem(const P& problem) {
  if constexpr (HasName<P>) return problem.name();
  return {};
}

}  // namespace detail

/// @param options  checked. @throws InvalidOption
template <Dae P>
Solution solve_srm(const P& problem, const StateOf<P>& start, const Interval& span,
                   const Options& options, const MethodChoice& method,
                   const Monitors<StateOf<P>>& monitors) {
  check_srm(options);
  const SrmChoices chosen = choose_srm(problem, start, span, options, srm_formula(method));
  SrmProblem regularized;
  regularized.ode = regularize(problem, chosen.form, start, span.begin);
  regularized.start = start;
  regularized.y_0 = detail::initial_iterate(problem, start, span.begin, chosen.form.variant,
                                            options.regularize.exact_start);
  regularized.monitors = detail::monitors_of_any(monitors, chosen.form);
  regularized.drift = detail::DriftOf<P>(problem);
  return solve_srm(regularized, detail::name_of_problem(problem), chosen, span, options, method,
                   multiplier_of_state(problem, chosen.form, options));
}

}  // namespace daewave::ivp
