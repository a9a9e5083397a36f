#include "bvp/linear/shooting_back.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bvp/linear/backward_pass.hpp"
#include "bvp/linear/initial_layer.hpp"
#include "bvp/linear/linear_values.hpp"
#include "core/error.hpp"
#include "core/report/stopwatch.hpp"

namespace daewave::bvp {
namespace {

/// Of B y, where the forward solve is settled: passes that differ by more have little in common.
/// Without a limit that was lifted they may by as much as stages on either side of a jump.
constexpr double little_in_common = 0.1, nothing_in_common = 1;
constexpr double settled_to_rounding = 1e-9;

/// The first part of the interval in which the forward solve is not settled.
double layer_end(const LinearData& forward) {
  const Mesh& mesh = forward.curve.mesh();
  const double width = layer_width(forward.regularization);
  return mesh.begin() + std::clamp(4 * width, mesh.step(0), 0.5 * (mesh.end() - mesh.begin()));
}

SweepControl sweeps_of(const LinearData& forward, const Options& options,
                       const ShootingBackOptions& shooting) {
  SweepControl sweeps;
  sweeps.conditioning = options.conditioning.value_or(true);
  sweeps.most = shooting.iterates.value_or(forward.iterates);
  if (!shooting.iterates && !options.iterates) {
    sweeps.most = most_iterates;
    sweeps.until_stalled = true;
  }
  return sweeps;
}

struct ShotBack {
  BackwardPass pass;
  std::optional<PassesCompared> compared{};  ///< Where the pass ran.
};

/// Iterates that no longer change B y by less have done what they can.
void settle(Solution& backward) {
  Report& report = backward.report;
  if (report.termination != Termination::iterates_exhausted) return;
  report.termination = Termination::converged;
  report.message = fmt::format("{} iterate(s) on {} intervals, last change of B y {:.1e}",
                               backward.iterates(), report.intervals, report.history.back().change);
}

/// By how much both passes differ more than they may be off: the forward one in its layer, the one
/// that ran back by as much as B y itself in its own, and no more.
double apart_from(const LinearData& forward, const LinearData& back) {
  const VecX sizes = forward.sizes.carried.finite(forward.curve.values().carried);
  MatX off = left_open(back, StartedAt::end);
  for (Eigen::Index i = 0; i < off.cols(); ++i) off.col(i) = off.col(i).cwiseMin(sizes);
  return beyond(back, forward, off + left_open(forward, StartedAt::begin));
}

/// `forward` is kept by reference.
ShotBack shot_back(const Solution& forward, const Options& options,
                   const ShootingBackOptions& shooting) {
  check(options);
  refuse_nonlinear_options(options);
  if (shooting.iterates && *shooting.iterates < 1) {
    throw InvalidOption(
        fmt::format("iterates = {} of the backward pass: must be >= 1", *shooting.iterates));
  }
  if (!forward.has_values()) {
    throw InvalidOption("shooting back from a solution without values: " + forward.report.brief());
  }
  const LinearData& data = linear_data(forward);
  if (data.regularization.alpha1 != 0) {
    throw InvalidOption(fmt::format(
        "shooting back from a solution with alpha1 = {}: there is no initial layer to repair, use "
        "the solution as it is",
        data.regularization.alpha1));
  }
  const Stopwatch watch;
  BackwardControl control;
  control.correct_along = shooting.correct_along;
  control.most_amplification = options.max_amplification.value_or(default_max_amplification);
  control.watched_up_to = layer_end(data);
  control.sweeps = sweeps_of(data, options, shooting);

  Report report;
  report.nx = data.problem->nx();
  report.ny = data.problem->ny();
  const std::string same = "as in the forward solve";
  report.choices = {
      {"scheme", name_of(data.curve.scheme().scheme), false, same},
      {"stages", fmt::format("{}", data.curve.scheme().stages), false, same},
      {"epsilon", fmt::format("{:g}, B E C with its sign turned", data.regularization.epsilon),
       false, same},
      {"iterates",
       fmt::format("{}{}", control.sweeps.until_stalled ? "up to " : "", control.sweeps.most),
       shooting.iterates.has_value(),
       control.sweeps.until_stalled ? "until B y in the layer no longer changes" : same},
      {"terminal value",
       shooting.correct_along ? "made consistent along the given direction"
                              : "made consistent by the shortest correction",
       shooting.correct_along.has_value(),
       "x of the forward solve misses the constraint slightly"}};
  // The last stage, as the paper's numbers have it: a value the equations were satisfied with.
  const VecX By_end = data.curve.values().carried.rightCols(1);
  ShotBack shot;
  shot.pass = run_back(data, Waveform::constant(By_end), control, options, std::move(report));
  if (shot.pass.ran()) shot.compared.emplace(data, shot.pass);
  if (control.sweeps.until_stalled) settle(shot.pass.solution);
  shot.pass.solution.fixed_nodes = forward.fixed_nodes;
  Report& told = shot.pass.solution.report;
  told.seconds.total = watch.seconds();
  if (!shot.pass.ran()) return shot;
  const bool lifted = shot.pass.growth.back() > std::log(default_max_amplification);
  if (lifted) {
    told.warnings.push_back(fmt::format(
        "the terminal value problem amplifies errors by 10^{:.1f}, which max_amplification = {:g} "
        "allows",
        shot.pass.growth.back() / std::log(10.0), control.most_amplification));
  }
  const double apart = apart_from(data, linear_data(shot.pass.solution));
  if (apart > (lifted ? little_in_common : nothing_in_common)) {
    told.termination = Termination::tolerance_not_met;
    told.message = fmt::format(
        "B y differs from that of the forward solve by {:.1e} of its size, more than both may be "
        "off: errors are amplified on the way back",
        apart);
    told.advice = lifted ? "leave max_amplification as it is; use a smaller epsilon"
                         : "use a smaller epsilon";
  }
  return shot;
}

/// What is told of a redone solve that is better than the forward one, or is not.
void tell(const Options& options, ShootingBack& result) {
  Report& redone = result.redone.report;
  const ErrorEstimate& estimate = result.forward.report.error;
  const double By = std::max(result.redone_open, estimate.By);
  if (estimate.available) {
    redone.error = estimate;
    redone.error.By = By;
    redone.error.how = estimate.how + "; what B y_0 leaves: by the last iterate";
  }
  if (!redone.usable()) return;
  const bool asked = options.tolerance || !options.tolerances.is_open();
  const double tolerance = asked ? wanted_tolerance(options) : 0;
  redone.message = fmt::format(
      "{} iterate(s) on {} intervals; what B y_0 leaves of an error of B y: {:.1e}, {:.1e} before",
      result.redone.iterates(), redone.intervals, result.redone_open, result.forward_open);
  if (estimate.available)
    redone.message += fmt::format("; error estimate {:.1e}", std::max(estimate.x, By));
  if (result.redone_open > result.forward_open) {
    redone.warnings.push_back(fmt::format(
        "no better than the forward solve: B y may be off by {:.1e} of its size, and by {:.1e} "
        "there; errors are amplified on the way back",
        result.redone_open, result.forward_open));
    result.forward.report.advice = "a smaller epsilon, or alpha1 = 1 where C B is regular";
  } else if (tolerance > 0 && std::max(estimate.x, By) > tolerance) {
    redone.termination = Termination::tolerance_not_met;
    redone.message = fmt::format("error estimate {:.1e} exceeds tolerance {:.1e}: {}",
                                 std::max(estimate.x, By), tolerance, redone.message);
    redone.advice = "a smaller epsilon, or more iterates";
  }
}

}  // namespace

Solution shoot_back(const Solution& forward, const Options& options,
                    const ShootingBackOptions& shooting) {
  return shot_back(forward, options, shooting).pass.solution;
}

ShootingBack solve_with_shooting_back(std::shared_ptr<const LinearDae> problem, Options options,
                                      const ShootingBackOptions& shooting) {
  if (!options.shooting_back.value_or(true)) {
    throw InvalidOption(
        "shooting_back = false: solve_with_shooting_back() does nothing else; leave it out, or use "
        "solve()");
  }
  if (!options.alpha1) options.alpha1 = 0;
  options.shooting_back = false;
  ShootingBack result;
  result.forward = solve(problem, options);
  leave_out_shooting_back(result.forward.report.advice);
  if (!result.forward.has_values()) return result;
  const LinearData& forward = linear_data(result.forward);
  ShotBack shot = shot_back(result.forward, options, shooting);
  result.backward = shot.pass.solution;
  const MatX forward_error =
      forward.regularization.alpha1 == 0 ? left_open(forward, StartedAt::begin) : MatX();
  const VecX sizes = By_sizes(forward);
  result.forward_open = relative(forward_error, sizes);
  if (!shot.pass.ran() || (!result.backward.report.usable() && !shooting.blend)) {
    result.redone.report.message = "not run: the backward pass gave no B y to start from";
    return result;
  }
  // What the forward solve has no layer of needs no better start than its own B y.
  const bool repairs = result.forward_open > settled_to_rounding;
  if (shooting.blend && repairs && !shot.compared->any_better()) {
    result.redone.report.message =
        "not run: B y of the backward pass is nowhere found to be better than that of the forward "
        "solve";
    result.forward.report.advice = "a smaller epsilon, or alpha1 = 1 where C B is regular";
    return result;
  }
  // The mesh the forward solve ended on serves again; its error was estimated there.
  Options again = options;
  again.By_0 = shooting.blend ? shot.compared->spliced(result.forward) : result.backward.waveform();
  again.tolerance.reset();
  again.tolerances = {};
  again.intervals.reset();
  again.mesh = result.forward.mesh();
  again.max_intervals.reset();
  again.fixed_nodes = result.forward.fixed_nodes;
  again.scheme = result.forward.scheme().scheme;
  again.stages = result.forward.scheme().stages;
  again.epsilon = result.forward.regularization().epsilon;
  again.iterates = result.forward.iterates();
  result.redone = solve(problem, again);
  leave_out_shooting_back(result.redone.report.advice);
  if (!result.redone.has_values()) return result;
  const LinearData& redone = linear_data(result.redone);
  result.redone_open = std::max(relative(left_open(redone, StartedAt::begin), sizes),
                                beyond(redone, forward, forward_error));
  tell(options, result);
  return result;
}

}  // namespace daewave::bvp
