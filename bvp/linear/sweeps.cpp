#include "bvp/linear/sweeps.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "bvp/linear/conditioning.hpp"
#include "bvp/linear/end_values.hpp"
#include "bvp/linear/linear_values.hpp"
#include "core/blocks/checked_solver.hpp"
#include "core/not_finite.hpp"
#include "core/report/stopwatch.hpp"

namespace daewave::bvp {
namespace {

/// zeta of every stage from a waveform of B y: least squares in the basis of each stage.
void project(const Discretization& discretization, const Waveform& By_0, VecX& zeta) {
  const StageLayout& layout = discretization.layout();
  const int m = layout.ny;
  for (int i = 0; i < discretization.mesh().intervals(); ++i) {
    for (int j = 0; j < layout.stages; ++j) {
      const VecX By = By_0(discretization.stage_time(i, j), layout.nx);
      const auto target = static_cast<std::ptrdiff_t>(i) * layout.multipliers + j * m;
      const Eigen::ColPivHouseholderQR<MatX> basis(discretization.basis(i, j));
      const VecX nearest = basis.solve(By);
      zeta.segment(target, m) = nearest;
    }
  }
}

/// The largest change and the largest entry of B y.
struct SweepChange {
  /// Keeps the larger change, of equal ones the first, and one that is not a number.
  void add(double change_here, double t) {
    if (change_here <= change || std::isnan(change)) return;
    change = change_here;
    change_at = t;
  }

  /// Keeps the larger ones of another part of the interval.
  void add(const SweepChange& part) {
    add(part.change, part.change_at);
    size = std::max(size, part.size);
    if (part.changes.size() == 0) return;
    changes = changes.size() > 0 ? VecX(changes.cwiseMax(part.changes)) : part.changes;
    sizes = sizes.size() > 0 ? VecX(sizes.cwiseMax(part.sizes)) : part.sizes;
  }

