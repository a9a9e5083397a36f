#include "ivp/doors/solve_srm.hpp"

#include <cmath>
#include <utility>

#include "ivp/lanes/lane_options.hpp"
#include "ivp/srm/sweep_solution.hpp"
#include "ivp/srm/window_choice.hpp"

namespace daewave::ivp {

SrmFormula srm_formula(const MethodChoice& method) {
  if (is_explicit(method.stepper)) return tableau(method.stepper);
  return method.scheme();
}

void check_srm(const Options& options) {
  check_sweeps(options);
  check_windows(options);
  refuse_lanes(options);
  check_checkpoints(options);
}

Solution solve_srm(const SrmProblem& problem, const std::string& name, const SrmChoices& chosen,
                   const Interval& span, const Options& options, const MethodChoice& method,
                   const MultiplierOfState& multiplier) {
  Options bounded = multiplier
                        ? without_zeta(multiplier, static_cast<int>(problem.start.size()), options)
                        : options;
  if (std::isfinite(chosen.largest_step)) bounded.largest_step = chosen.largest_step;
  Settings settings;
  if (options.h) {
    settings = settings_of(name, problem.start, span.begin, options, chosen.form, chosen.iterates,
                           method.formula());
  }
  Solution solution =
      run_srm(problem, srm_formula(method), chosen.iterates, span, bounded, std::move(settings));
  if (multiplier) fill_multipliers(multiplier, solution);
  auto& choices = solution.report.choices;
  choices.insert(choices.end(), chosen.choices.begin(), chosen.choices.end());
  return solution;
}

}  // namespace daewave::ivp
