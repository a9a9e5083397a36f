#include "bvp/mesh/refinement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "bvp/curve/component_sizes.hpp"
#include "bvp/mesh/mesh_choice.hpp"
#include "core/not_finite.hpp"

namespace daewave::bvp {

MeshSolver::~MeshSolver() = default;

namespace {

/// Meshes that do not bring the estimate down: where it is small, and where there may be layers
/// that none of them has resolved.
constexpr int most_in_vain = 5, most_before_layers = 14;
/// Meshes after which an estimate as small as this, that no longer falls, is rounding.
constexpr int most_in_rounding = 1;
constexpr double near_rounding = 1e-9;
constexpr double small_estimate = 1e-3;
/// By how much residuals have to fall for the difference to be the error of the former solution.
constexpr double clear_fall = 3;
/// Of the tolerance, in every interval of a mesh that is chosen.
constexpr double aim = 0.35;
/// What the difference tells is taken so much larger.
constexpr double safety = 1.5;
constexpr double resolved_hardly = 1e-3;
/// By how much errors are believed to have fallen with the residuals where no residual tells.
constexpr double most_believed = 4;
constexpr int small_mesh = 32;
/// From one mesh to the next, in intervals. Residuals of solutions that are like nothing that they
/// should be do not tell where a mesh should be fine.
constexpr double like_nothing = 0.02;
double growth_at(double residual) { return residual > like_nothing ? 2 : residual > 1e-4 ? 4 : 8; }
/// What is guessed before anything is told: the errors of stages, which are not seen between them.
constexpr double first_guess = 10;
constexpr int most_arrangements = 5;
constexpr double other_spread = 1.6;
/// Meshes refined where their residual was too large, before that is given up.
constexpr int most_looks = 12;

class Refinement {
 public:
  Refinement(MeshSolver& solver, const RefinementControl& control)
      : solver_(solver), control_(control), jumps_(control.fixed_nodes) {}

