#include "ivp/doors/solve_srm.hpp"

#include <cmath>
#include <memory>
#include <utility>

#include "core/error.hpp"
#include "core/regularize/regularize_problem.hpp"
#include "core/start/problem_start.hpp"
#include "ivp/doors/run_setup.hpp"
#include "ivp/doors/state_multipliers.hpp"
#include "ivp/equations/dae_system_of.hpp"
#include "ivp/srm/run_srm.hpp"
#include "ivp/srm/srm_defaults.hpp"
#include "ivp/srm/sweep_solution.hpp"
#include "ivp/srm/window_choice.hpp"

namespace daewave::ivp {
namespace {

/// @throws InvalidOption for what they cannot do.
void check_loops(const Loops& loops, const Options& options) {
  const bool fixed = options.h.has_value();
  if (std::holds_alternative<Sweeps>(loops)) check_sweeps(options);
  if (const auto* pipelined = std::get_if<Pipelined>(&loops)) check_windows(*pipelined, fixed);
  if (const auto* checkpoints = checkpoints_of(loops)) check_checkpoints(*checkpoints, fixed);
}

StartPolynomial start_polynomial(const DaeProblem& problem, const VecX& start, const Interval& span,
                                 Variant variant, int degree) {
  const double length = std::abs(span.length());
  return carries_By(variant) ? exact_start_By(problem, start, span.begin, degree, length)
                             : exact_start_y(problem, start, span.begin, degree, length);
}

/// Where the options leave it open.
InitialIterate choose_initial(const DaeProblem& problem, const VecX& start, const Interval& span,
                              const Options& options, SrmChoices& chosen) {
  const Variant variant = chosen.form.variant;
  if (options.h || variant == Variant::invariant_reduced) return {};
  const auto tell = [&chosen](const char* value, std::string reason) {
    chosen.choices.push_back({"exact_start", value, false, std::move(reason)});
  };
  if (!is_reducible(problem)) {
    tell("-1",
         "y_0 = 0 leaves an initial layer of some epsilon; without a curvature nothing else "
         "is known of y");
    return {};
  }
  const StartPolynomial line = start_polynomial(problem, start, span, variant, 1);
  if (!line.ok()) {
    tell("-1",
         "y_0 = 0 leaves an initial layer of some epsilon; y at the start does not follow "
         "from the state");
    return {};
  }
  tell("1", "y_0 and its derivative are those of y at the start, so that there is no layer");
  // Far from the start it is zero: at points where constraints become dependent, what is not in the
  // range of B spoils what is.
  return [line, width = 0.5 * chosen.time_scale](double time, VecX& y) {
    const double s = time - line.begin, part = s / width;
    y = std::exp(-std::pow(part, 4)) * (line.derivatives[0] + s * line.derivatives[1]);
  };
}

}  // namespace

std::function<Drift(double t, const VecX& z)> drift_of(const DaeProblem& problem, const VecX& start,
                                                       double t) {
  const std::shared_ptr<DaeSystem> system = dae_system_of(problem, start, t);
  return [system](double time, const VecX& z) { return system->drift(time, z); };
}

InitialIterate initial_iterate(const DaeProblem& problem, const VecX& start, const Interval& span,
                               Variant variant, int degree) {
  if (degree < 0) return {};
  // zeta of the reduced problem is zero, and so is its initial iterate.
  if (variant == Variant::invariant_reduced) return {};
  if (!is_reducible(problem)) {
    throw InvalidOption(
        "exact_start: needs curvature(q, v, t) of the problem; leave exact_start open; or give it, "
        "or "
        "use with_autodiff(problem)");
  }
  const StartPolynomial polynomial = start_polynomial(problem, start, span, variant, degree);
  if (!polynomial.ok()) {
    throw InvalidOption("exact_start: " + polynomial.failure + "; leave exact_start open");
  }
  return [polynomial](double time, VecX& y) { y = polynomial(time); };
}

SrmFormula srm_formula(const MethodChoice& method) {
  if (is_explicit(method.stepper)) return tableau(method.stepper);
  return method.scheme();
}

Solution solve_srm(const DaeProblem& problem, const VecX& start, const Interval& span,
                   const Srm& asked, const Options& options, const MethodChoice& method,
                   const Monitors& monitors) {
  check_loops(asked.loops, options);
  const SrmFormula formula = srm_formula(method);
  SrmChoices chosen = choose_srm(problem, start, span, asked, options, formula);
  SrmProblem regularized;
  regularized.ode = regularize(problem, chosen.form);
  regularized.start = start;
  regularized.y_0 = asked.exact_start ? initial_iterate(problem, start, span, chosen.form.variant,
                                                        *asked.exact_start)
                                      : choose_initial(problem, start, span, options, chosen);
  regularized.monitors = monitors;
  regularized.monitors.carries_By = carries_By(chosen.form.variant);
  regularized.drift = drift_of(problem, start, span.begin);
  regularized.one_suffices = chosen.one_suffices;
  const MultiplierOfState multiplier = multiplier_of_state(problem, chosen.form, options);
  Options bounded =
      multiplier ? without_zeta(multiplier, static_cast<int>(start.size()), options) : options;
  if (!options.h && std::isfinite(chosen.largest_step)) bounded.largest_step = chosen.largest_step;
  Settings settings;
  if (options.h) {
    settings = settings_of(problem.name(), start, span.begin, *options.h, asked, chosen.form,
                           chosen.iterates, method.formula());
  }
  Solution solution =
      run_srm(regularized, formula, chosen.iterates, span, asked, bounded, std::move(settings));
  if (multiplier) fill_multipliers(multiplier, solution);
  auto& choices = solution.report.choices;
  choices.insert(choices.end(), chosen.choices.begin(), chosen.choices.end());
  auto& warnings = solution.report.warnings;
  warnings.insert(warnings.end(), chosen.warnings.begin(), chosen.warnings.end());
  return solution;
}

}  // namespace daewave::ivp