  double change = 0;
  double change_at = 0;
  double size = 0;
  VecX changes{}, sizes{};  ///< By row of B y, where that is asked for.
};

/// Replaces zeta of some intervals by its successor, and slopes that are kept.
SweepChange update(const Discretization& discretization, int begin, int end, const VecX& u,
                   bool zero_old, bool by_row, VecX& zeta, MatX& slopes) {
  const StageLayout& layout = discretization.layout();
  const int n = layout.nx, m = layout.ny, z = layout.multipliers;
  SweepChange result;
  if (by_row) result.changes = result.sizes = VecX::Zero(n);
  std::vector<double> old(z);
  for (int i = begin; i < end; ++i) {
    double* const mine = zeta.data() + static_cast<std::ptrdiff_t>(i) * z;
    const double* const left = u.data() + static_cast<std::ptrdiff_t>(i) * layout.node;
    std::copy(mine, mine + z, old.begin());
    if (slopes.cols() > 0) {
      discretization.maps().slopes(i, left, zero_old ? nullptr : mine,
                                   slopes.col(static_cast<Eigen::Index>(i) * layout.stages).data());
    }
    discretization.maps().update_multipliers(i, left, left + layout.node, zero_old, mine);
    for (int j = 0; j < layout.stages; ++j) {
      const double* const V = discretization.basis(i, j).data();
      const double t = discretization.stage_time(i, j);
      for (int r = 0; r < n; ++r) {
        double change = 0, size = 0;
        for (int c = 0; c < m; ++c) {
          change += V[c * n + r] * (mine[j * m + c] - old[j * m + c]);
          size += V[c * n + r] * mine[j * m + c];
        }
        result.add(std::abs(change), t);
        result.size = std::max(result.size, std::abs(size));
        if (!by_row) continue;
        result.changes[r] = std::max(result.changes[r], std::abs(change));
        result.sizes[r] = std::max(result.sizes[r], std::abs(size));
      }
    }
  }
  return result;
}

SweepChange update(const Discretization& discretization, const VecX& u, bool zero_old, bool by_row,
                   VecX& zeta, MatX& slopes, const Executor& executor) {
  constexpr int chunk = Discretization::chunk;
  const int intervals = discretization.mesh().intervals();
  std::vector<SweepChange> changes(intervals / chunk + 1);
  executor.for_chunks(intervals, chunk, [&](int begin, int end) {
    changes[begin / chunk] = update(discretization, begin, end, u, zero_old, by_row, zeta, slopes);
  });
  SweepChange result;
  for (const SweepChange& one : changes) result.add(one);
  return result;
}

double largest_drift(const Discretization& discretization, const VecX& u,
                     const Executor& executor) {
  constexpr int chunk = Discretization::chunk;
  const int nodes = discretization.mesh().intervals() + 1;
  std::vector<double> drifts(nodes / chunk + 1, 0.0);
  executor.for_chunks(nodes, chunk, [&](int begin, int end) {
    double largest = 0;
    for (int i = begin; i < end; ++i) {
      const double* const x =
          u.data() + static_cast<std::ptrdiff_t>(i) * discretization.layout().node;
      largest = larger(largest, discretization.drift(i, x));
    }
    drifts[begin / chunk] = largest;
  });
  double largest = 0;
  for (const double drift : drifts) largest = larger(largest, drift);
  return largest;
}

std::shared_ptr<const LinearValues> collect(std::shared_ptr<const LinearDae> problem,
                                            const Discretization& discretization, const VecX& u,
                                            const VecX& zeta, MatX slopes, int iterates,
                                            SolutionSizes sizes, VecX influences) {
  const StageLayout& layout = discretization.layout();
  const int n = layout.nx, m = layout.ny, k = layout.stages;
  const int intervals = discretization.mesh().intervals();
  CollocationValues values;
  values.x.resize(n, intervals + 1);
  values.carried.resize(n, static_cast<Eigen::Index>(intervals) * k);
  for (int i = 0; i <= intervals; ++i) {
    values.x.col(i) = u.segment(static_cast<std::ptrdiff_t>(i) * layout.node, n);
  }
  for (int i = 0; i < intervals; ++i) {
    for (int j = 0; j < k; ++j) {
      const auto from = static_cast<std::ptrdiff_t>(i) * layout.multipliers + j * m;
      values.carried.col(static_cast<Eigen::Index>(i) * k + j).noalias() =
          discretization.basis(i, j).lazyProduct(zeta.segment(from, m));
    }
  }
  values.slopes = std::move(slopes);
  LinearData data;
  data.problem = std::move(problem);
  data.curve =
      CollocationCurve(discretization.mesh(), discretization.setting().scheme, std::move(values));
  data.regularization = discretization.setting().regularization;
  data.iterates = iterates;
  data.sizes = std::move(sizes);
  data.influences = std::move(influences);
  data.reference = discretization.reference();
  if (discretization.keeps_slopes() && !data.curve.has_slopes()) add_slopes(data);
  if (discretization.setting().end_values) add_end_values(data);
  return std::make_shared<const LinearValues>(std::move(data));
}

/// In units of the sizes of rows; else of 1 + the largest entry of all.
double relative(const SweepChange& change, const SweepControl& control) {
  if (!control.sizes.are_given()) return change.change / (1 + change.size);
  return largest_size(change.changes.cwiseQuotient(control.sizes.carried.of(change.sizes)));
}

/// Where B y_0 is wrong at the begin, iterates only move the error through the layer.
void warn_of_initial_layer(const Discretization& discretization, const IterateReport& last,
                           double size, bool zero_start, Report& report) {
  const Regularization& regularization = discretization.setting().regularization;
  if (regularization.alpha1 != 0) return;
  if (discretization.layout().shared && zero_start) {
    report.warnings.push_back(fmt::format(
        "initial layer: {} has a stage at t = {:g}, where B y keeps its initial value 0; give "
        "By_0, or "
        "use a scheme without a stage there",
        name_of(discretization.setting().scheme.scheme), discretization.mesh().begin()));
    return;
  }
  if (last.change <= 1e-3 * (1 + size)) return;
  const double width = 10 * regularization.epsilon / regularization.alpha2;
  if (last.change_at - discretization.mesh().begin() > width) return;
  report.warnings.push_back(
      fmt::format("initial layer: the last iterate still changed B y by {:.1e} at t = {:.3g}; B y "
                  "is not accurate "
                  "within about {:.2g} of t = {:g}",
                  last.change, last.change_at, width, discretization.mesh().begin()));
  report.advice =
      "shoot back from the end, use a smaller epsilon, or alpha1 = 1 where C B is regular";
}

}  // namespace

Solution run_sweeps(std::shared_ptr<const LinearDae> problem, const Discretization& discretization,
                    const Waveform& By_0, const Options& options, const SweepControl& control,
                    Report report) {
  const auto give_up = [&report](Termination termination, std::string message, std::string advice) {
    report.termination = termination;
    report.message = std::move(message);
    report.advice = std::move(advice);
    return Solution(nullptr, std::move(report));
  };
  report.history.clear();

  const Serial serial;
  const Executor& executor = options.executor != nullptr ? *options.executor : serial;
  CheckedSolver solver(options.linear_solver, {options.executor, options.partitions.value_or(0)});
  Stopwatch watch;
  const bool factorized = solver.factorize(discretization.matrix());
  report.seconds.factorize += watch.seconds();
  report.linear_solve = solver.report();
  if (!factorized) {
    return give_up(Termination::singular_matrix, solver.failure(),
                   "check that the boundary conditions determine the solution");
  }

  watch.restart();
  const StageLayout& layout = discretization.layout();
  VecX zeta =
      VecX::Zero(static_cast<Eigen::Index>(layout.multipliers) * discretization.mesh().intervals());
  bool zero_old = By_0.is_zero();
  if (!zero_old) project(discretization, By_0, zeta);

  MatX slopes;
  if (discretization.maps().has_slopes()) {
    slopes.resize(layout.nx,
                  static_cast<Eigen::Index>(layout.stages) * discretization.mesh().intervals());
  }
  VecX right, u;
  bool settled = control.tolerance == 0 && !control.until_stalled;
  bool stopped = false, stalled = false;
  double size = 0;
  // B y changes by about B (C B)^-1 (C x + r) alpha2 / epsilon: x is still off by the inverse of
  // it.
  const Regularization& regularization = discretization.setting().regularization;
  const double still_off = std::max(1.0, regularization.epsilon / regularization.alpha2);
  for (int s = 1; s <= control.most; ++s) {
    discretization.right_side(zero_old ? nullptr : zeta.data(), right, executor);
    const CheckedResult solve = solver.solve(right, u);
    if (!solve.accepted) {
      report.linear_solve = solver.report();
      return give_up(
          std::isfinite(solve.residual) ? Termination::singular_matrix : Termination::diverged,
          fmt::format(
              "iterate {}: no linear solver reached a backward error of {:.0e} (best {:.1e})", s,
              CheckedSolver::acceptable, solve.residual),
          "refine the mesh, or check that the boundary conditions determine the solution");
    }
    const SweepChange change =
        update(discretization, u, zero_old, control.sizes.are_given(), zeta, slopes, executor);
    zero_old = false;
    size = change.size;
    report.history.push_back({s, change.change, change.change_at,
                              largest_drift(discretization, u, executor), solve.residual,
                              solve.refinements});
    if (!std::isfinite(change.change)) {
      report.linear_solve = solver.report();
      return give_up(Termination::diverged, fmt::format("iterate {}: B y is not finite", s),
                     "use a smaller epsilon or another weight");
    }
    if (control.tolerance > 0 && still_off * relative(change, control) <= control.tolerance) {
      settled = true;
    }
    if (control.until_stalled && s > 1) {
      const double before = report.history[report.history.size() - 2].change;
      stalled = change.change > 0.5 * before;
      // A change that stays where it is has settled only if that is near rounding level.
      settled = still_off * change.change <= (stalled ? 1e-9 : 1e-14) * (1 + size);
    }
    const bool ends_early = control.tolerance > 0 || control.until_stalled;
    if ((settled && ends_early) || stalled) break;
    if (options.progress &&
        !options.progress({fmt::format("iterate {}", s), static_cast<double>(s) / control.most,
                           discretization.mesh().intervals()})) {
      stopped = s < control.most;
      if (stopped) break;
    }
  }
  report.seconds.solve += watch.seconds();
  if (control.conditioning) {
    watch.restart();
    report.conditioning = estimate_conditioning(discretization, solver, right, u, control.sizes.x);
    report.seconds.solve += watch.seconds();
  }
  VecX influences;
  if (control.sizes.are_given())
    influences = influences_of(discretization, solver, u, control.sizes.x);
  report.linear_solve = solver.report();
  report.linear_solve.bytes_per_interval +=
      discretization.bytes() / discretization.mesh().intervals();

  const IterateReport& last = report.history.back();
  if (stopped) {
    report.termination = Termination::stopped;
    report.message = fmt::format("stopped by the caller after iterate {}", last.iterate);
  } else if (!settled) {
    report.termination = Termination::iterates_exhausted;
    report.message =
        fmt::format("iterate {} still changed B y by {:.1e} (at t = {:.4g}){}", last.iterate,
                    last.change, last.change_at, stalled ? ", no less than the one before" : "");
    report.advice =
        "more iterates, a smaller epsilon, or shooting back where B y_0 is wrong at the "
        "begin of the interval";
  } else {
    report.termination = Termination::converged;
    report.message =
        fmt::format("{} iterate(s) on {} intervals, drift {:.1e}, last change of B y {:.1e}",
                    last.iterate, discretization.mesh().intervals(), last.drift, last.change);
    warn_of_initial_layer(discretization, last, size, By_0.is_zero(), report);
  }
  const int iterates = last.iterate;
  return Solution(collect(std::move(problem), discretization, u, zeta, std::move(slopes), iterates,
                          control.sizes, std::move(influences)),
                  std::move(report));
}

}  // namespace daewave::bvp
