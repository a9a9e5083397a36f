#include "bvp/nonlinear/missed_by_iterates.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bvp/nonlinear/curve_residual.hpp"
#include "bvp/nonlinear/nonlinear_values.hpp"
#include "core/not_finite.hpp"

namespace daewave::bvp {

bool leaves_layer(const NonlinearProblem& problem) {
  return problem.has_layer && !problem.repairs_layer;
}

bool misses_constraints(const NonlinearProblem& problem, const Options& options, double most,
                        Solution& solution) {
  constexpr double rounding = 1e-12;  // Of constraints, in units of their terms.
  if (problem.epsilon == 0 || solution.report.termination == Termination::iterates_exhausted) {
    return false;
  }
  double at = 0;
  const CollocationCurve& curve = solution.values().curve();
  const MeshShare& share = solution.share();
  const double missed =
      constraint_excess(*problem.equations_of(curve, share), curve, problem.sizes.x, at, share);
  if (missed <= std::max(most, rounding)) return false;
  Report& report = solution.report;
  report.termination = Termination::iterates_exhausted;
  report.message = fmt::format(
      "constraints are missed by {:.1e} of their terms at t = {:.6g} after {} iterate(s) with "
      "epsilon = {:g}: these do not converge to the solution",
      missed, at, report.history.size(), problem.epsilon);
  const bool chosen = !options.epsilon && !options.iterates;
  report.advice = fmt::format("a smaller epsilon, or more iterates{}",
                              chosen ? "" : "; leave both out to have them chosen");
  return true;
}

bool leave_more(const NonlinearProblem& problem, const Options& options, const LeftByIterates& left,
                double tolerance, Report& report) {
  const double carried = problem.controls_carried ? left.carried : 0;
  if (left.newton.converged()) {
    report.error.x = larger(report.error.x, left.x);
    report.error.By = larger(report.error.By, left.carried);
    if (left.x <= tolerance && carried <= tolerance) return false;
  }
  report.termination = Termination::iterates_exhausted;
  report.message =
      fmt::format("{} iterate(s) with epsilon = {:g} ", report.history.size(), problem.epsilon);
  report.message +=
      left.newton.converged()
          ? fmt::format("leave errors of {:.1e} of x and {:.1e} of {}, where {:.1e} was asked for",
                        left.x, left.carried, problem.carries_By ? "B y" : "y", tolerance)
          : "leave errors that are not known: another one, which tells them, is not found: " +
                left.newton.reason;
  report.advice = fmt::format("{}more iterates, or a smaller epsilon",
                              leaves_layer(problem) ? "shooting_back = true; or " : "");
  if (options.iterates) report.advice += "; or leave iterates out to have them chosen";
  return true;
}

}  // namespace daewave::bvp
