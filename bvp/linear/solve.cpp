#include "bvp/linear/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bvp/linear/choose.hpp"
#include "bvp/linear/error_estimate.hpp"
#include "bvp/linear/sweeps.hpp"
#include "core/not_finite.hpp"
#include "core/report/stopwatch.hpp"
#include "core/stages/constraint_scan.hpp"

namespace daewave::bvp {
namespace {

void check_conditions(const LinearDae& problem) {
  MatX C(problem.ny(), problem.nx());
  VecX r(problem.ny());
  problem.evaluate_constraint(problem.interval().begin, C, r);
  check_boundary(problem.boundary(), C, problem.interval().begin);
}

/// Ten per unit of time, as far as that costs little beside a solve.
int scan_samples(const Interval& interval) {
  return static_cast<int>(std::clamp(10 * interval.length(), 1000.0, 20000.0));
}

class Solver {
 public:
  Solver(std::shared_ptr<const LinearDae> problem, const Options& options)
      : problem_(std::move(problem)), options_(options) {
    check(options_);
    refuse_nonlinear_options(options_);
    check_conditions(*problem_);
    scan_ = scan_constraint(*problem_, scan_samples(problem_->interval()));
    chosen_ = choose(*problem_, options_, scan_);
    check_weight(*problem_, chosen_.setting.regularization);
    report_.problem = problem_->name();
    report_.nx = problem_->nx();
    report_.ny = problem_->ny();
    report_.choices = chosen_.choices;
    report_.warnings = chosen_.warnings;
    report_.parasitic_growth = chosen_.parasitic_growth;
  }

  Solution run() {
    const Stopwatch watch;
    Solution solution;
    if (!chosen_.refusal.empty()) {
      solution.report = report_;
      solution.report.termination = Termination::refused;
      solution.report.message = chosen_.refusal;
    } else if (chosen_.tolerance > 0) {
      solution = refine();
    } else {
      solution = solve_on(chosen_.setting.mesh);
      if (solution.report.usable()) {
        solution.report.message += "; no tolerance was asked, so the error is not estimated";
      }
    }
    solution.report.seconds.total = watch.seconds();
    return solution;
  }

 private:
  Solution solve_on(const Mesh& mesh) {
    Setting setting = chosen_.setting;
    setting.mesh = mesh;
    const Serial serial;
    const Executor& executor = options_.executor != nullptr ? *options_.executor : serial;
    const Stopwatch watch;
    const Discretization discretization(*problem_, std::move(setting), scan_, executor,
                                        options_.progress);
    seconds_.condense += watch.seconds();
    Report report = report_;
    report.seconds = seconds_;
    report.intervals = mesh.intervals();
    report.smallest_step = mesh.smallest_step();
    report.largest_step = mesh.largest_step();
    report.singular_points = singular_points(discretization);
    if (const std::string danger = over_damping(chosen_, mesh); !danger.empty()) {
      report.warnings.push_back(danger);
    }
    if (!discretization.failure().empty()) {
      report.termination = discretization.termination();
      report.message = discretization.failure();
      return Solution(nullptr, std::move(report));
    }
    Solution solution = run_sweeps(problem_, discretization, options_.By_0, options_,
                                   chosen_.control, std::move(report));
    seconds_ = solution.report.seconds;
    return solution;
  }

  /// The points found by the scan, told whether a stage met them and how it passed.
  std::vector<SingularPoint> singular_points(const Discretization& discretization) const {
    std::vector<SingularPoint> points = discretization.singular_points();
    for (const SingularPoint& found : scan_.singular_points) {
      bool met = false;
      for (SingularPoint& point : points) {
        if (std::abs(point.t - found.t) > 1e-3 * problem_->interval().length()) continue;
        point.kind = found.kind;
        met = true;
      }
      if (met) continue;
      points.push_back(found);
      points.back().passed_by = "no stage lies there";
    }
    return points;
  }

