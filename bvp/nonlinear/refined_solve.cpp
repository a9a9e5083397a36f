#include "bvp/nonlinear/refined_solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "bvp/mesh/mesh_choice.hpp"
#include "bvp/nonlinear/curve_residual.hpp"
#include "bvp/nonlinear/mesh_solve.hpp"
#include "bvp/nonlinear/nonlinear_values.hpp"
#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "core/report/stopwatch.hpp"

namespace daewave::bvp {
namespace {

constexpr double default_tolerance = 1e-6, least_tolerance = 1e-13;
constexpr int default_max_intervals = 1 << 16;
// Meshes that do not bring the estimate down: where it is small, and where there may be layers that
// none of them has resolved.
constexpr double small_estimate = 1e-3;
constexpr int most_in_vain = 4, most_before_layers = 10;
/// Meshes refined where their residual was too large, before that is given up.
constexpr int most_looks = 12;
constexpr int default_samples = 1000;
/// Of constraints, in units of the tolerance, where iterates have settled to a tenth of it.
constexpr double most_missed = 4;
/// Where no tolerance was asked: of constraints that are missed by as much nothing was solved.
constexpr double missed_constraint = 0.1;

class Solver {
 public:
  Solver(const NonlinearProblem& problem, const Options& options)
      : problem_(problem),
        options_(options),
        refines_(options.tolerance || (!options.mesh && !options.intervals)),
        tolerance_(options.tolerance.value_or(default_tolerance)),
        max_intervals_(options.max_intervals.value_or(default_max_intervals)),
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
    const Mesh mesh = options_.mesh ? *options_.mesh
                                    : uniform_mesh(problem_.interval.begin, problem_.interval.end,
                                                   options_.intervals.value_or(10));
    Solution solution = refines_ ? refined(mesh) : on_mesh_given(mesh);
    solution.report.seconds.total = watch.seconds();
    return solution;
  }

 private:
  /// One mesh. False with report_ telling why.
  bool solve_on(const Mesh& mesh, const CollocationCurve* from, CollocationCurve& curve) {
    report_.intervals = mesh.intervals();
    report_.smallest_step = mesh.smallest_step();
    report_.largest_step = mesh.largest_step();
    MeshResult result = on_mesh_.solve(mesh, from);
    const IteratesResult& went = result.iterates;
    if (problem_.epsilon > 0 && (from || report_.history.size() < went.history.size())) {
      report_.history = went.history;
    }
    report_.linear_solve = result.linear;
    report_.warnings.clear();
    if (!on_mesh_.warning().empty()) report_.warnings.push_back(on_mesh_.warning());
    settled_ = went.settled;
    change_ = went.change;
    if (!result.solved()) return fails(went.newton, mesh);
    curve = std::move(result.curve);
    return true;
  }

  bool fails(const NewtonResult& newton, const Mesh& mesh) {
    using Failure = NewtonResult::Failure;
    report_.message = fmt::format("{} intervals: {}", mesh.intervals(), newton.reason);
    switch (newton.failure) {
      case Failure::stopped:
        report_.termination = Termination::stopped;
        break;
      case Failure::singular:
        report_.termination = Termination::singular_matrix;
        report_.advice = "conditions may depend on each other, or the solution may not be isolated";
        break;
      case Failure::evaluation:
        report_.termination = Termination::diverged;
        report_.advice = "a guess at which the problem can be evaluated";
        break;
      default:
        report_.termination = Termination::not_converged;
        report_.advice = "a better guess, more intervals, or a shorter interval first";
    }
    return false;
  }

  Solution on_mesh_given(const Mesh& mesh) {
    CollocationCurve curve;
    if (!solve_on(mesh, nullptr, curve)) return without_values();
    accept(fmt::format("{} Newton iteration(s) on the mesh given; no tolerance was asked, so the "
                       "error is not estimated",
                       on_mesh_.newton_iterations()),
           curve, options_.tolerance ? most_missed * tolerance_ : missed_constraint);
    return with(std::move(curve));
  }

