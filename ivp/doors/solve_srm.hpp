#pragma once
// A DAE by sequential regularization, with the stepper and the order of the loops asked for.

#include <cmath>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/problem/linear_problem.hpp"
#include "core/regularize/with_regularized.hpp"
#include "core/start/exact_start.hpp"
#include "ivp/doors/method_choice.hpp"
#include "ivp/doors/state_multipliers.hpp"
#include "ivp/lanes/lane_options.hpp"
#include "ivp/run/integrate.hpp"
#include "ivp/srm/iterate_changes.hpp"
#include "ivp/srm/srm_collocation_step.hpp"
#include "ivp/srm/srm_collocation_sweeps.hpp"
#include "ivp/srm/srm_defaults.hpp"
#include "ivp/srm/srm_step.hpp"
#include "ivp/srm/srm_windows.hpp"
#include "ivp/srm/sweep_solution.hpp"

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

template <class S>
std::vector<double> changes_of(const S& step) {
  std::vector<double> changes;
  for (int s = 2; s <= step.iterates(); ++s) {
    changes.push_back(largest_residual((step.iterate(s).x - step.iterate(s - 1).x).eval()));
  }
  return changes;
}

template <class S>
long guarded_by(const S& step) {
  if constexpr (requires { step.ode().guarded(); }) return step.ode().guarded();
  return 0;
}

/// Step by step, or in windows. @param make  make(m): a step of m iterates.
/// @param settings  what checkpoints of this run are marked with.
template <class Make, class State>
Solution run_srm(Make make, int iterates, const State& start, const Interval& span,
                 const Options& options, const Monitors& monitors, Settings settings = {}) {
  using S = decltype(make(iterates));
  const bool pipelined = options.regularize.order == Order::pipelined;
  const SerialPipeline alone;
  const Pipeline& pipeline = options.windows.pipeline ? *options.windows.pipeline : alone;
  const std::vector<int> shares =
      pipelined ? share_out(iterates, pipeline.threads(), options.windows.groups)
                : std::vector<int>{iterates};
  WindowedStep<S> last(make(shares.back()));
  Solution solution;
  std::vector<double> changes;
  const bool checkpoints = options.checkpoints.save || options.checkpoints.resume;
  check_checkpoints(options);
  if (shares.size() == 1 && !checkpoints) {
    solution = integrate(last, start, span, options, monitors);
    changes = changes_of(last.group());
    solution.report.integration.guarded = guarded_by(last.group());
  } else {
    check(options);
    std::vector<S> before;
    for (std::size_t i = 0; i + 1 < shares.size(); ++i) before.push_back(make(shares[i]));
    SrmWindows<S> windows(std::move(before), last);
    const double seconds = options.windows.steps
                               ? 0
                               : seconds_per_step(make(shares.back()), span.begin, start,
                                                  std::copysign(*options.h, span.length()));
    const int steps = options.windows.steps.value_or(window_steps(
        seconds, FixedSteps(span, *options.h).count(), static_cast<int>(shares.size())));
    solution = windows.run(start, span, options, monitors, pipeline, steps, std::move(settings));
    changes = windows.changes();
    solution.report.integration.guarded =
        windows.sum_over_groups([](const S& step) { return guarded_by(step); });
    solution.report.choices.push_back(windows_choice(shares, steps, pipeline.threads(), options));
  }
  tell_changes(changes, largest_residual(last.state()), options, solution.report);
  return solution;
}

/// Nothing that is carried is given out; a sink sees the multipliers of the states.
template <Dae P>
void without_zeta(const P& problem, Eigen::Index nz, const Options& options, Options& changed) {
  changed.multipliers = false;
  if constexpr (Reducible<P>) {
    if (!options.sink) return;
    const auto of =
        std::make_shared<StateMultipliers<P>>(problem, options.regularize.rank_tolerance);
    changed.sink = [of, nz, &options](Output output) {
      const StateOf<P> state = Eigen::Map<const VecX>(output.state, nz);
      const auto& multiplier = of->at(output.t, state);
      output.multiplier = multiplier.data();
      output.ny = static_cast<int>(multiplier.size());
      output.carries_By = false;
      return options.sink(output);
    };
  }
}

}  // namespace detail

/// @param options  checked. @throws InvalidOption
template <Dae P>
Solution solve_srm(const P& problem, const StateOf<P>& start, const Interval& span,
                   const Options& options, const MethodChoice& method, Monitors monitors) {
  const bool explicit_formula = is_explicit(method.stepper);
  check_sweeps(options);
  check_windows(options);
  refuse_lanes(options);
  check_checkpoints(options);
  const SrmChoices chosen = choose_srm(
      problem, start, span, options,
      explicit_formula ? SrmFormula(tableau(method.stepper)) : SrmFormula(method.scheme()));
  monitors.carries_By = carries_By(chosen.form.variant);
  const bool sweeps = options.regularize.order == Order::sweeps;
  Options bounded = options;
  if (std::isfinite(chosen.largest_step)) bounded.largest_step = chosen.largest_step;
  // What is carried there is zeta, and y follows from the state.
  const bool of_states = chosen.form.variant == Variant::invariant_reduced && options.multipliers;
  if (of_states) detail::without_zeta(problem, start.size(), options, bounded);
  const Tolerance tolerance(options, static_cast<int>(start.size()));
  const bool estimate = !options.h;

  Solution solution = with_regularized(problem, chosen.form, [&](auto ode) -> Solution {
    using Ode = decltype(ode);
    using Carried = typename Ode::Carried;
    const auto y_0 = detail::initial_iterate<Carried>(
        problem, start, span.begin, chosen.form.variant, options.regularize.exact_start);
    const auto sweep = [&](auto all) {
      return sweep_solution(problem, all, start, span, bounded, chosen.iterates, monitors);
    };
    if (sweeps && explicit_formula) {
      return sweep(SrmSweeps<Ode>(std::move(ode), tableau(method.stepper), y_0));
    }
    Settings settings;
    if (options.h) {
      const std::string name = [&]() -> std::string {
        if constexpr (HasName<P>) return problem.name();
        return "";
      }();
      settings = settings_of(name, start, span.begin, options, chosen.form, chosen.iterates,
                             method.formula());
    }
    const auto run = [&](auto make) {
      return detail::run_srm(make, chosen.iterates, start, span, bounded, monitors, settings);
    };
    if (explicit_formula) {
      return run([&](int iterates) {
        return SrmStep<Ode>(ode, tableau(method.stepper), iterates, y_0, tolerance, estimate);
      });
    }
    const int carried = static_cast<int>(ode.none(start, span.begin).size());
    if (sweeps) {
      return sweep(SrmCollocationSweeps<Ode>(std::move(ode), method.scheme(), carried, y_0));
    }
    return run([&](int iterates) {
      return SrmCollocationStep<Ode>(ode, method.scheme(), iterates, carried, y_0, tolerance,
                                     estimate);
    });
  });
  if constexpr (Reducible<P>) {
    if (of_states) {
      StateMultipliers<P>(problem, options.regularize.rank_tolerance).fill(solution);
    }
  }
  auto& choices = solution.report.choices;
  choices.insert(choices.end(), chosen.choices.begin(), chosen.choices.end());
  return solution;
}

}  // namespace daewave::ivp