  Solution run(const Mesh& first) {
    // A small first mesh may be the last one.
    Solution now = solver_.solve(
        first, nullptr, first.intervals() <= small_mesh ? MeshRole::check : MeshRole::trial);
    Solution before;
    IntervalErrors local_before;
    int in_vain = 0;
    double best = INFINITY;
    while (true) {
      if (!goes_on(now)) return now;
      const Mesh mesh = now.mesh();
      away_ = solver_.keeps_away(now);
      const Mesh arranged = kept_away(mesh, now.scheme(), away_);
      if (arranged.nodes() != mesh.nodes() && arrangements_ < most_arrangements) {
        ++arrangements_;
        before = Solution();
        if (!next(now, arranged)) return now;
        continue;
      }
      const Look look = solver_.look_at(now, LookFor::jumps, most_nodes());
      if (!look.seen.jumps.empty() && looks_ < most_looks && look.failure.empty()) {
        ++looks_;
        before = Solution();
        const Mesh with_jumps = with_nodes(mesh, {}, jumps_with(look.seen.jumps));
        if (with_jumps.intervals() > control_.max_intervals) return limit_reached(std::move(now));
        if (!next(now, with_jumps)) return now;
        continue;
      }
      IntervalErrors local = errors_of(look, now);
      if (getenv("DW_TRACE"))
        fprintf(stderr, "mesh N=%d hmin %g res x %.2e carried %.2e nodes %zu\n", mesh.intervals(),
                mesh.smallest_step(), largest_size(local.x), largest_size(local.carried),
                look.seen.nodes.size());  // TRACE
      const bool safe = solver_.danger(mesh).empty();
      if (before.has_values()) {
        if (!compare(before, local_before, now, local)) return not_finite(std::move(now));
      } else if (safe && mesh.intervals() > 1 && estimate_of(local) <= control_.tolerance) {
        // What is good already a coarser mesh tells from what only looks so.
        const Mesh half = kept_away(resized(mesh, mesh.intervals() / 2), now.scheme(), away_);
        const Solution coarser = solver_.solve(half, &now, MeshRole::trial);
        if (coarser.report.termination == Termination::stopped) {
          return ended(std::move(now), coarser.report);
        }
        if (coarser.has_values()) {
          const Look of_coarser = solver_.look_at(coarser, LookFor::jumps, most_nodes());
          if (!compare(coarser, errors_of(of_coarser, coarser), now, local)) {
            return not_finite(std::move(now));
          }
        }
      }
      double error = controlled(now.report.error);
      if (told_ && now.report.error.available && error <= control_.tolerance && safe) {
        if (now.report.termination != Termination::converged) return now;
        // No node cures a constraint that iterates have not met.
        if (solver_.misses_constraint(now, control_.tolerance)) return now;
        const Look all = solver_.look_at(now, LookFor::everything, most_nodes());
        if (all.failure.empty() && !all.seen.any()) {
          // More was looked at than the estimate was made of.
          local = errors_of(all, now);
          raise(now.report.error, local);
          error = controlled(now.report.error);
          if (error <= control_.tolerance) return accepted(std::move(now));
        } else {
          if (!all.failure.empty() || all.seen.nodes.empty() || looks_ == most_looks) {
            return not_seen(std::move(now), all);
          }
          ++looks_;
          before = Solution();
          best = INFINITY;
          const Mesh looked = kept_away(
              with_nodes(mesh, all.seen.nodes, jumps_with(all.seen.jumps)), now.scheme(), away_);
          if (looked.intervals() > control_.max_intervals) return not_seen(std::move(now), all);
          if (!next(now, looked)) return now;
          continue;
        }
      }
      // No mesh helps against rounding; one too coarse may only seem to be so badly conditioned.
      if (rounding_of(now) > control_.tolerance && rounding_of(before) > control_.tolerance &&
          fell_) {
        return not_met(
            std::move(now), fmt::format("rounding alone is amplified to {:.1e}", rounding_of(now)),
            "boundary conditions that determine the solution better: those at hand hardly "
            "tell it from others; or a looser tolerance");
      }
      if (before.has_values()) {
        // A coarser mesh is no finer one in vain.
        const bool finer = mesh.intervals() >= before.mesh().intervals();
        in_vain = error < 0.7 * best ? 0 : in_vain + (finer ? 1 : 0);
        best = std::min(best, error);
        // No mesh settles what iterates have not.
        if (in_vain > 1 && now.report.termination == Termination::iterates_exhausted) return now;
        // Residuals that fall without the error: iterates that have not met the constraint.
        if (in_vain > 0 && fell_ && solver_.misses_constraint(now, control_.tolerance)) return now;
        const bool told_by_residual = fell_ && largest(local) < like_nothing && error < 1;
        const int most = error < near_rounding && !fell_              ? most_in_rounding
                         : told_by_residual || error < small_estimate ? most_in_vain
                                                                      : most_before_layers;
        if (safe && in_vain >= most) {
          return not_met(
              std::move(now), "finer meshes no longer reduce it",
              error < small_estimate
                  ? "loosen the tolerance: rounding, or the conditioning of the problem, "
                    "limits the accuracy"
                  : "give a mesh that is fine where the solution is steep");
        }
      }
      // So much better, at the least, that the difference tells something.
      const double goal =
          std::min(aim * control_.tolerance, 0.5 * largest(weighed(local)) / clear_fall);
      const double growth = in_vain > 0 && error < near_rounding ? 2 : growth_at(largest(local));
      const Mesh chosen = goal > 0 && safe
                              ? choose(mesh, weighed(local), now.scheme(), goal, growth)
                              : mesh.halved();
      if (chosen.intervals() > control_.max_intervals) return limit_reached(std::move(now));
      before = now;
      local_before = local;
      if (!next(now, chosen)) return now;
    }
  }

 private:
  static bool goes_on(const Solution& solution) {
    return solution.has_values() && solution.report.termination != Termination::stopped;
  }

