#include "bvp/linear/sweeps.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

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
      zeta.segment(target, m) = basis.solve(By);
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
    watched = larger(watched, part.watched);
    size = std::max(size, part.size);
    if (part.changes.size() == 0) return;
    changes = changes.size() > 0 ? VecX(changes.cwiseMax(part.changes)) : part.changes;
    sizes = sizes.size() > 0 ? VecX(sizes.cwiseMax(part.sizes)) : part.sizes;
  }

  double change = 0;
  double change_at = 0;
  double watched = 0;  ///< Of the times that count.
  double size = 0;
  VecX changes{}, sizes{};  ///< By row of B y, where that is asked for; of the times that count.
};

/// What a sweep replaces.
struct SweepValues {
  VecX zeta;
  MatX slopes;  ///< Empty where they are not kept.
  MatX change;  ///< As LinearData has it; empty where it is not kept.
};

/// Replaces what there is of some intervals by its successor.
/// @param watch_from  time from which changes count.
SweepChange update(const Discretization& discretization, int begin, int end, const VecX& u,
                   bool zero_old, bool by_row, double watch_from, SweepValues& values) {
  const StageLayout& layout = discretization.layout();
  const int n = layout.nx, m = layout.ny, z = layout.multipliers;
  SweepChange result;
  if (by_row) result.changes = result.sizes = VecX::Zero(n);
  std::vector<double> old(z);
  MatX& slopes = values.slopes;
  const bool keeps_change = values.change.cols() > 0;
  for (int i = begin; i < end; ++i) {
    if (keeps_change) values.change.col(i).setZero();
    double* const mine = values.zeta.data() + static_cast<std::ptrdiff_t>(i) * z;
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
        if (t >= watch_from) result.watched = larger(result.watched, std::abs(change));
        if (keeps_change) values.change(r, i) = larger(values.change(r, i), std::abs(change));
        result.size = std::max(result.size, std::abs(size));
        if (!by_row) continue;
        if (t >= watch_from) result.changes[r] = std::max(result.changes[r], std::abs(change));
        result.sizes[r] = std::max(result.sizes[r], std::abs(size));
      }
    }
  }
  return result;
}

/// What all ranks found, those further left first.
SweepChange of_all_ranks(const MeshShare& share, const SweepChange& mine) {
  if (!share.is_shared()) return mine;
  // By rows it is asked for under tolerances alone, which refine the mesh.
  const double numbers[] = {mine.change, mine.change_at, mine.watched, mine.size};
  const std::vector<double> all = gather(*share.ranks, numbers);
  SweepChange result;
  for (std::size_t i = 0; i < all.size(); i += std::size(numbers)) {
    result.add({all[i], all[i + 1], all[i + 2], all[i + 3]});
  }
  return result;
}

SweepChange update(const Discretization& discretization, const VecX& u, bool zero_old, bool by_row,
                   double watch_from, SweepValues& values, const Executor& executor) {
  constexpr int chunk = Discretization::chunk;
  const int intervals = discretization.mesh().intervals();
  std::vector<SweepChange> changes(intervals / chunk + 1);
  executor.for_chunks(intervals, chunk, [&](int begin, int end) {
    changes[begin / chunk] =
        update(discretization, begin, end, u, zero_old, by_row, watch_from, values);
  });
  SweepChange result;
  for (const SweepChange& one : changes) result.add(one);
  return of_all_ranks(discretization.share(), result);
}

double largest_drift(const Discretization& discretization, const VecX& u,
                     const Executor& executor) {
  constexpr int chunk = Discretization::chunk;
  const int nodes = discretization.mesh().intervals() + 1;
  const int first = discretization.share().has_begin() ? 0 : 1;
  std::vector<double> drifts(nodes / chunk + 1, 0.0);
  executor.for_chunks(nodes, chunk, [&](int begin, int end) {
    double largest = 0;
    for (int i = std::max(begin, first); i < end; ++i) {
      const double* const x =
          u.data() + static_cast<std::ptrdiff_t>(i) * discretization.layout().node;
      largest = larger(largest, discretization.drift(i, x));
    }
    drifts[begin / chunk] = largest;
  });
  double largest = 0;
  for (const double drift : drifts) largest = larger(largest, drift);
  return discretization.share().largest(largest);
}