  Solution refined(const Mesh& first) {
    CollocationCurve coarse, fine;
    Mesh mesh = first;
    // A coarse mesh may have no solution of the discrete equations near the guess.
    while (!solve_on(mesh, nullptr, coarse)) {
      const bool helps = report_.termination == Termination::not_converged ||
                         report_.termination == Termination::singular_matrix;
      if (!helps || mesh.intervals() >= 16 * first.intervals() ||
          2 * mesh.intervals() > max_intervals_) {
        return without_values();
      }
      mesh = mesh.halved();
    }
    const int k = problem_.scheme.stages;
    // Halving divides the error by 2^k and more where it is small already; a coarse mesh has not
    // seen a layer in full, and then by less. Half of the difference has held in both.
    const double divisor = k > 1 ? 2 : 1;
    double best = INFINITY;
    int in_vain = 0, looks = 0;
    std::vector<double> jumps = problem_.fixed_nodes;
    while (true) {
      if (2 * coarse.mesh().intervals() > max_intervals_) return limit_reached(coarse);
      if (!solve_on(coarse.mesh().halved(), &coarse, fine)) return ended(coarse);
      CurveDifference gap = difference(coarse, fine);
      report_.error = {true,
                       gap.x / divisor,
                       gap.carried / divisor,
                       tolerance_,
                       0,
                       fmt::format("difference to the mesh of twice the step, over {:g}", divisor)};
      const double error = controlled_error();
      const bool within = error <= tolerance_;
      // No node cures constraints that iterates have not met.
      if (within && (!is_settled() || misses_constraints(fine, most_missed * tolerance_))) break;
      if (within || (std::isfinite(error) && looks < most_looks)) {
        const Unresolved seen = look_at(fine, within ? LookFor::everything : LookFor::jumps);
        if (within && !seen.any()) break;
        if (within && (looks == most_looks || seen.nodes.empty())) return not_seen(fine, seen);
        if (!seen.nodes.empty()) {
          ++looks;
          jumps.insert(jumps.end(), seen.jumps.begin(), seen.jumps.end());
          std::sort(jumps.begin(), jumps.end());
          const Mesh looked = with_nodes(coarse.mesh(), seen.nodes, jumps);
          if (2 * looked.intervals() > max_intervals_) return limit_reached(fine);
          if (!solve_on(looked, &fine, coarse)) return ended(fine);
          ++meshes_chosen_;
          best = INFINITY;
          in_vain = 0;
          continue;
        }
      }
      if (!std::isfinite(error)) {
        return not_met(fine, "the difference to the mesh of twice the step is not finite",
                       "look at the problem where its solution or its multipliers grow without "
                       "bound");
      }
      in_vain = error < 0.7 * best ? 0 : in_vain + 1;
      best = std::min(best, error);
      // Meshes that do not help: iterates that have not met the constraints.
      if (in_vain > 0 && is_settled() && misses_constraints(fine, most_missed * tolerance_)) break;
      if (in_vain >= (error < small_estimate ? most_in_vain : most_before_layers)) {
        return not_met(fine, "finer meshes no longer reduce it",
                       "loosen the tolerance: rounding, or a point where multipliers are not "
                       "unique, limits the accuracy");
      }
      if (!problem_.controls_carried) gap.of_interval.carried.setZero();
      // Half of the tolerance on the mesh chosen, so that its halved mesh meets it surely.
      Mesh chosen = equidistributed(coarse.mesh(), gap.of_interval, k, 0.5 * divisor * tolerance_);
      if (2 * chosen.intervals() > max_intervals_) return limit_reached(fine);
      const bool uniform_will_do = chosen.intervals() >= 2 * coarse.mesh().intervals() &&
                                   chosen.smallest_step() > 0.6 * fine.mesh().smallest_step() &&
                                   chosen.intervals() <= 2.2 * coarse.mesh().intervals();
      if (uniform_will_do) {
        coarse = std::move(fine);
        continue;
      }
      if (!jumps.empty()) chosen = with_nodes(chosen, {}, jumps);
      if (!solve_on(chosen, &fine, coarse)) return ended(fine);
      ++meshes_chosen_;
    }
    accept(fmt::format("error estimate {:.1e} within tolerance {:.1e} on {} intervals, {} Newton "
                       "iteration(s), {} mesh(es) chosen",
                       controlled_error(), tolerance_, fine.mesh().intervals(),
                       on_mesh_.newton_iterations(), meshes_chosen_),
           fine, most_missed * tolerance_);
    return with(std::move(fine));
  }

  bool misses_constraints(const CollocationCurve& curve, double most) const {
    double at = 0;
    return problem_.epsilon > 0 &&
           !(constraint_excess(*problem_.equations_of(curve), curve, at) <= most);
  }

  bool is_settled() const { return settled_ || options_.iterates; }