  /// Solves on another mesh. False: `solution` is what remains.
  bool next(Solution& solution, const Mesh& mesh) {
    hidden_ = {};
    Solution found = solver_.solve(mesh, &solution, MeshRole::check);
    if (!found.has_values()) {
      solution = ended(std::move(solution), found.report);
      return false;
    }
    solution = std::move(found);
    return goes_on(solution);
  }

  int most_nodes() const { return std::max(1, control_.max_intervals / 4); }

  const std::vector<double>& jumps_with(const std::vector<double>& more) {
    jumps_.insert(jumps_.end(), more.begin(), more.end());
    std::sort(jumps_.begin(), jumps_.end());
    return jumps_;
  }

  Mesh choose(const Mesh& mesh, const IntervalErrors& errors, const Collocation& scheme,
              double goal, double growth) {
    MeshBounds bounds;
    bounds.most_growth = growth;
    bounds.largest_step = control_.largest_step;
    const Mesh chosen = equidistributed(mesh, errors, scheme.stages, goal, bounds);
    // Not the same intervals on every mesh: differences are to tell of them too.
    spread_ = spread_ == 1 ? other_spread : 1;
    std::vector<KeptAway> away = away_;
    for (KeptAway& from : away) from.least_step *= spread_;
    return kept_away(jumps_.empty() ? chosen : with_nodes(chosen, {}, jumps_), scheme, away);
  }

  double controlled(const ErrorEstimate& error) const {
    return control_.controls_carried ? larger(error.x, error.By) : error.x;
  }

  /// Rounding in stiff intervals may be at nodes alone.
  IntervalErrors errors_of(const Look& look, const Solution& of) const {
    const CollocationCurve& curve = of.values().curve();
    IntervalErrors errors{look.tolerance * limit_of_integral * look.seen.integral,
                          look.tolerance * limit_of_value * look.seen.value};
    if (!control_.controls_carried) errors.carried.setZero();
    if (curve.has_ends()) {
      errors.x = errors.x.cwiseMax(curve.gaps_at_nodes(component_sizes(curve.values().x)));
    }
    return errors;
  }

  static double largest(const IntervalErrors& errors) {
    return std::max(largest_size(errors.x), largest_size(errors.carried));
  }

