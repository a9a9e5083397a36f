#include "bvp/nonlinear/narrowed_margins.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

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
Solution depends_on_margin(Solution solution, double margin, double left, double tolerance,
                           const Report& next) {
  Report& report = solution.report;
  report.termination = Termination::tolerance_not_met;
  report.message = fmt::format(
      "f at a bound matters more than the tolerance allows: of margins of it as wide as {:.0e} of "
      "the way there {}, and with narrower ones: {}",
      margin,
      std::isfinite(left) ? fmt::format("{:.1e} may be left in x", left) : "more is left in x",
      next.message);
  report.advice = "a looser tolerance, or other unknowns, in which f is smooth at the bound";
  report.error.tolerance = tolerance;
  if (std::isfinite(left)) report.error.x += left;
  return solution;
}

/// What a solution changed with a narrower margin.
struct Change {
  double wide, narrow;  ///< Margins.
  double of_x;
};

/// What margins of zero would change more: like the power of their width that the last two tell, or
/// like its root.
double left_of(const std::vector<Change>& changes) {
  constexpr double least = 0.25, most = 1;
  const Change& last = changes.back();
  double power = 0.5;
  if (changes.size() > 1 && last.of_x > 0) {
    const Change& before = changes[changes.size() - 2];
    power = std::log(before.of_x / last.of_x) / std::log(before.wide / last.wide);
  }
  power = std::isfinite(power) ? std::clamp(power, least, most) : least;
  return last.of_x / (std::pow(last.wide / last.narrow, power) - 1);
}

void add(double left, double tolerance, Solution& solution) {
  Report& report = solution.report;
  ErrorEstimate& error = report.error;
  error.x += left;
  if (!error.available) return;
  error.tolerance = tolerance;
  error.how += fmt::format("; and {:.1e} of x by margins at bounds", left);
  report.message = fmt::format(
      "error estimate {:.1e} within tolerance {:.1e} on {} intervals, {:.1e} of it by margins at "
      "bounds",
      error.x, tolerance, solution.mesh_of_all().intervals(), left);
}

/// What leaves a bound is a solution of other equations.
Solution told(Solution solution, const StateBounds& bounds, const SolutionSizes& sizes,
              double tolerance) {
  const CollocationCurve& curve = solution.values().curve();
  const MeshShare& share = solution.share();
  const MatX extent = share.extents(curve.values().x, MatX()).first;
  const VecX allowed = tolerance * sizes.x.finite(extent).head(bounds.size());
  const StateBounds::Told told = bounds.tell(curve, allowed, share);
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
  double ratio = narrower;
  std::vector<Change> changes;
  const auto left = [&] { return changes.empty() ? INFINITY : left_of(changes); };
  while (solution.report.usable() && left() > negligible * tolerance &&
         bounds.is_beyond_margins(solution.values().curve(), solution.share())) {
    const double margin = bounds.margin();
    if (!bounds.set_margin(ratio * margin)) return at_bound(std::move(solution));
    Solution next = solve(&solution);
    if (next.report.termination == Termination::stopped) return next;
    if (!next.report.usable()) {
      bounds.set_margin(margin);
      ratio = std::sqrt(ratio);
      if (ratio < least) continue;
      if (solution.report.error.x + left() <= tolerance) break;
      return depends_on_margin(std::move(solution), margin, left(), tolerance, next.report);
    }
    changes.push_back({margin, ratio * margin, difference(solution, next, sizes).x});
    solution = std::move(next);
    ratio = std::max(ratio * ratio, narrower);
  }
  if (!solution.report.usable()) return solution;
  // What is within its margins would be the same with all that are narrower.
  if (!changes.empty() && bounds.is_beyond_margins(solution.values().curve(), solution.share())) {
    add(left(), tolerance, solution);
  }
  return told(std::move(solution), bounds, sizes, tolerance);
}

}  // namespace daewave::bvp
