#include "bvp/nonlinear/refined_solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "bvp/mesh/fixed_nodes.hpp"
#include "bvp/mesh/mesh_memory.hpp"
#include "bvp/mesh/refinement.hpp"
#include "bvp/newton/newton_failure.hpp"
#include "bvp/nonlinear/choose.hpp"
#include "bvp/nonlinear/curve_residual.hpp"
#include "bvp/nonlinear/dependent_points.hpp"
#include "bvp/nonlinear/higher_index.hpp"
#include "bvp/nonlinear/leaps_of_roots.hpp"
#include "bvp/nonlinear/mesh_solve.hpp"
#include "bvp/nonlinear/missed_by_iterates.hpp"
#include "bvp/nonlinear/narrowed_margins.hpp"
#include "bvp/nonlinear/nonlinear_values.hpp"
#include "bvp/nonlinear/resolving_guess.hpp"
#include "bvp/nonlinear/solution_looks.hpp"
#include "bvp/nonlinear/wrong_derivatives.hpp"
#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "core/report/stopwatch.hpp"

namespace daewave::bvp {
namespace {

constexpr double least_tolerance = 1e-13;
constexpr int default_intervals = 10, ordinary_intervals = 6;
/// At which a guess is looked at.
constexpr int guess_samples = 100;
/// Of G B, relative to its largest.
constexpr double refused_pivot = 1e-6;
/// Meshes on which Newton's method starts from the guess, after a first one.
constexpr int most_finer = 4;
/// Of constraints, in units of the tolerance, where iterates have settled to a tenth of it.
constexpr double most_missed = 4;
/// Where no tolerance was asked: of constraints that are missed by as much nothing was solved.
constexpr double missed_constraint = 0.1;
/// Of S x at a singular point, in units of x: on any mesh, and of tolerances where they are met.
constexpr double contradicts_regularity = 1e-2, of_tolerances = 10;

class Solver final : public MeshSolver {
 public:
  Solver(const NonlinearProblem& problem, const Options& options, Effort effort, int most_unsettled)
      : problem_(problem),
        options_(options),
        most_finer_(effort == Effort::all && !problem.is_linear ? most_finer : 1),
        refines_(refines(options)),
        tolerance_(wanted_tolerance(options)),
        max_intervals_(most_intervals(options)),
        most_unsettled_(most_unsettled),
        on_mesh_(problem, options, tolerance_,
                 refines_ ? std::clamp(1e-3 * tolerance_, 1e-13, 1e-6) : 1e-11) {
    if (tolerance_ < least_tolerance) {
      throw InvalidOption(fmt::format(
          "tolerance = {:g}: of a nonlinear problem must be >= {:g}; below that is rounding",
          tolerance_, least_tolerance));
    }
    if (options.mesh && (options.mesh->begin() != problem.interval.begin ||
                         options.mesh->end() != problem.interval.end)) {
      throw InvalidOption(
          fmt::format("mesh = [{:g}, {:g}]: must span the interval of the problem, [{:g}, {:g}]",
                      options.mesh->begin(), options.mesh->end(), problem.interval.begin,
                      problem.interval.end));
    }
    if (problem.conditions->count() != on_mesh_.nx()) {
      throw InvalidProblem(fmt::format(
          "{} conditions with the {} of the constraints: there must be {}, one for each of x",
          problem.conditions->count() - problem.constraints, problem.constraints, on_mesh_.nx()));
    }
    bytes_ = bytes_per_interval(on_mesh_.nx(), on_mesh_.carried(), problem.scheme.stages);
    const int ranks = options.ranks != nullptr ? options.ranks->size() : 1;
    if (options.intervals) check_memory(*options.intervals / ranks, bytes_);
    report_.problem = problem.name;
    report_.nx = on_mesh_.nx();
    report_.ny = on_mesh_.carried();
    report_.choices = problem.choices;
  }

  Solution run() {
    const Stopwatch watch;
    const Mesh mesh =
        options_.mesh
            ? *options_.mesh
            : uniform_mesh(problem_.interval.begin, problem_.interval.end,
                           options_.intervals.value_or(std::min(
                               max_intervals_,
                               problem_.epsilon > 0 ? default_intervals : ordinary_intervals)));
    Solution solution = problem_.bounds ? within_bounds(mesh) : solved_on(mesh);
    solution.report.seconds = on_mesh_.seconds();
    solution.report.seconds.total = watch.seconds();
    return solution;
  }

