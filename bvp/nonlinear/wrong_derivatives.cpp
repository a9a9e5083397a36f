#include "bvp/nonlinear/wrong_derivatives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bvp/nonlinear/beside_guess.hpp"
#include "core/start/check_constraints.hpp"
#include "core/start/check_f_jacobian.hpp"
#include "core/start/check_mass.hpp"

namespace daewave::bvp {
void refuse_wrong_constraints(const DaeProblem& problem, const Interval& interval,
                              const std::function<VecX(double t)>& guess) {
  check_mass(problem, guess(interval.begin), interval.begin);
  const Interval later{interval.begin + 0.5 * interval.length(), interval.end};
  check_constraint_derivatives(problem, beside(guess(later.begin)), later, true);
}

void doubt_derivatives(const NonlinearProblem& problem, Report& report) {
  const DaeProblem& equations = *problem.equations;
  if (!equations.structure().has_f_jacobian) return;
  for (const double part : {0.1382, 0.5279, 0.8647}) {
    DerivativeReport found;
    found.t = problem.interval.begin + part * problem.interval.length();
    found.tolerance = 0.01;
    const VecX state = beside(problem.guess(found.t).head(equations.state_size()));
    if (!state.allFinite()) continue;
    check_f_jacobian(equations, state, found.t, found);
    const auto wrong = std::find_if(
        found.checks.begin(), found.checks.end(),
        [](const DerivativeCheck& check) { return !check.ok && std::isfinite(check.expected); });
    if (wrong == found.checks.end()) continue;
    report.message += fmt::format(
        "; the derivatives given contradict f: {} row {}, column {} at t = {:.10g}: given {:.10g}, "
        "differences give {:.10g}",
        wrong->quantity, wrong->row, std::max(wrong->column, 1), found.t, wrong->given,
        wrong->expected);
    report.advice = "derivatives of f that are right, or none: differences then give them";
    return;
  }
}

}  // namespace daewave::bvp