  /// Learns what residuals become as errors, and says in the report what `now` has. False where the
  /// difference is not finite.
  bool compare(const Solution& before, const IntervalErrors& local_before, Solution& now,
               const IntervalErrors& local) {
    const CurveDifference gap = difference(before.values().curve(), now.values().curve());
    if (!std::isfinite(gap.x) || !std::isfinite(gap.carried)) return false;
    // The difference has the error of the better solution in it too.
    const double fall = largest(local) > 0 ? largest(local_before) / largest(local) : INFINITY;
    const double gap_of_all = control_.controls_carried ? larger(gap.x, gap.carried) : gap.x;
    const bool clear = fall > clear_fall || gap_of_all < 0.1 * control_.tolerance;
    fell_ = fall > clear_fall;
    const double more = clear ? safety * (fall > clear_fall ? 1 / (1 - 1 / fall) : 1) : 1;
    const auto factor = [&](double told, double ratio) {
      // One that is not clear tells how large a factor is at the least.
      return std::max({1.0, more * ratio, clear ? 0 : told});
    };
    const Told x{gap.x, largest_size(local_before.x)};
    x_factor_ = factor(told_ ? x_factor_ : 1, unearned(x, x_told_, fall) * ratio(x));
    // Where ends are known too, residuals fall with one power of the step more than errors of
    // stages.
    const double power = 1.0 / (now.scheme().stages + 1);
    const double lag =
        now.values().curve().has_ends() && fell_ ? std::pow(std::min(fall, 1e12), power) : 1;
    const Told carried{gap.carried, largest_size(local_before.carried)};
    carried_factor_ = factor(told_ ? carried_factor_ : 1,
                             unearned(carried, carried_told_, fall) * lag *
                                 largest_ratio(gap.of_interval.carried, local_before.carried));
    if (getenv("DW_TRACE"))
      fprintf(stderr,
              "   compare N=%d with %d: gap x %.2e carried %.2e; res before %.2e %.2e; fall %.3g "
              "factors %.3g %.3g\n",
              now.mesh().intervals(), before.mesh().intervals(), gap.x, gap.carried,
              largest_size(local_before.x), largest_size(local_before.carried), fall, x_factor_,
              carried_factor_);  // TRACE
    x_told_ = x;
    carried_told_ = carried;
    // Residuals at rounding level tell nothing; differences do.
    const bool rounding = !(largest(local_before) > 0);
    told_ = told_ || clear || rounding;
    ErrorEstimate& error = now.report.error;
    error.available = true;
    error.tolerance = control_.tolerance;
    error.x = error.By = 0;
    raise(error, local);
    // Where no residual tells the differences do, less by as much as x fell.
    const double part = 1 / std::clamp(0.5 * fall, 1.0, most_believed);
    const auto hidden = [&](const VecX& gaps) -> VecX {
      return part * on_intervals(gaps, before.mesh(), now.mesh());
    };
    hidden_ = {};
    // Beside times that stages keep away from nothing is looked at, and iterates come to a level.
    if (!away_.empty()) {
      error.x = larger(error.x, part * gap.x);
      hidden_.x = hidden(gap.of_interval.x);
    }
    error.x = larger(error.x, error.iterates);
    // A solution that was not resolved at all tells little of the next one.
    if (largest(local_before) > resolved_hardly) {
      const double doubtful = 1 / std::sqrt(std::max(fall, 1.0));
      error.x = larger(error.x, doubtful * gap.x);
      if (control_.controls_carried) error.By = larger(error.By, doubtful * gap.carried);
    }
    if (control_.controls_carried && !(largest_size(local_before.carried) > 0)) {
      error.By = part * gap.carried;
      hidden_.carried = hidden(gap.of_interval.carried);
    }
    if (rounding) {
      error.x = larger(error.x, gap.x);
      error.By = larger(error.By, gap.carried);
    }
    error.x = larger(error.x, rounding_of(now));
    error.how = fmt::format(
        "residual between the stages, times {:.3g} for x and {:.3g} for what is carried: so much "
        "larger was the difference to another mesh than the residual there",
        x_factor_, carried_factor_);
    return true;
  }

  /// What rounding alone may become.
  static double rounding_of(const Solution& solution) {
    const ConditioningReport& conditioning = solution.report.conditioning;
    return conditioning.available ? conditioning.rounding : 0;
  }

  void raise(ErrorEstimate& error, const IntervalErrors& local) const {
    error.x = larger(error.x, x_factor_ * largest_size(local.x));
    error.By = larger(error.By, carried_factor_ * largest_size(local.carried));
  }

  /// The difference of two solutions, and the residual of the former.
  struct Told {
    double gap = 0, residual = 0;
  };

  /// The part of the fall of residuals that errors may not have shared: where differences did not
  /// fall with the residuals before, as where a problem amplifies rounding, they will not now.
  static double unearned(const Told& now, const Told& before, double fall) {
    if (!(before.residual > 0) || !(now.residual > 0) || !(fall > 1)) return 1;
    const double expected = std::log(before.residual / now.residual);
    if (std::abs(expected) < std::log(2.0)) return 1;
    const double part = std::log(before.gap / now.gap) / expected;
    constexpr double usual = 0.6;
    return part > usual ? 1 : std::pow(std::min(fall, 1e12), 1 - std::max(part, 0.0));
  }

  static double ratio(double gap, double residual) { return residual > 0 ? gap / residual : 0; }
  static double ratio(const Told& told) { return ratio(told.gap, told.residual); }