  /// Halves the mesh until the estimate is below the tolerance.
  Solution refine() {
    Solution coarse = solve_on(chosen_.setting.mesh);
    if (!coarse.has_values() || coarse.report.termination == Termination::stopped) return coarse;
    double previous = 0;
    while (true) {
      if (2L * coarse.mesh().intervals() > chosen_.max_intervals) {
        return not_met(
            std::move(coarse),
            fmt::format("the limit of {} intervals is reached", chosen_.max_intervals),
            "raise max_intervals, loosen the tolerance, or give a mesh that is fine where "
            "the solution is steep");
      }
      Solution fine = solve_on(coarse.mesh().halved());
      if (!fine.has_values()) return ended(std::move(coarse), fine.report);
      if (fine.report.termination == Termination::stopped) return fine;
      const Difference gap = difference(coarse, fine);
      fine.report.error = estimate(gap, previous, fine.scheme().order);
      const double error = larger(fine.report.error.x, fine.report.error.By);
      // Two meshes that damp the same growing mode agree on the same wrong answer.
      const std::string danger = over_damping(chosen_, fine.mesh());
      if (error <= chosen_.tolerance && danger.empty()) return accept(std::move(fine));
      // Below this level rounding keeps halving from helping.
      const bool stuck = danger.empty() && previous > 0 && larger(gap.x, gap.By) > 0.9 * previous &&
                         larger(gap.x, gap.By) < 1e-6;
      previous = larger(gap.x, gap.By);
      coarse = std::move(fine);
      if (stuck) {
        return not_met(std::move(coarse), "halving the mesh no longer reduces the difference",
                       "loosen the tolerance: rounding limits the accuracy of this problem");
      }
    }
  }

  ErrorEstimate estimate(const Difference& gap, double previous, int order) const {
    ErrorEstimate error;
    error.available = true;
    error.tolerance = chosen_.tolerance;
    const double most = larger(gap.x, gap.By);
    double reduction = 1;  // With one difference only, it is not trusted to fall at all.
    if (previous > 0 && most > 0) {
      error.observed_order = std::clamp(std::log2(previous / most), 0.0, double(order));
      reduction = std::max(1.0, std::exp2(error.observed_order) - 1);
      error.how = fmt::format("three meshes, each of half the step; observed order {:.2f}",
                              error.observed_order);
    } else {
      error.how = "difference to the solution on a mesh of twice the step";
    }
    error.x = gap.x / reduction;
    error.By = gap.By / reduction;
    return error;
  }

  Solution accept(Solution fine) const {
    if (fine.report.termination == Termination::converged) {
      fine.report.message = fmt::format(
          "error estimate {:.1e} within tolerance {:.1e} on {} intervals, {} iterate(s)",
          larger(fine.report.error.x, fine.report.error.By), chosen_.tolerance,
          fine.mesh().intervals(), fine.report.history.size());
    }
    return fine;
  }

  /// The last mesh that was solved, told why the next one was not.
  static Solution ended(Solution last, const Report& next) {
    last.report.termination = next.termination;
    last.report.message =
        fmt::format("{}; the values are those of the mesh before, of {} intervals", next.message,
                    last.mesh().intervals());
    last.report.advice = next.advice;
    return last;
  }

  Solution not_met(Solution last, const std::string& why, std::string advice) const {
    const ErrorEstimate& error = last.report.error;
    last.report.termination = Termination::tolerance_not_met;
    last.report.message =
        error.available
            ? fmt::format("error estimate {:.1e} exceeds tolerance {:.1e} on {} intervals: {}",
                          larger(error.x, error.By), chosen_.tolerance, last.mesh().intervals(),
                          why)
            : fmt::format("no error estimate for tolerance {:.1e} on {} intervals: {}",
                          chosen_.tolerance, last.mesh().intervals(), why);
    last.report.advice = std::move(advice);
    if (const std::string danger = over_damping(chosen_, last.mesh()); !danger.empty()) {
      last.report.message = fmt::format("the error estimate on {} intervals cannot be believed: {}",
                                        last.mesh().intervals(), danger);
      last.report.advice = "raise max_intervals, or use scheme gauss";
    }
    return last;
  }

  std::shared_ptr<const LinearDae> problem_;
  const Options& options_;
  ConstraintScan scan_;
  Chosen chosen_;
  Report report_;
  Seconds seconds_;
};

}  // namespace

Solution solve(std::shared_ptr<const LinearDae> problem, const Options& options) {
  return Solver(std::move(problem), options).run();
}

}  // namespace daewave::bvp
