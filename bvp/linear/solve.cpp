#include "bvp/linear/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "bvp/linear/choose.hpp"
#include "bvp/linear/error_estimate.hpp"
#include "bvp/linear/linear_residual.hpp"
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

/// Where no tolerance was asked: of a constraint that is missed by as much nothing was solved.
constexpr double missed_constraint = 0.1;
/// Meshes refined where their residual was too large, before that is given up.
constexpr int most_looks = 12;
/// Of them, where halving gained little; differences below this may be rounding.
constexpr int most_early_looks = 3;
constexpr double near_rounding = 1e-10;

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
      if (solution.report.usable() && !misses_constraint(solution, missed_constraint)) {
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

  /// Halves the mesh until the estimate is below the tolerance, and adds nodes where the residual
  /// between stages says that the estimate has not seen everything.
  Solution refine() {
    Solution coarse = solve_on(chosen_.setting.mesh);
    if (!coarse.has_values() || coarse.report.termination == Termination::stopped) return coarse;
    double previous = 0;
    int looks = 0, early_looks = 0;
    std::vector<double> jumps;
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
      const bool within = error <= chosen_.tolerance && danger.empty();
      if (within && fine.report.termination != Termination::converged) return fine;
      // No node cures a constraint that iterates have not met.
      if (within && misses_constraint(fine, chosen_.tolerance)) return fine;
      // Halving that gains this little meets a jump, or has not begun to resolve the solution.
      const double most_gap = larger(gap.x, gap.By);
      const bool slow =
          !within && previous > 0 && most_gap > 0.25 * previous && most_gap > near_rounding;
      // Below this level rounding keeps halving from helping, or what is steep has not been met.
      const bool stuck = danger.empty() && previous > 0 && larger(gap.x, gap.By) > 0.9 * previous &&
                         larger(gap.x, gap.By) < 1e-6;
      if (within || (slow && early_looks < most_early_looks)) {
        if (!within) ++early_looks;
        // What a few nodes would not resolve is better halved.
        const int intervals = coarse.mesh().intervals();
        const int most = within ? chosen_.max_intervals / 4 : std::max(intervals, stuck ? 1000 : 0);
        Look look = look_at(fine, most);
        Unresolved& seen = look.seen;
        if (!within && static_cast<int>(seen.nodes.size()) >= most) seen.nodes = seen.jumps;
        if (within && look.failure.empty() && !seen.any()) return accept(std::move(fine));
        if (within && (!look.failure.empty() || looks == most_looks || seen.nodes.empty())) {
          return not_seen(std::move(fine), look);
        }
        ++looks;
        if (!seen.nodes.empty()) {
          jumps.insert(jumps.end(), seen.jumps.begin(), seen.jumps.end());
          std::sort(jumps.begin(), jumps.end());
          Solution refined = solve_on(with_nodes(coarse.mesh(), seen.nodes, jumps));
          if (!refined.has_values()) return ended(std::move(fine), refined.report);
          if (refined.report.termination == Termination::stopped) return refined;
          coarse = std::move(refined);
          previous = 0;
          continue;
        }
      }
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

  struct Look {
    Unresolved seen;
    std::string failure;  ///< Why it could not be looked everywhere.
  };
  /// @param most  nodes at most.
  Look look_at(const Solution& solution, int most) const {
    LinearResidual residual(linear_data(solution));
    const Interval& interval = problem_->interval();
    const int samples = options_.samples.value_or(scan_samples(interval));
    Look look;
    look.seen = unresolved(solution.mesh(), solution.scheme(), std::ref(residual),
                           residual.limits(chosen_.tolerance), samples, most);
    look.failure = residual.failure();
    return look;
  }

  static Solution not_seen(Solution last, const Look& look) {
    last.report.termination = Termination::tolerance_not_met;
    if (look.failure.empty()) {
      last.report.message = fmt::format(
          "the residual between the stages is {:.1e} times what the tolerance allows, near t = "
          "{:.6g}, on {} intervals: two meshes agree on a solution that neither has resolved there",
          look.seen.worst, look.seen.at, last.mesh().intervals());
      last.report.advice =
          "give a mesh that is fine there, with a node where a coefficient jumps, or loosen the "
          "tolerance";
    } else {
      last.report.message =
          fmt::format("the solution cannot be checked between its stages: {}", look.failure);
      last.report.advice =
          "make the coefficients finite everywhere in the interval, or give a mesh without a "
          "tolerance";
    }
    return last;
  }

  /// Small changes from iterate to iterate do not tell that they converge: with a large epsilon
  /// they are small from the start. The constraint does.
  static bool misses_constraint(Solution& solution, double most) {
    double at = 0;
    const double missed = constraint_excess(linear_data(solution), at);
    if (!(missed > most)) return false;
    const double epsilon = solution.regularization().epsilon;
    solution.report.termination = Termination::iterates_exhausted;
    solution.report.message = fmt::format(
        "C x + r is {:.1e} of its terms at t = {:.6g} after {} iterate(s) with epsilon = {:g}: "
        "these do not converge to the solution",
        missed, at, solution.iterates(), epsilon);
    solution.report.advice =
        "a smaller epsilon, or more iterates; leave both out to have them chosen";
    return true;
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
