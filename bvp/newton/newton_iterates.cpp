#include "bvp/newton/newton_iterates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/not_finite.hpp"

namespace daewave::bvp {
namespace {

/// From x_{s-1}, which belongs to y = `from`, to x_s, which belongs to y = `to`.
NewtonResult follow(CollocationNewton& newton, const MatX& from, const MatX& to,
                    const NewtonControl& control, IteratesResult& so_far,
                    CollocationValues& values) {
  constexpr double least = 1.0 / 256;
  NewtonResult result = newton.solve(to, control, values);
  so_far.newton_iterations += result.iterations;
  const auto stopped = [&] { return result.failure == NewtonResult::Failure::stopped; };
  if (result.converged() || stopped() || so_far.history.empty()) return result;
  const std::string reason = result.reason;
  double reached = 0, step = 0.25;
  while (reached < 1) {
    const double next = std::min(1.0, reached + step);
    result = newton.solve((1 - next) * from + next * to, control, values);
    so_far.newton_iterations += result.iterations;
    ++so_far.homotopy_steps;
    if (result.converged()) {
      reached = next;
      step *= 2;
      continue;
    }
    if (stopped()) return result;
    step /= 4;
    if (step < least) {
      result.reason = fmt::format("{}; a homotopy from the iterate before came to {:.3g} of 1",
                                  reason, reached);
      return result;
    }
  }
  return result;
}

/// Of x at nodes and at stages, in units of the sizes of components: within an interval it may
/// change by more than at its ends.
double change_of_x(const CollocationNewton& newton, const MatX& x, const MatX& slopes,
                   const CollocationValues& after, const ComponentSizes& sizes) {
  const Collocation& scheme = newton.scheme();
  const Mesh& mesh = newton.mesh();
  const int k = scheme.stages;
  const MeshShare& share = newton.share();
  const MatX moved = after.x - x;
  VecX most = moved.cwiseAbs().rowwise().maxCoeff();
  for (int i = 0; i < mesh.intervals(); ++i) {
    const MatX turned = after.slopes.middleCols(i * k, k) - slopes.middleCols(i * k, k);
    MatX inside = mesh.step(i) * (turned * scheme.a.transpose());
    inside.colwise() += moved.col(i);
    most = most.cwiseMax(inside.cwiseAbs().rowwise().maxCoeff());
  }
  const std::vector<double> of_all = share.largest_each({most.begin(), most.end()});
  most = Eigen::Map<const VecX>(of_all.data(), most.size());
  return largest_size(most.cwiseQuotient(sizes.of(share.extents(after.x, MatX()).first)));
}

/// Of the columns, in the same way.
double relative_change(const MeshShare& share, const MatX& a, const MatX& b,
                       const ComponentSizes& sizes) {
  const VecX size = sizes.of(share.extents(a, MatX()).first);
  double most = 0;
  for (int i = 0; i < a.rows(); ++i) {
    most = larger(most, largest_size(a.row(i) - b.row(i)) / size[i]);
  }
  return share.largest(most);
}

/// The largest change of what is carried, and where.
IterateReport change_of(const CollocationNewton& newton, const MatX& before, const MatX& after,
                        int intervals) {
  IterateReport report;
  const auto stages = intervals > 0 ? static_cast<int>(after.cols()) / intervals : 0;
  for (int column = 0; column < after.cols(); ++column) {
    if (after.rows() == 0) break;
    const double change = largest_size(after.col(column) - before.col(column));
    if (change <= report.change || std::isnan(report.change)) continue;
    report.change = change;
    report.change_at = newton.stage_time(column / stages, column % stages);
  }
  const std::vector<double> worst = newton.share().worst({report.change, report.change_at});
  report.change = worst[0];
  report.change_at = worst[1];
  return report;
}

/// What is still to come where changes go on as they have fallen; no less than the last one.
double remaining(double change, double before) {
  constexpr double slowest = 100;
  const double rate = change / before;
  return change * std::clamp(rate < 1 ? rate / (1 - rate) : slowest, 1.0, slowest);
}

}  // namespace

IteratesResult newton_iterates(CollocationNewton& newton, int intervals, const MatX& first,
                               const IterateControl& control, CollocationValues& values) {
  IteratesResult result;
  MatX before = first, before_that = first;
  double change_before = INFINITY, carried_before = INFINITY;
  const int most = control.most;
  for (int s = 1; s <= most; ++s) {
    if (control.goes_on && !control.goes_on(s)) {
      result.newton.failure = NewtonResult::Failure::stopped;
      result.newton.reason = fmt::format("stopped before iterate {}", s);
      return result;
    }
    const MatX x = values.x, slopes = values.slopes;
    result.newton = follow(newton, before_that, before, control.newton, result, values);
    if (!result.newton.converged()) {
      result.newton.reason = fmt::format("iterate {}: {}", s, result.newton.reason);
      return result;
    }
    IterateReport report = change_of(newton, before, values.carried, intervals);
    report.iterate = s;
    report.drift = newton.drift();
    report.residual = newton.linear_report().worst_residual;
    result.history.push_back(report);
    result.change = most == 1 ? 0 : change_of_x(newton, x, slopes, values, control.sizes.x);
    const double carried_change =
        relative_change(newton.share(), values.carried, before, control.sizes.carried);
    before_that = before;
    before = values.carried;
    // Near points where constraints become dependent iterates come to a level and leave it again.
    const bool at_level =
        s > 2 && result.change > 0.9 * change_before && result.change <= 10 * control.tolerance;
    // Of the first, the change is that of the guess, and tells nothing.
    result.remaining = s > 1 ? remaining(result.change, change_before) : result.change;
    result.carried_remaining = remaining(carried_change, carried_before);
    if (s > 1) change_before = result.change;
    carried_before = carried_change;
    result.settled = most == 1 || (s > 1 && (at_level || result.remaining <= control.tolerance) &&
                                   result.carried_remaining <= control.carried_tolerance);
    if (result.settled && !control.all) break;
  }
  return result;
}

}  // namespace daewave::bvp