LinearData collect(std::shared_ptr<const LinearDae> problem, const Discretization& discretization,
                   const VecX& u, SweepValues found, SolutionSizes sizes) {
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
          discretization.basis(i, j).lazyProduct(found.zeta.segment(from, m));
    }
  }
  values.slopes = std::move(found.slopes);
  LinearData data;
  data.problem = std::move(problem);
  data.curve =
      CollocationCurve(discretization.mesh(), discretization.setting().scheme, std::move(values));
  data.regularization = discretization.setting().regularization;
  data.sizes = std::move(sizes);
  data.reference = discretization.reference();
  data.share = discretization.share();
  data.change = std::move(found.change);
  if (discretization.keeps_slopes() && !data.curve.has_slopes()) add_slopes(data);
  if (discretization.setting().end_values) add_end_values(data);
  return data;
}

/// In units of the sizes of rows; else of 1 + the largest entry of all.
double relative(const SweepChange& change, const SweepControl& control) {
  if (!control.sizes.are_given()) return change.watched / (1 + change.size);
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
  report.advice =
      "shoot back from the end, use a smaller epsilon, or alpha1 = 1 where C B is regular";
}

/// How far B y may still be off, by what the last iterates changed.
double left_by_iterates(const Discretization& discretization, const Report& report, int earlier,
                        const MatX& change) {
  const Regularization& regularization = discretization.setting().regularization;
  const IterateReport& last = report.history.back();
  const double begin = discretization.mesh().begin();
  const int s = last.iterate;
  // A single iterate tells what was wrong before; beside its layer that has become smaller.
  if (s == 1 && regularization.alpha1 > 0) {
    return last.change * regularization.epsilon / (regularization.epsilon + regularization.alpha1);
  }
  const double width = layer_width(regularization);
  if (s == 1) {
    const bool seen = discretization.stage_time(0, 0) - begin <= width;
    const double in_layer = seen ? change.col(0).maxCoeff() : 0;
    // How fast B y moves is not known, nor what modes make of it.
    constexpr double unknown = 10;
    const double beside = std::min(1.0, unknown * regularization.epsilon / regularization.alpha2);
    return std::max(in_layer, beside * last.change);
  }
  double in_layer = 0;
  if (regularization.alpha1 == 0) {
    const Mesh& mesh = discretization.mesh();
    for (int i = 0; i < mesh.intervals() && mesh.node(i) - begin <= width; ++i) {
      in_layer = std::max(in_layer, open_over_change(earlier + s) * change.col(i).maxCoeff());
    }
    if (last.change_at - begin <= width) return in_layer;
  }
  const double ratio = last.change / report.history[report.history.size() - 2].change;
  return std::max(in_layer, last.change * (ratio < 0.5 ? ratio / (1 - ratio) : 1));
}

}  // namespace

double layer_width(const Regularization& regularization) {
  return 10 * regularization.epsilon / regularization.alpha2;
}

double open_over_change(int iterates) {
  return std::numbers::e * std::pow(std::max(1, iterates - 1), 0.75);
}

Sweeps::Sweeps(std::shared_ptr<const LinearDae> problem, const Discretization& discretization,
               const Options& options)
    : problem_(std::move(problem)),
      discretization_(discretization),
      options_(options),
      executor_(options.executor != nullptr ? *options.executor : serial_),
      solver_(options.linear_solver, {options.executor, options.partitions.value_or(0)}) {}

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
  double size = 0, before = 0, relative_change = 0;
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
    relative_change = relative(change, control);
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
  VecX influences;
  if (control.sizes.are_given()) {
    influences = influences_of(discretization_, solver_, u, control.sizes.x);
  }
  report.linear_solve = solver_.report();
  report.linear_solve.bytes_per_interval += discretization_.bytes() / intervals;

  const IterateReport& last = report.history.back();
  if (control.asked > 0 && last.change > 0) {
    const double left =
        left_by_iterates(discretization_, report, control.earlier, values.change) / last.change;
    if (left * still_off * relative_change > control.asked) settled = false;
  }
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
    if (!discretization_.setting().scheme.damps() && regularization.alpha1 == 0) {
      report.advice = "scheme radau, which damps what iterates leave; " + report.advice;
    }
  } else {
    report.termination = Termination::converged;
    report.message =
        fmt::format("{} iterate(s) on {} intervals, drift {:.1e}, last change of B y {:.1e}",
                    last.iterate, discretization_.all_intervals(), last.drift, last.change);
    warn_of_initial_layer(discretization_, last, size, By_0.is_zero(), report);
  }
  LinearData data = collect(problem_, discretization_, u, std::move(values), control.sizes);
  data.influences = std::move(influences);
  data.iterates = last.iterate;
  data.earlier = control.earlier;
  return Solution(std::make_shared<const LinearValues>(std::move(data)), std::move(report));
}

}  // namespace daewave::bvp
