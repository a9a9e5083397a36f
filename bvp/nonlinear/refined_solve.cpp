#include "bvp/nonlinear/refined_solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "bvp/mesh/fixed_nodes.hpp"
#include "bvp/mesh/refinement.hpp"
#include "bvp/nonlinear/choose.hpp"
#include "bvp/nonlinear/curve_residual.hpp"
#include "bvp/nonlinear/dependent_points.hpp"
#include "bvp/nonlinear/mesh_solve.hpp"
#include "bvp/nonlinear/nonlinear_values.hpp"
#include "bvp/residual/kinks.hpp"
#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "core/report/stopwatch.hpp"

namespace daewave::bvp {
namespace {

constexpr double least_tolerance = 1e-13;
constexpr int default_samples = 1000, default_intervals = 10, ordinary_intervals = 6;
/// Of constraints, in units of their terms.
constexpr double constraint_rounding = 1e-12;
/// Of Newton's method, which fails with larger ones for want of a better guess.
constexpr double small_change = 1e-5;
/// At which a guess is looked at.
constexpr int guess_samples = 100;
/// Of G B, relative to its largest.
constexpr double refused_pivot = 1e-6;
/// A first mesh may be so coarse that its equations have no solution near the guess.
constexpr int most_times_finer = 16;
/// Of constraints, in units of the tolerance, where iterates have settled to a tenth of it.
constexpr double most_missed = 4;
/// Where no tolerance was asked: of constraints that are missed by as much nothing was solved.
constexpr double missed_constraint = 0.1;

class Solver final : public MeshSolver {
 public:
  Solver(const NonlinearProblem& problem, const Options& options)
      : problem_(problem),
        options_(options),
        refines_(refines(options)),
        tolerance_(wanted_tolerance(options)),
        max_intervals_(most_intervals(options)),
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
                           options_.intervals.value_or(problem_.epsilon > 0 ? default_intervals
                                                                            : ordinary_intervals));
    Solution solution = problem_.bounds ? within_bounds(mesh) : solved_on(mesh);
    solution.report.seconds.total = watch.seconds();
    return solution;
  }

  Solution solve(const Mesh& mesh, const std::vector<double>& fixed, const Solution* from,
                 MeshRole) override {
    if (from == nullptr && before_.has_values()) from = &before_;
    if (from != nullptr) {
      Solution solution = solve_on(mesh, &from->values().curve());
      if (!is_guess_to_blame(solution.report) || began_again_) return solution;
      // What was found on a coarse mesh may be like no solution.
      began_again_ = true;
      Solution again = solve(mesh, fixed, nullptr, MeshRole::trial);
      return again.has_values() ? again : solution;
    }
    const std::vector<DependentPoint> dependent = points_of_guess(mesh.intervals());
    if (Report report = report_; refuses(dependent, "guess", report)) {
      return Solution(nullptr, std::move(report));
    }
    Mesh finer = mesh;
    while (true) {
      Solution solution =
          solve_on(kept_away(finer, problem_.scheme, away_from(dependent), fixed), nullptr);
      if (!is_guess_to_blame(solution.report) ||
          finer.intervals() >= most_times_finer * mesh.intervals() ||
          2 * finer.intervals() > max_intervals_) {
        return solution;
      }
      // Neither of them has nodes where the other one has.
      finer = with_nodes(resized(mesh, finer.intervals() * 3 / 2 + 1), {}, fixed);
    }
  }

  Look look_at(const Solution& solution, LookFor wanted, int most) override {
    const CollocationCurve& curve = solution.values().curve();
    CurveResidual residual(on_mesh_.system(), curve, residual_has_carried(), dependent_,
                           problem_.sizes, influences_);
    // A mesh that is refined anyway is searched for what halving cannot resolve, not for more.
    const bool everything = wanted == LookFor::everything;
    const int samples = everything ? options_.samples.value_or(default_samples) : 1;
    // B y that is not controlled turns fast where constraints become dependent. What it is off
    // between the stages is in the residual of x, but most of it cancels on the way.
    const double allowed = problem_.controls_carried ? 1 : 50;
    Look look;
    look.tolerance = (everything ? 2 : 1) * allowed * tolerance_;
    look.seen = unresolved(curve.mesh(), curve.scheme(), curve.polynomials(), std::ref(residual),
                           residual.limits(look.tolerance), samples, most, wanted);
    return look;
  }

  std::vector<double> kinks_of(const Solution& solution,
                               const std::vector<int>& intervals) override {
    const CollocationCurve& curve = solution.values().curve();
    CurveResidual residual(on_mesh_.system(), curve, residual_has_carried(), dependent_);
    return kinks(curve.mesh(), curve.polynomials(), std::ref(residual), intervals);
  }