  Unresolved look_at(const CollocationCurve& curve, LookFor wanted) {
    const bool with_carried = problem_.controls_carried && !problem_.has_layer;
    CurveResidual residual(on_mesh_.system(), curve, with_carried);
    // B y that is not controlled turns fast where constraints become dependent. What it is off
    // between the stages is in the residual of x, but most of it cancels on the way.
    const double allowed = problem_.controls_carried ? 1 : 50;
    // A mesh that is refined anyway is searched for what halving cannot resolve, not for more.
    const int samples = wanted == LookFor::jumps ? 1 : options_.samples.value_or(default_samples);
    return unresolved(curve.mesh(), curve.scheme(), curve.polynomials(), std::ref(residual),
                      residual.limits(allowed * tolerance_), samples, max_intervals_ / 4, wanted);
  }

  Solution not_seen(const CollocationCurve& last, const Unresolved& seen) {
    report_.termination = Termination::tolerance_not_met;
    report_.message = fmt::format(
        "the residual between the stages is {:.1e} times what the tolerance allows, near t = "
        "{:.6g}, on {} intervals: two meshes agree on a solution that neither has resolved there",
        seen.worst, seen.at, last.mesh().intervals());
    report_.advice =
        "give a mesh that is fine there, with a node where f jumps, or loosen the tolerance";
    return with(last);
  }

  /// @param most  by which the constraints may be missed.
  void accept(std::string message, const CollocationCurve& curve, double most) {
    report_.advice.clear();
    double at = 0;
    const double missed = problem_.epsilon > 0 && is_settled()
                              ? constraint_excess(*problem_.equations_of(curve), curve, at)
                              : 0;
    // Small changes from iterate to iterate do not tell that they converge: with a large epsilon
    // they are small from the start.
    if (!(missed <= most)) {
      report_.termination = Termination::iterates_exhausted;
      report_.message = fmt::format(
          "constraints are missed by {:.1e} of their terms at t = {:.6g} after {} iterate(s) with "
          "epsilon = {:g}: these do not converge to the solution",
          missed, at, report_.history.size(), problem_.epsilon);
      report_.advice = "a smaller epsilon, or more iterates; leave both out to have them chosen";
      return;
    }
    if (is_settled()) {
      report_.termination = Termination::converged;
      report_.message = std::move(message);
      return;
    }
    report_.termination = Termination::iterates_exhausted;
    report_.message = fmt::format("x still changed by {:.1e} with the last of {} iterates", change_,
                                  report_.history.size());
    report_.advice = "more iterates, or a smaller epsilon";
  }

  double controlled_error() const {
    return problem_.controls_carried ? larger(report_.error.x, report_.error.By) : report_.error.x;
  }

  Solution limit_reached(const CollocationCurve& last) {
    return not_met(last, fmt::format("the limit of {} intervals is reached", max_intervals_),
                   "raise max_intervals, loosen the tolerance, or take more stages");
  }
  Solution not_met(const CollocationCurve& last, const std::string& why, std::string advice) {
    report_.termination = Termination::tolerance_not_met;
    const std::string error =
        report_.error.available ? fmt::format("error estimate {:.1e} exceeds tolerance {:.1e}",
                                              controlled_error(), tolerance_)
                                : fmt::format("no error estimate for tolerance {:.1e}", tolerance_);
    report_.message = fmt::format("{} on {} intervals: {}", error, last.mesh().intervals(), why);
    report_.advice = std::move(advice);
    return with(last);
  }

  /// The last mesh that was solved, told why the next one was not.
  Solution ended(const CollocationCurve& last) {
    report_.message += fmt::format("; the values are those of the mesh before, of {} intervals",
                                   last.mesh().intervals());
    return with(last);
  }

  Solution with(CollocationCurve curve) {
    report_.intervals = curve.mesh().intervals();
    report_.smallest_step = curve.mesh().smallest_step();
    report_.largest_step = curve.mesh().largest_step();
    return {
        std::make_shared<const NonlinearValues>(problem_.equations, std::move(curve), problem_.form,
                                                static_cast<int>(report_.history.size())),
        report_};
  }
  Solution without_values() {
    Solution none;
    none.report = report_;
    return none;
  }

  const NonlinearProblem& problem_;
  const Options& options_;
  bool refines_, settled_ = false;
  double tolerance_, change_ = 0;
  int max_intervals_;
  MeshSolve on_mesh_;
  int meshes_chosen_ = 0;
  Report report_;
};

}  // namespace

Solution refined_solve(const NonlinearProblem& problem, const Options& options) {
  return Solver(problem, options).run();
}

}  // namespace daewave::bvp