  Solution solve(const Mesh& mesh, const std::vector<double>& fixed, const Solution* from,
                 MeshRole) override {
    if (from == nullptr && before_.has_values()) from = &before_;
    if (from != nullptr) {
      Solution solution = solve_on(mesh, from);
      if (!needs_guess(solution.report) || began_again_) return solution;
      // What was found on a coarse mesh may be like no solution.
      began_again_ = true;
      Solution again = solve(finer_along_guess(mesh, fixed), fixed, nullptr, MeshRole::trial);
      return again.has_values() ? again : solution;
    }
    const std::vector<DependentPoint> dependent = points_of_guess(mesh.intervals());
    if (Report report = report_; refuses(dependent, "guess", report)) {
      return Solution(nullptr, std::move(report));
    }
    // A first mesh may be so coarse that its equations have no solution near the guess.
    Solution solution = solve_from_guess(mesh, fixed, dependent);
    Mesh finer = mesh;
    for (int tries = 0; tries < most_finer_ && needs_guess(solution.report); ++tries) {
      // Neither of two meshes has nodes where the other one has.
      const Mesh resolving = tries == 0 ? finer_along_guess(mesh, fixed) : finer;
      finer = resolving.intervals() > finer.intervals()
                  ? resolving
                  : resized_with(finer, finer.intervals() * 5 / 2 + 1, fixed);
      if (finer.intervals() > max_intervals_) break;
      solution = solve_from_guess(finer, fixed, dependent);
    }
    return solution;
  }

  Look look_at(const Solution& solution, LookFor wanted, int most) override {
    return looks_.at(solution, wanted, most, tolerance_);
  }
  ByMoreStages by_more_stages(const Solution& solution) override {
    return looks_.by_more_stages(solution);
  }
  VecX residual_excess(const Solution& solution) override {
    return looks_.residual_excess(solution);
  }
  std::vector<double> residual_jumps(const Solution& solution, int most) override {
    return looks_.residual_jumps(solution, most, tolerance_);
  }
  std::vector<double> kinks_of(const Solution& solution,
                               const std::vector<int>& intervals) override {
    return looks_.kinks(solution, intervals);
  }

  bool misses_constraint(Solution& solution, double tolerance) override {
    return misses_constraints(problem_, options_, most_missed * tolerance, solution);
  }

  bool iterates_leave_more(Solution& solution, double tolerance) override {
    const bool is_open = !options_.iterates && !leaves_layer(problem_);
    if (problem_.epsilon == 0 || is_open) return false;
    Report& report = solution.report;
    const LeftByIterates left =
        on_mesh_.left_by_iterates(solution.values().curve(), solution.share(), report.history);
    if (left.newton.failure == NewtonResult::Failure::stopped) {
      tell_failure(left.newton, report.intervals, problem_.is_linear, true, report);
      return true;
    }
    return leave_more(problem_, options_, left, tolerance, report);
  }

  std::vector<KeptAway> keeps_away(const Solution& solution, double part) override {
    if (!problem_.carries_By) return {};
    std::vector<DependentPoint> dependent = points_of(solution.values().curve(), solution.share());
    for (DependentPoint& point : dependent) point.width *= part;
    std::vector<KeptAway> away = away_from(dependent);
    looks_.keep_away_from(std::move(dependent));
    return away;
  }

  std::string danger(const Mesh&) const override { return ""; }

  std::string spent(const Solution&) const override {
    return fmt::format("{} Newton iteration(s)", on_mesh_.newton_iterations());
  }

 private:
  Solution solve_from_guess(const Mesh& mesh, const std::vector<double>& fixed,
                            const std::vector<DependentPoint>& dependent) {
    return solve_on(kept_away(mesh, problem_.scheme, away_from(dependent), fixed), nullptr);
  }

  Mesh finer_along_guess(const Mesh& mesh, const std::vector<double>& fixed) {
    if (problem_.start) return mesh;
    return resolving_guess(problem_, on_mesh_.system(), mesh, fixed, samples_of(options_));
  }

  std::vector<DependentPoint> points_of_guess(int intervals) const {
    if (problem_.epsilon == 0) return {};
    if (problem_.start) return points_of(problem_.start->curve(), problem_.start->share());
    return dependent_points(*problem_.equations, problem_.interval, problem_.guess,
                            std::max(guess_samples, 4 * intervals));
  }
  std::vector<DependentPoint> points_of(const CollocationCurve& curve,
                                        const MeshShare& share) const {
    if (problem_.epsilon == 0) return {};
    const int intervals = share.ranks != nullptr ? share.all : curve.mesh().intervals();
    const int samples = std::clamp(4 * std::min(intervals, 250), 50, 1000);
    return dependent_points(*problem_.equations_of(curve, share), problem_.interval, curve, share,
                            samples);
  }