  /// Small changes from iterate to iterate do not tell that they converge: with a large epsilon
  /// they are small from the start.
  bool misses_constraint(Solution& solution, double tolerance) override {
    return misses(solution, most_missed * tolerance);
  }

  std::vector<KeptAway> keeps_away(const Solution& solution, double part) override {
    if (!problem_.carries_By) return {};
    dependent_ = points_of(solution.values().curve());
    for (DependentPoint& point : dependent_) point.width *= part;
    return away_from(dependent_);
  }

  std::string danger(const Mesh&) const override { return ""; }

  std::string spent(const Solution&) const override {
    return fmt::format("{} Newton iteration(s)", on_mesh_.newton_iterations());
  }

 private:
  static bool is_guess_to_blame(const Report& report) {
    return report.termination == Termination::not_converged ||
           report.termination == Termination::singular_matrix;
  }

  std::vector<DependentPoint> points_of_guess(int intervals) const {
    if (problem_.epsilon == 0) return {};
    if (problem_.start) return points_of(*problem_.start);
    return dependent_points(*problem_.equations, problem_.interval, problem_.guess,
                            std::max(guess_samples, 4 * intervals));
  }
  std::vector<DependentPoint> points_of(const CollocationCurve& curve) const {
    if (problem_.epsilon == 0) return {};
    const int samples = std::clamp(4 * curve.mesh().intervals(), 50, 1000);
    return dependent_points(
        *problem_.equations_of(curve), problem_.interval, [&](double t) { return curve.x(t); },
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

  bool residual_has_carried() const { return problem_.controls_carried && !problem_.has_layer; }

  bool misses(Solution& solution, double most) const {
    if (problem_.epsilon == 0 || solution.report.termination == Termination::iterates_exhausted) {
      return false;
    }
    double at = 0;
    const CollocationCurve& curve = solution.values().curve();
    const double missed =
        constraint_excess(*problem_.equations_of(curve), curve, problem_.sizes.x, at);
    if (missed <= std::max(most, constraint_rounding)) return false;
    Report& report = solution.report;
    report.termination = Termination::iterates_exhausted;
    report.message = fmt::format(
        "constraints are missed by {:.1e} of their terms at t = {:.6g} after {} iterate(s) with "
        "epsilon = {:g}: these do not converge to the solution",
        missed, at, report.history.size(), problem_.epsilon);
    report.advice = "a smaller epsilon, or more iterates; leave both out to have them chosen";
    return true;
  }

  Solution refine(const Mesh& first) {
    RefinementControl control;
    control.tolerance = tolerance_;
    control.sizes = problem_.sizes;
    control.max_intervals = max_intervals_;
    control.controls_carried = problem_.controls_carried;
    control.fixed_nodes = problem_.fixed_nodes;
    return bvp::refine(*this, first, control);
  }

  Solution solved_on(const Mesh& mesh) { return refines_ ? refine(mesh) : on_mesh_given(mesh); }

  /// With margins at the bounds that become narrower until the solution is within them or hardly
  /// depends on them: Newton's method finds it harder with each.
  Solution within_bounds(const Mesh& first) {
    constexpr double negligible = 0.1, narrower = 1e-2, least = 0.5;
    StateBounds& bounds = *problem_.bounds;
    Solution solution = solved_on(first);
    double ratio = narrower, left = INFINITY;
    while (solution.report.usable() && left > negligible * tolerance_ &&
           bounds.is_beyond_margins(solution.values().curve())) {
      const double margin = bounds.margin();
      if (!bounds.set_margin(ratio * margin)) return at_bound(std::move(solution));
      before_ = solution;
      Solution next = solved_on(solution.mesh());
      if (next.report.termination == Termination::stopped) return next;
      if (!next.report.usable()) {
        bounds.set_margin(margin);
        ratio = std::sqrt(ratio);
        if (ratio < least) continue;
        if (solution.report.error.x + left <= tolerance_) break;
        return depends_on_margin(std::move(solution), left, next.report);
      }
      // What margins of zero would change more, as if that were like the root of their width.
      const CollocationCurve &wide = solution.values().curve(), &narrow = next.values().curve();
      left = difference(wide, narrow, problem_.sizes).x / (1 / std::sqrt(ratio) - 1);
      solution = std::move(next);
      ratio = std::max(ratio * ratio, narrower);
    }
    if (std::isfinite(left)) solution.report.error.x += left;
    if (solution.report.usable()) tell_bounds(solution);
    return solution;
  }

  Solution depends_on_margin(Solution solution, double left, const Report& next) const {
    Report& report = solution.report;
    report.termination = Termination::tolerance_not_met;
    report.message = fmt::format(
        "f at a bound matters more than the tolerance allows: of margins of it as wide as {:.0e} "
        "of the way there {}, and with narrower ones: {}",
        problem_.bounds->margin(),
        std::isfinite(left) ? fmt::format("{:.1e} may be left in x", left) : "more is left in x",
        next.message);
    report.advice = "a looser tolerance, or other unknowns, in which f is smooth at the bound";
    if (std::isfinite(left)) report.error.x += left;
    return solution;
  }

  static Solution at_bound(Solution solution) {
    solution.report.termination = Termination::not_converged;
    solution.report.message =
        "the solution comes to a bound, and depends on how f is there, however close that is";
    solution.report.advice =
        "bounds within which f is finite, or the logarithm of the distance from one in place of x";
    return solution;
  }

  /// What leaves a bound is a solution of other equations.
  void tell_bounds(Solution& solution) const {
    constexpr double of_given_mesh = 1e-2;
    const CollocationCurve& curve = solution.values().curve();
    const VecX sizes = problem_.sizes.x.finite(curve.values().x).head(problem_.bounds->size());
    const StateBounds::Told told =
        problem_.bounds->tell(curve, (refines_ ? tolerance_ : of_given_mesh) * sizes);
    Report& report = solution.report;
    report.warnings.insert(report.warnings.end(), told.on_bound.begin(), told.on_bound.end());
    if (told.left.empty()) return;
    report.termination = Termination::not_converged;
    report.message = told.left;
    report.advice = "a wider bound, or a guess closer to a solution that keeps within it";
  }

  Solution on_mesh_given(const Mesh& mesh) {
    Solution solution = solve_on(mesh, nullptr);
    solution.fixed_nodes = problem_.fixed_nodes;
    if (!solution.has_values() || solution.report.termination != Termination::converged ||
        misses(solution, options_.tolerance ? most_missed * tolerance_ : missed_constraint)) {
      return solution;
    }
    solution.report.message = fmt::format(
        "{} Newton iteration(s) on the mesh given; no tolerance was asked, so the error is not "
        "estimated",
        on_mesh_.newton_iterations());
    return solution;
  }

  /// One mesh. Without values the report tells why.
  Solution solve_on(const Mesh& mesh, const CollocationCurve* from) {
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
      fails(went.newton, mesh, report);
      return Solution(nullptr, std::move(report));
    }
    if (!options_.variant && !problem_.carries_By && problem_.epsilon > 0) {
      const auto dependent = points_of(result.curve);
      if (refuses(dependent, "solution", report)) return Solution(nullptr, std::move(report));
    }
    influences_ = result.influences;
    report.conditioning.available = true;
    report.conditioning.boundary = result.conditioning;
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
          "{:.1e}",
          went.change, report.history.size(), report.error.iterates);
      report.advice = "more iterates, or a smaller epsilon";
    }
    const int iterates = static_cast<int>(report.history.size());
    return Solution(std::make_shared<const NonlinearValues>(
                        problem_.equations, std::move(result.curve), problem_.form, iterates),
                    std::move(report));
  }

  void fails(const NewtonResult& newton, const Mesh& mesh, Report& report) const {
    using Failure = NewtonResult::Failure;
    report.message = fmt::format("{} intervals: {}", mesh.intervals(), newton.reason);
    switch (newton.failure) {
      case Failure::stopped:
        report.termination = Termination::stopped;
        break;
      case Failure::singular:
        report.termination = Termination::singular_matrix;
        report.advice = "conditions may depend on each other, or the solution may not be isolated";
        break;
      case Failure::evaluation:
        report.termination = Termination::diverged;
        report.advice =
            "a guess at which the problem can be evaluated; or bounds of x, within which it can, "
            "lower and upper";
        break;
      default:
        report.termination = Termination::not_converged;
        report.advice =
            newton.change < small_change
                ? "a looser tolerance, or derivatives of f: as little as Newton's method still "
                  "changes may be rounding that conditions amplify which hardly tell one solution "
                  "from another"
                : "a better guess, more intervals, or a shorter interval first";
    }
    if (!problem_.bounds || newton.failure == Failure::stopped) return;
    if (const std::string bound = problem_.bounds->most_active(); !bound.empty()) {
      report.message += "; the bound " + bound;
      report.advice += "; or a wider bound, where it excludes the solution";
    }
  }

  const NonlinearProblem& problem_;
  const Options& options_;
  bool refines_;
  double tolerance_;
  int max_intervals_;
  MeshSolve on_mesh_;
  bool began_again_ = false;
  Solution before_{};  ///< With wider margins at bounds: the guess of the next ones.
  std::vector<DependentPoint> dependent_;  ///< Of the solution looked at.
  VecX influences_;                        ///< Of residuals on the last mesh that was solved.
  Report report_;
};

}  // namespace

Solution refined_solve(const NonlinearProblem& problem, const Options& options) {
  return Solver(problem, options).run();
}

}  // namespace daewave::bvp