  /// The largest of those that an interval of the other mesh meets.
  static VecX on_intervals(const VecX& values, const Mesh& of, const Mesh& mesh) {
    VecX largest = VecX::Zero(mesh.intervals());
    int there = 0;
    for (int i = 0; i < mesh.intervals(); ++i) {
      while (of.node(there + 1) <= mesh.node(i)) ++there;
      largest[i] = values[there];
      for (int j = there + 1; j < of.intervals() && of.node(j) < mesh.node(i + 1); ++j) {
        largest[i] = std::max(largest[i], values[j]);
      }
    }
    return largest;
  }

  /// Among the intervals that matter: their factors differ.
  static double largest_ratio(const VecX& gaps, const VecX& residuals) {
    const double most = largest_size(residuals);
    double largest = ratio(largest_size(gaps), most);
    for (Eigen::Index i = 0; i < gaps.size(); ++i) {
      if (residuals[i] > 0.3 * most) largest = std::max(largest, gaps[i] / residuals[i]);
    }
    return largest;
  }

  double estimate_of(const IntervalErrors& local) const { return largest(weighed(local)); }

  IntervalErrors weighed(const IntervalErrors& local) const {
    IntervalErrors errors{x_factor_ * local.x, carried_factor_ * local.carried};
    if (hidden_.x.size() > 0) errors.x = errors.x.cwiseMax(hidden_.x);
    if (hidden_.carried.size() > 0) errors.carried = hidden_.carried;
    return errors;
  }

  Solution not_finite(Solution now) const {
    return not_met(std::move(now), "the difference to another mesh is not finite",
                   "look at the problem where its solution or its multipliers grow without bound");
  }

  Solution accepted(Solution fine) const {
    fine.report.message =
        fmt::format("error estimate {:.1e} within tolerance {:.1e} on {} intervals, {}",
                    controlled(fine.report.error), control_.tolerance, fine.mesh().intervals(),
                    solver_.spent(fine));
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

  Solution limit_reached(Solution last) const {
    return not_met(std::move(last),
                   fmt::format("the limit of {} intervals is reached", control_.max_intervals),
                   "raise max_intervals, loosen the tolerance, or give a mesh that is fine where "
                   "the solution is steep");
  }

  Solution not_met(Solution last, const std::string& why, std::string advice) const {
    const ErrorEstimate& error = last.report.error;
    // Iterates that have not settled are told before meshes.
    if (last.report.termination == Termination::iterates_exhausted) advice = last.report.advice;
    last.report.termination = Termination::tolerance_not_met;
    last.report.message =
        error.available
            ? fmt::format("error estimate {:.1e} exceeds tolerance {:.1e} on {} intervals: {}",
                          controlled(error), control_.tolerance, last.mesh().intervals(), why)
            : fmt::format("no error estimate for tolerance {:.1e} on {} intervals: {}",
                          control_.tolerance, last.mesh().intervals(), why);
    last.report.advice = std::move(advice);
    if (const std::string danger = solver_.danger(last.mesh()); !danger.empty()) {
      last.report.message = fmt::format("the error estimate on {} intervals cannot be believed: {}",
                                        last.mesh().intervals(), danger);
      last.report.advice = control_.danger_advice;
    }
    return last;
  }

  MeshSolver& solver_;
  const RefinementControl& control_;
  std::vector<double> jumps_;
  std::vector<KeptAway> away_;
  double spread_ = 1;                                   ///< Of the intervals around them.
  int arrangements_ = 0;                                ///< Of meshes around those times.
  double x_factor_ = 1, carried_factor_ = first_guess;  ///< Of errors over residuals.
  IntervalErrors hidden_;       ///< Of the last mesh, what residuals do not tell; else empty.
  Told x_told_, carried_told_;  ///< By the last difference.
  bool told_ = false;           ///< By a difference, not guessed.
  bool fell_ = false;           ///< Residuals, with the last mesh.
  int looks_ = 0;
};

}  // namespace

Solution refine(MeshSolver& solver, const Mesh& first, const RefinementControl& control) {
  return Refinement(solver, control).run(first);
}

}  // namespace daewave::bvp
