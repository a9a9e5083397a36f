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

void give_up(Report& report, Termination termination, std::string message, std::string advice) {
  report.termination = termination;
  report.message = std::move(message);
  report.advice = std::move(advice);
}

/// Iterates with matrices that are factorized, from one waveform of B y on.
class Iterates {
 public:
  /// Why the last one is the last.
  enum class End {
    none,     ///< There are as many as there may be.
    early,    ///< They have settled, or only shape a layer anew.
    stalled,  ///< It changed as much as the one before.
    stopped,  ///< By the caller.
  };

  /// All but numbers is kept by reference. @param report  gets the history, and what fails.
  Iterates(const Discretization& discretization, const Options& options, const Executor& executor,
           CheckedSolver& solver, const SweepControl& control, Report& report)
      : discretization_(discretization),
        options_(options),
        executor_(executor),
        solver_(solver),
        control_(control),
        report_(report),
        // B y changes by about B (C B)^-1 (C x + r) alpha2 / epsilon: x is off by the inverse of
        // it.
        still_off_(std::max(1.0, regularization().epsilon / regularization().alpha2)),
        settled_(control.tolerance == 0 && !control.until_stalled) {}

  void begin_with(const Waveform& By_0) {
    const StageLayout& layout = discretization_.layout();
    const int intervals = discretization_.mesh().intervals();
    values_.zeta = VecX::Zero(static_cast<Eigen::Index>(layout.multipliers) * intervals);
    is_zero_ = By_0.is_zero();
    if (!is_zero_) project(discretization_, By_0, values_.zeta);
    if (discretization_.maps().has_slopes()) {
      values_.slopes.resize(layout.nx, static_cast<Eigen::Index>(layout.stages) * intervals);
    }
    if (regularization().alpha1 == 0) values_.change.resize(layout.nx, intervals);
  }

  /// @return  false where a solve fails or a number is not finite, as the report tells.
  bool run() {
    for (int s = 1; goes_on(s) && end_ == End::none; ++s) {
      SweepChange change;
      if (!sweep(s, change)) return false;
      judge(s, change);
      if (end_ == End::none && is_stopped(s)) end_ = End::stopped;
    }
    return true;
  }

  End end() const { return end_; }
  bool has_settled() const { return settled_; }
  double size() const { return size_; }  ///< The largest of B y.
  const VecX& right() const { return right_; }
  const VecX& u() const { return u_; }
  const SweepValues& values() const { return values_; }
  SweepValues take_values() { return std::move(values_); }

 private:
  const Regularization& regularization() const { return discretization_.setting().regularization; }

  bool goes_on(int s) const {
    return s <= control_.most || (control_.tolerance > 0 && halves_ && s <= 2 * control_.most);
  }

  bool sweep(int s, SweepChange& change) {
    discretization_.right_side(is_zero_ ? nullptr : values_.zeta.data(), right_, executor_);
    const CheckedResult solve = solver_.solve(right_, u_);
    if (!solve.accepted) {
      give_up(report_,
              std::isfinite(solve.residual) ? Termination::singular_matrix : Termination::diverged,
              fmt::format(
                  "iterate {}: no linear solver reached a backward error of {:.0e} (best {:.1e})",
                  s, CheckedSolver::acceptable, solve.residual),
              "refine the mesh, or check that the boundary conditions determine the solution");
      return false;
    }
    change = update(discretization_, u_, is_zero_, control_.sizes.are_given(), control_.watch_from,
                    values_, executor_);
    is_zero_ = false;
    size_ = change.size;
    report_.history.push_back({s, change.change, change.change_at,
                               largest_drift(discretization_, u_, executor_), solve.residual,
                               solve.refinements});
    if (std::isfinite(change.change)) return true;
    give_up(report_, Termination::diverged, fmt::format("iterate {}: B y is not finite", s),
            "use a smaller epsilon or another weight");
    return false;
  }

  /// Whether it has settled, and whether more are worth their price.
  void judge(int s, const SweepChange& change) {
    // In a layer B y is off by more than it changes; the tolerance here is a tenth of that asked.
    const bool in_layer =
        regularization().alpha1 == 0 &&
        change.change_at - discretization_.begin() <= layer_width(regularization());
    const double more = in_layer ? std::max(1.0, 0.1 * open_over_change(control_.earlier + s)) : 1;
    if (control_.tolerance > 0 &&
        more * still_off_ * relative(change, control_) <= control_.tolerance) {
      settled_ = true;
    }
    const bool halves_no_more = change.watched > 0.5 * before_;
    bool stalled = false;
    if (control_.until_stalled && s > 1) {
      stalled = halves_no_more;
      // A change that stays where it is has settled only if that is near rounding level.
      settled_ = still_off_ * change.watched <= (stalled ? 1e-9 : 1e-14) * (1 + size_);
    }
    const bool ends_early = control_.tolerance > 0 || control_.until_stalled;
    constexpr int least_in_layer = 4;
    if (stalled) {
      end_ = End::stalled;
    } else if ((settled_ && ends_early) ||
               (control_.stops_in_layer && in_layer && s >= least_in_layer && halves_no_more)) {
      end_ = End::early;
    }
    halves_ = s > 1 && change.watched < 0.5 * before_;
    before_ = change.watched;
  }

