#include "bvp/linear/sweeps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bvp/linear/conditioning.hpp"
#include "bvp/linear/linear_values.hpp"
#include "bvp/mesh/left_by_iterates.hpp"
#include "core/blocks/checked_solver.hpp"
#include "core/report/stopwatch.hpp"

namespace daewave::bvp {
namespace {

/// In units of the sizes of rows; else of 1 + the largest entry of all.
double relative(const SweepChange& change, const SweepControl& control) {
  if (!control.sizes.are_given()) return change.watched / (1 + change.size);
  return largest_size(change.changes.cwiseQuotient(control.sizes.carried.of(change.sizes)));
}

std::string on_layer(bool advises_shooting) {
  return fmt::format("{}a smaller epsilon, or alpha1 = 1 where C B is regular",
                     advises_shooting ? "shooting_back = true; or " : "");
}

std::string on_iterates(bool advises_shooting) {
  return advises_shooting ? "more iterates, a smaller epsilon, or shooting_back = true where B y_0 "
                            "is wrong at the begin of the interval"
                          : "more iterates, or a smaller epsilon";
}

/// Iterates that run back are neither for alpha1 > 0 nor for ranks.
bool may_shoot_back(const Discretization& discretization, const SweepControl& control) {
  return discretization.setting().regularization.alpha1 == 0 && !control.shoots_back &&
         discretization.share().ranks == nullptr;
}

/// Where B y_0 is wrong at the begin, iterates only move the error through the layer.
void warn_of_initial_layer(const Discretization& discretization, const IterateReport& last,
                           double size, bool zero_start, bool advises_shooting, Report& report) {
  const Regularization& regularization = discretization.setting().regularization;
  if (regularization.alpha1 != 0) return;
  if (discretization.layout().shared && zero_start) {
    report.warnings.push_back(fmt::format(
        "initial layer: {} has a stage at t = {:g}, where B y keeps its initial value 0; give "
        "By_0, or "
        "use a scheme without a stage there",
        name_of(discretization.setting().scheme.scheme), discretization.begin()));
    return;
  }
  if (last.change <= 1e-3 * (1 + size)) return;
  const double width = layer_width(regularization);
  if (last.change_at - discretization.begin() > width) return;
  report.warnings.push_back(
      fmt::format("initial layer: the last iterate still changed B y by {:.1e} at t = {:.3g}; B y "
                  "is not accurate "
                  "within about {:.2g} of t = {:g}",
                  last.change, last.change_at, width, discretization.begin()));
  report.advice = on_layer(advises_shooting);
}

}  // namespace

void leave_out_shooting_back(std::string& advice) {
  for (std::string (*const on)(bool) : {on_layer, on_iterates}) {
    const std::size_t at = advice.find(on(true));
    if (at != std::string::npos) advice.replace(at, on(true).size(), on(false));
  }
}

double layer_width(const Regularization& regularization) {
  return 10 * regularization.epsilon / regularization.alpha2;
}

Sweeps::Sweeps(std::shared_ptr<const LinearDae> problem, const Discretization& discretization,
               const Options& options)
    : problem_(std::move(problem)),
      discretization_(discretization),
      options_(options),
      executor_(options.executor != nullptr ? *options.executor : serial_),
      solver_(options.linear_solver, {options.executor, options.partitions.value_or(0)}) {}

/// One more iterate tells, which is not returned.
Sweeps::Left Sweeps::left_by_iterates(const SweepControl& control, const IterateReport& last,
                                      const SweepValues& values, const VecX& u) {
  const Regularization& regularization = discretization_.setting().regularization;
  const Mesh& mesh = discretization_.mesh();
  const MeshShare& share = discretization_.share();
  const StageLayout& layout = discretization_.layout();
  Left left;
  VecX right, u_next;
  discretization_.right_side(values.zeta.data(), right, executor_);
  if (!solver_.solve(right, u_next).accepted) {
    left.error = INFINITY;
    return left;
  }
  SweepValues next;
  next.zeta = values.zeta;
  const SweepChange change =
      update(discretization_, u_next, false, true, control.watch_from, next, executor_);
  left.change = change.change;
  left.change_at = change.change_at;
  const double beyond = left_over_change(change.change, last.change);
  // Modes of other weights decay at rates of their own.
  const double width = regularization.alpha1 > 0                  ? -INFINITY
                       : regularization.weight == Weight::inverse ? layer_width(regularization)
                                                                  : INFINITY;
  const double first_step = -share.largest(share.has_begin() ? -mesh.step(0) : -INFINITY);
  const double in_layer = open_over_change(discretization_.setting().scheme,
                                           regularization.epsilon / regularization.alpha2,
                                           first_step, control.earlier + last.iterate + 1);
  const MatX changes = changes_in_intervals(discretization_, values.zeta, next.zeta, executor_);
  VecX of_By = VecX::Zero(layout.nx), of_x = VecX::Zero(layout.nx), x = of_x;
  for (int i = 0; i < mesh.intervals(); ++i) {
    const bool is_in_layer = mesh.node(i) - discretization_.begin() <= width;
    of_By = of_By.cwiseMax((is_in_layer ? in_layer : beyond) * changes.col(i));
  }
  for (int i = 0; i <= mesh.intervals(); ++i) {
    const auto node = static_cast<Eigen::Index>(i) * layout.node;
    of_x = of_x.cwiseMax((u_next - u).segment(node, layout.nx).cwiseAbs());
    x = x.cwiseMax(u.segment(node, layout.nx).cwiseAbs());
  }
  const auto of_all = [&share](VecX& mine) {
    const std::vector<double> all = share.largest_each({mine.begin(), mine.end()});
    mine = Eigen::Map<const VecX>(all.data(), mine.size());
  };
  for (VecX* const mine : {&of_By, &of_x, &x}) of_all(*mine);
  left.error = larger(largest_size(of_By.cwiseQuotient(control.sizes.carried.of(change.sizes))),
                      beyond * largest_size(of_x.cwiseQuotient(control.sizes.x.of(x))));
  return left;
}

Solution Sweeps::run(const Waveform& By_0, const SweepControl& control, Report report) {
  const auto give_up = [&report](Termination termination, std::string message, std::string advice) {
    report.termination = termination;
    report.message = std::move(message);
    report.advice = std::move(advice);
    return Solution(nullptr, std::move(report));
  };
  report.history.clear();

  Stopwatch watch;
  if (!factorized_) {
    factorized_ = solver_.factorize(discretization_.matrix());
    report.seconds.factorize += watch.seconds();
  }
  report.linear_solve = solver_.report();
  if (!factorized_) {
    return give_up(Termination::singular_matrix, solver_.failure(),
                   "check that the boundary conditions determine the solution");
  }

  watch.restart();
  const StageLayout& layout = discretization_.layout();
  const int intervals = discretization_.mesh().intervals();
  const Regularization& regularization = discretization_.setting().regularization;
  SweepValues values;
  values.zeta = VecX::Zero(static_cast<Eigen::Index>(layout.multipliers) * intervals);
  bool zero_old = By_0.is_zero();
  if (!zero_old) project(discretization_, By_0, values.zeta);
  if (discretization_.maps().has_slopes()) {
    values.slopes.resize(layout.nx, static_cast<Eigen::Index>(layout.stages) * intervals);
  }
  if (regularization.alpha1 == 0) values.change.resize(layout.nx, intervals);
  VecX right, u;
  bool settled = control.tolerance == 0 && !control.until_stalled;
  bool stopped = false, stalled = false;
  bool halves = false;  // What it changes with each iterate.
  double size = 0, before = 0;
  // B y changes by about B (C B)^-1 (C x + r) alpha2 / epsilon: x is off by the inverse of it.
  const double still_off = std::max(1.0, regularization.epsilon / regularization.alpha2);
  const auto goes_on = [&](int s) {
    return s <= control.most || (control.tolerance > 0 && halves && s <= 2 * control.most);
  };
  for (int s = 1; goes_on(s); ++s) {
    discretization_.right_side(zero_old ? nullptr : values.zeta.data(), right, executor_);
    const CheckedResult solve = solver_.solve(right, u);
    if (!solve.accepted) {
      report.linear_solve = solver_.report();
      return give_up(
          std::isfinite(solve.residual) ? Termination::singular_matrix : Termination::diverged,
          fmt::format(
              "iterate {}: no linear solver reached a backward error of {:.0e} (best {:.1e})", s,
              CheckedSolver::acceptable, solve.residual),
          "refine the mesh, or check that the boundary conditions determine the solution");
    }
    const SweepChange change = update(discretization_, u, zero_old, control.sizes.are_given(),
                                      control.watch_from, values, executor_);
    zero_old = false;
    size = change.size;
    report.history.push_back({s, change.change, change.change_at,
                              largest_drift(discretization_, u, executor_), solve.residual,
                              solve.refinements});
    if (!std::isfinite(change.change)) {
      report.linear_solve = solver_.report();
      return give_up(Termination::diverged, fmt::format("iterate {}: B y is not finite", s),
                     "use a smaller epsilon or another weight");
    }
    // In a layer B y is off by more than it changes; the tolerance here is a tenth of that asked.
    const bool in_layer = regularization.alpha1 == 0 &&
                          change.change_at - discretization_.begin() <= layer_width(regularization);
    const double more = in_layer ? std::max(1.0, 0.1 * open_over_change(control.earlier + s)) : 1;
    const double relative_change = relative(change, control);
    if (control.tolerance > 0 && more * still_off * relative_change <= control.tolerance) {
      settled = true;
    }
    if (control.until_stalled && s > 1) {
      stalled = change.watched > 0.5 * before;
      // A change that stays where it is has settled only if that is near rounding level.
      settled = still_off * change.watched <= (stalled ? 1e-9 : 1e-14) * (1 + size);
    }
    const bool ends_early = control.tolerance > 0 || control.until_stalled;
    if ((settled && ends_early) || stalled) break;
    constexpr int least_in_layer = 4;
    if (control.stops_in_layer && in_layer && s >= least_in_layer &&
        change.watched > 0.5 * before) {
      break;
    }
    halves = s > 1 && change.watched < 0.5 * before;
    before = change.watched;
    const bool stop = options_.progress &&
                      !options_.progress({fmt::format("iterate {}", s),
                                          std::min(1.0, static_cast<double>(s) / control.most),
                                          discretization_.all_intervals()});
    if (discretization_.share().any(stop)) {
      stopped = goes_on(s + 1);
      if (stopped) break;
    }
  }
  report.seconds.solve += watch.seconds();
  if (control.conditioning) {
    watch.restart();
    report.conditioning =
        estimate_conditioning(discretization_, solver_, right, u, control.sizes.x);
    report.seconds.solve += watch.seconds();
  }
  VecX influences = influences_of(discretization_, solver_, u, control.sizes.x);
  report.linear_solve = solver_.report();
  report.linear_solve.bytes_per_interval += discretization_.bytes() / intervals;

  const IterateReport& last = report.history.back();
  Left left;
  if (control.asked > 0 && !stopped) {
    watch.restart();
    left = left_by_iterates(control, last, values, u);
    report.seconds.solve += watch.seconds();
    if (!(left.error <= control.asked)) settled = false;
  }
  if (stopped) {
    report.termination = Termination::stopped;
    report.message = fmt::format("stopped by the caller after iterate {}", last.iterate);
  } else if (!settled) {
    report.termination = Termination::iterates_exhausted;
    report.message =
        fmt::format("iterate {} still changed B y by {:.1e} (at t = {:.4g}){}", last.iterate,
                    last.change, last.change_at, stalled ? ", no less than the one before" : "");
    report.advice = on_iterates(may_shoot_back(discretization_, control));
    if (control.asked > 0) {
      report.message = fmt::format(
          "{} iterate(s) leave errors of {:.1e}, in units of 1 + the largest component, where "
          "{:.1e} "
          "was asked for: another one changes B y by {:.1e} (at t = {:.4g})",
          last.iterate, left.error, control.asked, left.change, left.change_at);
      report.advice += "; or leave iterates out to have them chosen";
    }
    if (!discretization_.setting().scheme.damps() && regularization.alpha1 == 0) {
      report.advice = "scheme radau, which damps what iterates leave; " + report.advice;
    }
  } else {
    report.termination = Termination::converged;
    report.message =
        fmt::format("{} iterate(s) on {} intervals, drift {:.1e}, last change of B y {:.1e}",
                    last.iterate, discretization_.all_intervals(), last.drift, last.change);
    warn_of_initial_layer(discretization_, last, size, By_0.is_zero(),
                          may_shoot_back(discretization_, control), report);
  }
  LinearData data = collect(problem_, discretization_, u, std::move(values), control.sizes);
  data.influences = std::move(influences);
  data.iterates = last.iterate;
  data.earlier = control.earlier;
  return Solution(std::make_shared<const LinearValues>(std::move(data)), std::move(report));
}

}  // namespace daewave::bvp