  static std::vector<KeptAway> away_from(const std::vector<DependentPoint>& dependent) {
    std::vector<KeptAway> away;
    for (const DependentPoint& point : dependent) away.push_back({point.t, point.width});
    return away;
  }

  /// Where the variant is open, one that divides by G B is not for constraints that become
  /// dependent: another is taken then.
  bool refuses(const std::vector<DependentPoint>& dependent, const char* where,
               Report& report) const {
    if (options_.variant || problem_.carries_By) return false;
    for (const DependentPoint& point : dependent) {
      if (!(point.pivot < refused_pivot)) continue;
      report.termination = Termination::singular_constraint;
      report.message = fmt::format(
          "constraints become dependent at t = {:.6g} on the way of the {}: the smallest pivot of "
          "G B there is {:.1e} of its largest",
          point.t, where, point.pivot);
      report.advice = "variant = singular, which passes such points";
      return true;
    }
    return false;
  }

  Solution refine(const Mesh& first) {
    RefinementControl control;
    control.tolerance = tolerance_;
    control.sizes = problem_.sizes;
    control.max_intervals = max_intervals_;
    control.most_unsettled = most_unsettled_;
    control.halves_best = true;
    control.bytes_per_interval = bytes_;
    control.controls_carried = problem_.controls_carried;
    control.fixed_nodes = problem_.fixed_nodes;
    control.ranks = options_.ranks;
    return bvp::refine(*this, first, control);
  }

  Solution solved_on(const Mesh& mesh) {
    Solution solution = refines_ ? refine(mesh) : on_mesh_given(mesh);
    if (solution.report.usable()) {
      misses_regularity(solution.values().curve(), solution.share(), of_tolerances * tolerance_,
                        solution.report);
      leaves_roots(solution);
    }
    return solution;
  }

  /// No error that is estimated of a solution of index 1 tells that w is not continuous.
  void leaves_roots(Solution& solution) const {
    if (problem_.equations->kind() != Kind::invariants) return;
    const CollocationCurve& curve = solution.values().curve();
    const MeshShare& share = solution.share();
    const std::string leap =
        share.first_of(leap_of_roots(*problem_.equations_of(curve, share), curve));
    if (leap.empty()) return;
    solution.report.termination = Termination::tolerance_not_met;
    solution.report.message = leap;
    solution.report.advice =
        "a guess of w from which it stays at one solution, or an interval that ends before";
  }

  /// Conditions that contradict those of a singular term leave a layer at the begin on every mesh.
  bool misses_regularity(const CollocationCurve& curve, const MeshShare& share, double most,
                         Report& report) const {
    if (!problem_.singular_term) return false;
    const MatX& x = curve.values().x;
    return is_missed(*problem_.singular_term, share.first_column(x),
                     problem_.sizes.x.finite(share.extents(x, MatX()).first), most, report);
  }

  Solution within_bounds(const Mesh& first) {
    constexpr double of_given_mesh = 1e-2, part = 0.5;
    const double wanted = tolerance_;
    const auto solve = [&](const Solution* with_wider) {
      if (with_wider == nullptr) return solved_on(first);
      tolerance_ = part * wanted;  // The rest is for what margins change.
      before_ = *with_wider;
      return solved_on(refines_ ? with_wider->mesh_of_all() : first);
    };
    return with_narrowed_margins(*problem_.bounds, problem_.sizes,
                                 refines_ ? wanted : of_given_mesh, solve);
  }

  Solution on_mesh_given(const Mesh& mesh) {
    Solution solution = solve_on(mesh, before_.has_values() ? &before_ : nullptr);
    solution.fixed_nodes = problem_.fixed_nodes;
    if (!solution.has_values() || solution.report.termination != Termination::converged ||
        misses_constraints(problem_, options_,
                           options_.tolerance ? most_missed * tolerance_ : missed_constraint,
                           solution)) {
      return solution;
    }
    solution.report.message = fmt::format(
        "{} Newton iteration(s) on the mesh given; no tolerance was asked, so the error is not "
        "estimated",
        on_mesh_.newton_iterations());
    return solution;
  }

