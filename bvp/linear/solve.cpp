#include "bvp/linear/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "bvp/linear/carried_rounding.hpp"
#include "bvp/linear/choose.hpp"
#include "bvp/linear/linear_residual.hpp"
#include "bvp/linear/repaired_sweeps.hpp"
#include "bvp/linear/share_linear_mesh.hpp"
#include "bvp/linear/singular_points.hpp"
#include "bvp/linear/sweeps.hpp"
#include "bvp/mesh/refinement.hpp"
#include "bvp/options/paced_progress.hpp"
#include "bvp/residual/kinks.hpp"
#include "bvp/residual/look_in_parts.hpp"
#include "core/not_finite.hpp"
#include "core/report/stopwatch.hpp"
#include "core/stages/constraint_scan.hpp"
#include "core/start/check_constraint_rates.hpp"

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

/// Of a scan before a solve that looks at more points of its own; intervals up to which it does.
constexpr int few_samples = 100, few_intervals = 40;

/// Where no tolerance was asked: of a constraint that is missed by as much nothing was solved.
constexpr double missed_constraint = 0.1;

class Solver final : public MeshSolver {
 public:
  Solver(std::shared_ptr<const LinearDae> problem, const Options& options)
      : problem_(std::move(problem)), options_(options) {
    check(options_);
    refuse_nonlinear_options(options_);
    check_ranks(options_);
    if (options_.ranks != nullptr && options_.shooting_back.value_or(false)) {
      throw InvalidOption(
          "shooting_back: of linear problems is not for ranks; leave it out, or solve on one "
          "machine");
    }
    check_conditions(*problem_);
    check_constraint_rates(*problem_);
    const bool refines = options_.tolerance || !(options_.mesh || options_.intervals);
    scan(refines ? few_samples : samples());
    if (!scan_.regular() && !scanned_) scan(samples());
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
      if (scan_again_) {
        scan_again_ = false;
        solution = refine();
      }
    } else {
      solution = options_.ranks != nullptr
                     ? solve_over_ranks()
                     : solve(chosen_.setting.mesh, options_.fixed_nodes, nullptr, MeshRole::check);
      if (solution.has_values()) solution.fixed_nodes = options_.fixed_nodes;
      if (solution.report.usable() && !misses_constraint(solution, missed_constraint)) {
        solution.report.message += "; no tolerance was asked, so the error is not estimated";
      }
    }
    solution.report.seconds.total = watch.seconds();
    return solution;
  }

 private:
  int samples() const { return scan_samples(problem_->interval()); }
  double length() const { return chosen_.setting.mesh.end() - chosen_.setting.mesh.begin(); }

  void scan(int count) {
    scanned_ = count >= samples();
    scan_ = scan_constraint(*problem_, count);
    chosen_ = choose(*problem_, options_, scan_);
    check_weight(*problem_, chosen_.setting.regularization);
    report_.problem = problem_->name();
    report_.nx = problem_->nx();
    report_.ny = problem_->ny();
    report_.choices = chosen_.choices;
    report_.warnings = chosen_.warnings;
    report_.parasitic_growth = chosen_.parasitic_growth;
  }

  /// More of the constraint than was seen so far. Another problem is solved where it is singular.
  void scan_all() {
    if (scanned_) return;
    const ConstraintScan all = scan_constraint(*problem_, samples());
    scanned_ = true;
    if (all.regular()) return;
    scan(samples());
    scan_again_ = true;
  }

  Solution solve(const Mesh& mesh, const std::vector<double>& fixed, const Solution*,
                 MeshRole role) override {
    if (mesh.intervals() > few_intervals) scan_all();
    if (scan_again_) return Solution(nullptr, report_);
    Setting setting = chosen_.setting;
    setting.mesh = mesh;
    setting.fixed_nodes = fixed;
    setting.regularization.alpha2 = alpha2_on(mesh);
    if (chosen_.tolerance > 0) {
      setting.slopes = KeepSlopes::yes;
      setting.end_values = scan_.regular() && setting.regularization.alpha1 > 0;
    }
    if (options_.ranks != nullptr) share_linear_mesh(*problem_, options_, setting);
    return solve(std::move(setting), report_of(mesh), role);
  }

  double alpha2_on(const Mesh& mesh) const {
    const double alpha1 = chosen_.setting.regularization.alpha1;
    return options_.alpha2 ? *options_.alpha2 : open_alpha2(alpha1, mesh, chosen_.least_decay);
  }

  /// Where it is another one than was open before there was a mesh.
  void tell_alpha2(double alpha2, Report& report) const {
    const double before = chosen_.setting.regularization.alpha2;
    if (alpha2 == before) return;
    for (Choice& choice : report.choices) {
      if (choice.name != "alpha2") continue;
      choice.value = fmt::format("{:g}", alpha2);
      choice.reason =
          alpha2 < before
              ? "constraint errors decay within a quarter of the largest step, a unit is less"
              : "constraint errors decay within the interval, a unit of time is more";
    }
  }

  Report report_of(const Mesh& mesh) const {
    Report report = report_;
    report.intervals = mesh.intervals();
    report.smallest_step = mesh.smallest_step();
    report.largest_step = mesh.largest_step();
    tell_alpha2(alpha2_on(mesh), report);
    if (const std::string danger = over_damping(chosen_, mesh); !danger.empty()) {
      report.warnings.push_back(danger);
    }
    return report;
  }

  Solution solve_over_ranks() {
    Setting setting = std::move(chosen_.setting);
    chosen_.setting.scheme = setting.scheme;
    chosen_.setting.regularization = setting.regularization;
    setting.fixed_nodes = options_.fixed_nodes;
    setting.regularization.alpha2 = alpha2_on(setting.mesh);
    const Report report = report_of(setting.mesh);
    share_linear_mesh(*problem_, options_, setting);
    return solve(std::move(setting), report, MeshRole::trial);
  }

  /// @param report  what it begins with.
  Solution solve(Setting setting, Report report, MeshRole role) {
    const Serial serial;
    const Executor& executor = options_.executor != nullptr ? *options_.executor : serial;
    const Waveform By_0 = start_on(setting.mesh);
    const Stopwatch watch;
    const Discretization discretization(*problem_, std::move(setting), scan_, executor,
                                        options_.progress);
    seconds_.condense += watch.seconds();
    report.seconds = seconds_;
    report.singular_points = singular_points(discretization.singular_points(),
                                             scan_.singular_points, discretization.mesh());
    if (!discretization.failure().empty()) {
      report.termination = discretization.termination();
      report.message = discretization.failure();
      return Solution(nullptr, std::move(report));
    }
    SweepControl control = chosen_.control;
    control.sizes = chosen_.sizes;
    control.conditioning = role == MeshRole::check && options_.conditioning.value_or(true);
    Solution solution =
        chosen_.shooting_back
            ? run_repaired(problem_, discretization, By_0, options_, control, report)
            : Sweeps(problem_, discretization, options_).run(By_0, control, report);
    seconds_ = solution.report.seconds;
    return solution;
  }

  /// Where a stage lies at the begin no iterate changes B y there, nor does a scheme that damps
  /// nothing forget it: then that of a scheme without such a stage.
  Waveform start_on(const Mesh& mesh) {
    const bool stays = chosen_.shooting_back && chosen_.setting.scheme.starts_at_node();
    if (!stays || !options_.By_0.is_zero()) return options_.By_0;
    Setting setting = chosen_.setting;
    setting.mesh = mesh;
    setting.scheme = collocation(Scheme::radau, setting.scheme.stages);
    setting.regularization.epsilon =
        std::min(setting.regularization.epsilon, 1e-10 * std::min(1.0, mesh.end() - mesh.begin()));
    const Serial serial;
    const Discretization discretization(*problem_, std::move(setting), scan_,
                                        options_.executor != nullptr ? *options_.executor : serial,
                                        options_.progress);
    if (!discretization.failure().empty()) return {};
    SweepControl control = chosen_.control;
    control.most = most_iterates;
    control.conditioning = false;
    const Solution solution = Sweeps(problem_, discretization, options_).run({}, control, {});
    return solution.has_values() ? solution.waveform() : Waveform();
  }

  /// What looks at a residual tells its progress.
  void begin(const char* phase, const Solution& solution) {
    progress_.begin(phase, solution.mesh_of_all().intervals(), solution.mesh().intervals());
  }
  Residual telling(LinearResidual& residual) {
    return [this, &residual](int interval, const Places& at, ResidualValues& found) {
      progress_.at(interval);
      residual(interval, at, found);
    };
  }

  Look look_at(const Solution& solution, LookFor wanted, int most) override {
    const LinearData& data = linear_data(solution);
    const CollocationCurve& curve = data.curve;
    const bool everything = wanted == LookFor::everything;
    const bool watches = everything && !scanned_;
    TurningModes modes(curve.mesh(), curve.scheme(), problem_->nx(), data.share);
    // A mesh that is refined anyway is searched for what halving cannot resolve, not for more.
    const int samples = everything ? options_.samples.value_or(this->samples()) : 1;
    bool dips_any = false;
    begin("looking between the stages", solution);
    Look look = look_in_parts(data.share, curve.mesh(), most, [&](const MeshPart& part) {
      PivotDips dips(problem_->nx(), problem_->ny(), scan_.reference);
      LinearResidual residual(data, scan_.regular(), watches ? &dips : nullptr);
      if (everything) residual.watch(modes);
      // Where all is looked at, more is found than the estimate was made of.
      Look here;
      here.tolerance = (everything ? 2 : 1) * chosen_.tolerance;
      here.seen =
          unresolved(curve.mesh(), part, curve.scheme(), curve.polynomials(), telling(residual),
                     residual.limits(here.tolerance), samples, most, wanted);
      here.failure = residual.failure();
      dips_any = dips_any || (watches && dips.any());
      return here;
    });
    progress_.end();
    if (everything) look.turns = modes.angles();
    if (data.share.largest(dips_any ? 1 : 0) > 0) scan_all();
    if (scan_again_) look.failure = "its constraint is singular where nothing was looked at yet";
    return look;
  }

  std::vector<double> kinks_of(const Solution& solution,
                               const std::vector<int>& intervals) override {
    const LinearData& data = linear_data(solution);
    begin("looking for kinks", solution);
    const auto find = [&](const std::vector<int>& here) {
      LinearResidual residual(data, scan_.regular());
      return kinks(data.curve.mesh(), length(), data.curve.polynomials(), telling(residual), here);
    };
    std::vector<double> found = kinks_in_parts(data.share, data.curve.mesh(), intervals, find);
    progress_.end();
    return found;
  }

  /// Not beside singular constraints, which stages are to be away from. The influence of conditions
  /// at a resonance may be the rounding of both.
  ByMoreStages by_more_stages(const Solution& solution) override {
    const Collocation& scheme = solution.scheme();
    if (scheme.scheme != Scheme::gauss || scheme.stages == stage_range(Scheme::gauss).most ||
        !scan_.regular() || chosen_.shooting_back) {
      return {};
    }
    Setting setting = chosen_.setting;
    setting.mesh = solution.mesh_of_all();
    setting.regularization.alpha2 = alpha2_on(setting.mesh);
    setting.scheme = collocation(Scheme::gauss, scheme.stages + 1);
    const Report report = report_of(setting.mesh);
    if (options_.ranks != nullptr) share_linear_mesh(*problem_, options_, setting);
    const Solution other = solve(std::move(setting), report, MeshRole::trial);
    if (!other.has_values()) return {};
    MatX x(problem_->nx(), solution.mesh().intervals() + 1), change = x;
    for (int i = 0; i < x.cols(); ++i) {
      x.col(i) = solution.x_at_node(i);
      change.col(i) = other.x_at_node(i) - x.col(i);
    }
    const auto [most, size] = solution.share().extents(change, x);
    // They have an error too.
    constexpr double safety = 2;
    return {.error = safety * largest_size(most.col(0).cwiseQuotient(chosen_.sizes.x.of(size)))};
  }

  double rounding_of_carried(const Solution& solution, double& at) const override {
    return rounding_of_By(linear_data(solution), chosen_.tolerance, at);
  }

  std::string danger(const Mesh& mesh) const override { return over_damping(chosen_, mesh); }

  std::string spent(const Solution& solution) const override {
    return fmt::format("{} iterate(s)", solution.report.history.size());
  }

  Solution refine() {
    RefinementControl control;
    control.tolerance = chosen_.tolerance;
    control.max_intervals = chosen_.max_intervals;
    control.bytes_per_interval = chosen_.bytes_per_interval;
    control.largest_step = chosen_.largest_step;
    control.fixed_nodes = options_.fixed_nodes;
    control.sizes = chosen_.sizes;
    control.danger_advice = "raise max_intervals, or use scheme gauss";
    return bvp::refine(*this, chosen_.setting.mesh, control);
  }

  /// Small changes from iterate to iterate do not tell that they converge: with a large epsilon
  /// they are small from the start. The constraint does.
  bool misses_constraint(Solution& solution, double most) override {
    double at = 0;
    const double missed = constraint_excess(linear_data(solution), at);
    constexpr double rounding = 1e-12;
    if (!(missed > std::max(most, rounding))) return false;
    const double epsilon = solution.regularization().epsilon;
    solution.report.termination = Termination::iterates_exhausted;
    solution.report.message = fmt::format(
        "C x + r is {:.1e} of its terms at t = {:.6g} after {} iterate(s) with epsilon = {:g}: "
        "these do not converge to the solution",
        missed, at, solution.iterates(), epsilon);
    const bool chosen = !options_.epsilon && !options_.iterates;
    solution.report.advice =
        chosen ? fmt::format(
                     "more samples, or a mesh that is fine near t = {:.6g}, where r may "
                     "change between all times at which it was looked at; or a smaller "
                     "epsilon, or more iterates",
                     at)
               : "a smaller epsilon, or more iterates; leave both out to have them chosen";
    if (!chosen_.setting.scheme.damps() && solution.regularization().alpha1 == 0) {
      solution.report.advice =
          "scheme radau, which damps what iterates leave; or " + solution.report.advice;
    }
    return true;
  }

  std::shared_ptr<const LinearDae> problem_;
  const Options& options_;
  ConstraintScan scan_;
  bool scanned_ = false;     ///< At as many points as there are to be.
  bool scan_again_ = false;  ///< It was not, and is now: what was chosen by it does not hold.
  Chosen chosen_;
  Report report_;
  Seconds seconds_;
  PacedProgress progress_{options_.progress, options_.ranks};
};

}  // namespace

Solution solve(std::shared_ptr<const LinearDae> problem, const Options& options) {
  return Solver(std::move(problem), options).run();
}

}  // namespace daewave::bvp
