#pragma once
// A DAE of reduced index, with the stepper asked for.

#include <type_traits>

#include "ivp/doors/method_choice.hpp"
#include "ivp/one_step/collocation_step.hpp"
#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/one_step/normal_directions_of.hpp"
#include "ivp/one_step/symmetric_step.hpp"
#include "ivp/reduced/reduced_multibody.hpp"
#include "ivp/reduced/reduced_second_order.hpp"
#include "ivp/reduced/reduced_semi_explicit.hpp"
#include "ivp/run/integrate.hpp"

namespace daewave::ivp {

namespace detail {

template <class P>
struct ReducedTrait {
  using type = ReducedSemiExplicit<P>;
};
template <SecondOrderDae P>
struct ReducedTrait<P> {
  using type = ReducedSecondOrder<P>;
};
template <Multibody P>
struct ReducedTrait<P> {
  using type = ReducedMultibody<P>;
};

}  // namespace detail

/// The OdeSystem of index reduction, of a problem of any class.
template <Dae P>
using Reduced = typename detail::ReducedTrait<P>::type;

/// @param options  checked. @throws InvalidOption
template <Dae P>
Solution solve_reduced(const P& problem, const StateOf<P>& start, const Interval& span,
                       const Options& options, const MethodChoice& chosen,
                       const Monitors& monitors) {
  const Tolerance tolerance(options, static_cast<int>(start.size()));
  Reduced<P> system(problem, chosen.method, options.stabilization,
                    options.regularize.rank_tolerance, options.projection, tolerance,
                    options.state_space);
  const auto run = [&](Step& step) {
    Solution solution = integrate(step, start, span, options, monitors);
    solution.report.integration.guarded = system.guarded();
    solution.report.integration.parameter_choices = system.parameter_choices();
    tell_pivots(system.pivots(), solution.report);
    if (chosen.method == Method::projection) {
      tell_projection(options.projection, static_cast<int>(start.size()), solution.report);
    }
    return solution;
  };
  const bool estimate = !options.h;
  if (chosen.method == Method::symmetric_projection) {
    if constexpr (HasVelocityConstraint<P>) {
      throw InvalidOption(
          "method = symmetric-projection: knows constraints on positions only, the problem has "
          "some on velocities; take projection");
    } else {
      const double rank_tolerance = options.regularize.rank_tolerance;
      SymmetricStep step(system, normal_directions_of(problem, rank_tolerance),
                         normal_directions_of(problem, rank_tolerance), chosen.scheme(),
                         options.stage_iteration.value_or(StageIteration::fixed_point));
      return run(step);
    }
  }
  if (is_explicit(chosen.stepper)) {
    ExplicitRkStep step(system, tableau(chosen.stepper), tolerance, estimate);
    return run(step);
  }
  CollocationStep step(system, chosen.scheme(), tolerance, estimate);
  return run(step);
}

}  // namespace daewave::ivp
