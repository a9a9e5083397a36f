#include "bvp/nonlinear/narrowed_margins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "bvp/mesh/mesh_choice.hpp"

namespace daewave::bvp {
namespace {

Solution at_bound(Solution solution) {
  solution.report.termination = Termination::not_converged;
  solution.report.message =
      "the solution comes to a bound, and depends on how f is there, however close that is";
  solution.report.advice =
      "bounds within which f is finite, or the logarithm of the distance from one in place of x";
  return solution;
}

/// @param left  what narrower margins may change; infinite where that is not known.
Solution depends_on_margin(Solution solution, double margin, double left, const Report& next) {
  Report& report = solution.report;
  report.termination = Termination::tolerance_not_met;
  report.message = fmt::format(
      "f at a bound matters more than the tolerance allows: of margins of it as wide as {:.0e} of "
      "the way there {}, and with narrower ones: {}",
      margin,
      std::isfinite(left) ? fmt::format("{:.1e} may be left in x", left) : "more is left in x",
      next.message);
  report.advice = "a looser tolerance, or other unknowns, in which f is smooth at the bound";
  if (std::isfinite(left)) report.error.x += left;
  return solution;
}

/// What leaves a bound is a solution of other equations.
Solution told(Solution solution, const StateBounds& bounds, const SolutionSizes& sizes,
              double tolerance) {
  const CollocationCurve& curve = solution.values().curve();
  const VecX allowed = tolerance * sizes.x.finite(curve.values().x).head(bounds.size());
  const StateBounds::Told told = bounds.tell(curve, allowed);
  Report& report = solution.report;
  report.warnings.insert(report.warnings.end(), told.on_bound.begin(), told.on_bound.end());
  if (told.left.empty()) return solution;
  report.termination = Termination::not_converged;
  report.message = told.left;
  report.advice = "a wider bound, or a guess closer to a solution that keeps within it";
  return solution;
}

}  // namespace

Solution with_narrowed_margins(StateBounds& bounds, const SolutionSizes& sizes, double tolerance,
                               const std::function<Solution(const Solution* with_wider)>& solve) {
  constexpr double negligible = 0.1, narrower = 1e-2, least = 0.5;
  Solution solution = solve(nullptr);
  double ratio = narrower, left = INFINITY;
  while (solution.report.usable() && left > negligible * tolerance &&
         bounds.is_beyond_margins(solution.values().curve())) {
    const double margin = bounds.margin();
    if (!bounds.set_margin(ratio * margin)) return at_bound(std::move(solution));
    Solution next = solve(&solution);
    if (next.report.termination == Termination::stopped) return next;
    if (!next.report.usable()) {
      bounds.set_margin(margin);
      ratio = std::sqrt(ratio);
      if (ratio < least) continue;
      if (solution.report.error.x + left <= tolerance) break;
      return depends_on_margin(std::move(solution), margin, left, next.report);
    }
    // What margins of zero would change more, as if that were like the root of their width.
    const CollocationCurve &wide = solution.values().curve(), &narrow = next.values().curve();
    left = difference(wide, narrow, sizes).x / (1 / std::sqrt(ratio) - 1);
    solution = std::move(next);
    ratio = std::max(ratio * ratio, narrower);
  }
  if (!solution.report.usable()) return solution;
  if (std::isfinite(left)) solution.report.error.x += left;
  return told(std::move(solution), bounds, sizes, tolerance);
}

}  // namespace daewave::bvp