  /// One mesh. Without values the report tells why.
  Solution solve_on(const Mesh& mesh, const Solution* from) {
    Report report = report_;
    report.intervals = mesh.intervals();
    report.smallest_step = mesh.smallest_step();
    report.largest_step = mesh.largest_step();
    MeshResult result = on_mesh_.solve(mesh, from);
    const IteratesResult& went = result.iterates;
    if (problem_.epsilon > 0) report.history = went.history;
    report.linear_solve = result.linear;
    if (!on_mesh_.warning().empty()) report.warnings.push_back(on_mesh_.warning());
    if (!result.solved()) {
      fails(result, mesh, report);
      return Solution(nullptr, std::move(report));
    }
    if (!options_.variant && !problem_.carries_By && problem_.epsilon > 0) {
      const auto dependent = points_of(result.curve, result.share);
      if (refuses(dependent, "solution", report)) return Solution(nullptr, std::move(report));
    }
    if (misses_regularity(result.curve, result.share, contradicts_regularity, report)) {
      return Solution(nullptr, std::move(report));
    }
    looks_.weigh_by(result.influences);
    report.conditioning.available = true;
    report.conditioning.boundary = report.conditioning.influence = result.conditioning;
    report.conditioning.rounding = went.newton.rounding;
    // Where iterates come to a level they go on at it, up and down.
    constexpr double more = 2;
    if (problem_.epsilon > 0 && !options_.iterates) {
      report.error.iterates = std::max(more * went.change, went.remaining);
    }
    if (went.settled || options_.iterates) {
      report.termination = Termination::converged;
      report.message = fmt::format("{} iterate(s)", report.history.size());
    } else {
      report.termination = Termination::iterates_exhausted;
      report.message = fmt::format(
          "x still changed by {:.1e} with the last of {} iterates; more of them may change it by "
          "{:.1e}, and what is carried by {:.1e}",
          went.change, report.history.size(), report.error.iterates, went.carried_remaining);
      report.advice = "more iterates, or a smaller epsilon";
    }
    const int iterates = static_cast<int>(report.history.size());
    Solution solution(
        std::make_shared<const NonlinearValues>(problem_.equations, std::move(result.curve),
                                                problem_.form, iterates, std::move(result.share)),
        std::move(report));
    if (options_.on_each_mesh) options_.on_each_mesh(solution);
    return solution;
  }

  void fails(const MeshResult& of, const Mesh& mesh, Report& report) const {
    const NewtonResult& newton = of.iterates.newton;
    tell_failure(newton, mesh.intervals(), problem_.is_linear,
                 problem_.equations->structure().has_f_jacobian, report);
    if (newton.failure == NewtonResult::Failure::stopped) return;
    if (newton.failure != NewtonResult::Failure::evaluation && !problem_.is_linear) {
      doubt_derivatives(problem_, report);
    }
    if (newton.failure == NewtonResult::Failure::evaluation && problem_.epsilon > 0 &&
        !problem_.start &&
        is_of_higher_index(*problem_.equations, problem_.interval, problem_.guess)) {
      tell_higher_index(mesh.intervals(), problem_.equations->has_velocity(), report);
    }
    if (problem_.singular_term && !problem_.poses_regularity) {
      report.advice += fmt::format(
          "; or {} condition(s) less, where they contradict S x = 0 at t = {:g}: it is posed then",
          problem_.singular_term->rank(), problem_.singular_term->begin());
    }
    if (!problem_.bounds) return;
    if (const std::string bound = problem_.bounds->most_active(of.share); !bound.empty()) {
      report.message += "; the bound " + bound;
      report.advice += "; or a wider bound, where it excludes the solution";
    }
  }

  const NonlinearProblem& problem_;
  const Options& options_;
  int most_finer_;
  bool refines_;
  double tolerance_;
  int max_intervals_, most_unsettled_;
  double bytes_ = 0;  ///< Of an interval.
  MeshSolve on_mesh_;
  SolutionLooks looks_{problem_, options_, on_mesh_};
  bool began_again_ = false;
  Solution before_{};  ///< With wider margins at bounds: the guess of the next ones.
  Report report_;
};

}  // namespace

Solution refined_solve(const NonlinearProblem& problem, const Options& options, Effort effort,
                       int most_unsettled) {
  return Solver(problem, options, effort, most_unsettled).run();
}

}  // namespace daewave::bvp