  /// By the caller, where another one would follow.
  bool is_stopped(int s) const {
    const bool stop = options_.progress &&
                      !options_.progress({fmt::format("iterate {}", s),
                                          std::min(1.0, static_cast<double>(s) / control_.most),
                                          discretization_.all_intervals()});
    return discretization_.share().any(stop) && goes_on(s + 1);
  }

  const Discretization& discretization_;
  const Options& options_;
  const Executor& executor_;
  CheckedSolver& solver_;
  const SweepControl& control_;
  Report& report_;
  const double still_off_;
  VecX right_, u_;
  SweepValues values_;
  bool is_zero_ = true;            ///< B y so far.
  double size_ = 0, before_ = 0;   ///< Of B y; its change by the iterate before.
  bool settled_, halves_ = false;  ///< Its change; each one halves it.
  End end_ = End::none;
};

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
  report.history.clear();
  Stopwatch watch;
  if (!factorized_) {
    factorized_ = solver_.factorize(discretization_.matrix());
    report.seconds.factorize += watch.seconds();
  }
  report.linear_solve = solver_.report();
  if (!factorized_) {
    give_up(report, Termination::singular_matrix, solver_.failure(),
            "check that the boundary conditions determine the solution");
    return Solution(nullptr, std::move(report));
  }

  watch.restart();
  Iterates iterates(discretization_, options_, executor_, solver_, control, report);
  iterates.begin_with(By_0);
  const bool finite = iterates.run();
  if (finite) report.seconds.solve += watch.seconds();
  if (finite && control.conditioning) {
    watch.restart();
    report.conditioning = estimate_conditioning(discretization_, solver_, iterates.right(),
                                                iterates.u(), control.sizes.x);
    report.seconds.solve += watch.seconds();
  }
  VecX influences;
  if (finite) {
    influences = influences_of(discretization_, solver_, iterates.u(), control.sizes.x);
  }
  report.linear_solve = solver_.report();
  if (!finite) return Solution(nullptr, std::move(report));
  report.linear_solve.bytes_per_interval +=
      discretization_.bytes() / discretization_.mesh().intervals();

  const IterateReport last = report.history.back();
  Left left;
  if (control.asked > 0 && iterates.end() != Iterates::End::stopped) {
    watch.restart();
    left = left_by_iterates(control, last, iterates.values(), iterates.u());
    report.seconds.solve += watch.seconds();
  }
  if (iterates.end() == Iterates::End::stopped) {
    report.termination = Termination::stopped;
    report.message = fmt::format("stopped by the caller after iterate {}", last.iterate);
  } else if (!iterates.has_settled() || !(left.error <= control.asked)) {
    tell_exhausted(control, left, iterates.end() == Iterates::End::stalled, report);
  } else {
    report.termination = Termination::converged;
    report.message =
        fmt::format("{} iterate(s) on {} intervals, drift {:.1e}, last change of B y {:.1e}",
                    last.iterate, discretization_.all_intervals(), last.drift, last.change);
    warn_of_initial_layer(discretization_, last, iterates.size(), By_0.is_zero(),
                          may_shoot_back(discretization_, control), report);
  }
  LinearData data =
      collect(problem_, discretization_, iterates.u(), iterates.take_values(), control.sizes);
  data.influences = std::move(influences);
  data.iterates = last.iterate;
  data.earlier = control.earlier;
  return Solution(std::make_shared<const LinearValues>(std::move(data)), std::move(report));
}

/// More of them would change what is asked for.
void Sweeps::tell_exhausted(const SweepControl& control, const Left& left, bool stalled,
                            Report& report) const {
  const IterateReport& last = report.history.back();
  report.termination = Termination::iterates_exhausted;
  report.message =
      fmt::format("iterate {} still changed B y by {:.1e} (at t = {:.4g}){}", last.iterate,
                  last.change, last.change_at, stalled ? ", no less than the one before" : "");
  report.advice = on_iterates(may_shoot_back(discretization_, control));
  if (control.asked > 0) {
    report.message = fmt::format(
        "{} iterate(s) leave errors of {:.1e}, in units of 1 + the largest component, where {:.1e} "
        "was asked for: another one changes B y by {:.1e} (at t = {:.4g})",
        last.iterate, left.error, control.asked, left.change, left.change_at);
    report.advice += "; or leave iterates out to have them chosen";
  }
  const Setting& setting = discretization_.setting();
  if (!setting.scheme.damps() && setting.regularization.alpha1 == 0) {
    report.advice = "scheme radau, which damps what iterates leave; " + report.advice;
  }
}

}  // namespace daewave::bvp
