#include "bvp/mesh/refinement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "bvp/mesh/endings.hpp"
#include "bvp/mesh/error_estimate.hpp"
#include "bvp/mesh/fixed_nodes.hpp"
#include "bvp/mesh/mesh_choice.hpp"
#include "bvp/mesh/mesh_memory.hpp"
#include "bvp/mesh/open_conditions.hpp"
#include "bvp/mesh/suspected_kinks.hpp"
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
constexpr double much_worse = 10;
/// Estimates below which a residual tells something of a solution that a mesh follows.
constexpr double resolved = 0.1;
/// Of the tolerance, in every interval of a mesh that is chosen.
constexpr double aim = 0.35;
constexpr int small_mesh = 32;
/// From one mesh to the next, in intervals. Residuals of solutions that are like nothing that they
/// should be do not tell where a mesh should be fine.
constexpr double like_nothing = 0.02;
double growth_at(double residual) { return residual > like_nothing ? 2 : residual > 1e-4 ? 4 : 8; }
constexpr int most_arrangements = 5;
constexpr double other_spread = 1.6, narrower = 0.5;
/// Meshes refined where their residual was too large, before that is given up.
constexpr int most_looks = 12;
/// Meshes on which conditions do not determine the solution, before that is told.
constexpr int most_undetermined = 3;
/// Of any kind: coarser ones are not in vain, and might go on for ever.
constexpr int most_meshes = 60;
/// On which kinks are looked for.
constexpr int most_kink_meshes = 20;

class Refinement {
 public:
  Refinement(MeshSolver& solver, const RefinementControl& control)
      : solver_(solver),
        control_(control),
        estimate_(control.tolerance, control.sizes, control.controls_carried),
        endings_(solver, control, estimate_),
        fixed_(control.fixed_nodes),
        conditions_(
            [this](const Mesh& mesh, const Solution& from) {
              return solver_.solve(mesh, fixed_, &from, MeshRole::check);
            },
            [this](const Mesh& mesh) {
              return kept_away(with_nodes(mesh, {}, fixed_), scheme_, away_, fixed_);
            },
            control.max_intervals) {}

  Solution run(const Mesh& first) {
    length_ = first.end() - first.begin();
    // A small first mesh may be the last one.
    Solution now =
        solver_.solve(with_fixed(first, fixed_), fixed_, nullptr,
                      first.intervals() <= small_mesh ? MeshRole::check : MeshRole::trial);
    Solution before;
    IntervalErrors local_before;
    int in_vain = 0;
    double best = INFINITY;
    while (true) {
      if (!goes_on(now)) return now;
      if (++meshes_ > most_meshes) {
        return endings_.too_many_meshes(std::move(now), most_meshes);
      }
      const Mesh mesh = now.mesh();
      away_ = solver_.keeps_away(now, closeness_);
      if (arrangements_ < most_arrangements && !is_arranged(mesh, now.scheme())) {
        ++arrangements_;
        before = Solution();
        if (!next(now, kept_away(mesh, now.scheme(), away_, fixed_))) return now;
        continue;
      }
      const Look look = solver_.look_at(now, LookFor::jumps, most_nodes());
      if (!look.seen.jumps.empty() && looks_ < most_looks && look.failure.empty()) {
        ++looks_;
        before = Solution();
        const Mesh with_jumps = with_nodes(mesh, {}, fixed_with(look.seen.jumps));
        if (is_beyond(with_jumps.intervals())) {
          return endings_.limit_reached(std::move(now), estimate_.residuals(look), beyond_);
        }
        if (!next(now, with_jumps)) return now;
        continue;
      }
      IntervalErrors local = estimate_.residuals(look);
      const bool safe = solver_.danger(mesh).empty();
      if (settled_since(before, now)) {
        before = Solution();
        estimate_ = {control_.tolerance, control_.sizes, control_.controls_carried};
      }
      if (before.has_values()) {
        if (!estimate_.compare(before, local_before, now, local, !away_.empty()))
          return endings_.not_finite(std::move(now));
      } else if (safe && mesh.intervals() > 1 &&
                 largest(estimate_.weighed(local)) <= control_.tolerance) {
        // What is good already a coarser mesh tells from what only looks so.
        const Mesh half = of_size(mesh, mesh.intervals() / 2, now.scheme());
        if (!is_other(half, mesh)) {
          before = now;
          local_before = local;
          if (!next(now, mesh.halved())) return now;
          continue;
        }
        const Solution coarser = solver_.solve(half, fixed_, &now, MeshRole::trial);
        if (coarser.report.termination == Termination::stopped) {
          return endings_.ended(std::move(now), coarser.report);
        }
        if (coarser.has_values() && !settled_since(coarser, now)) {
          const Look of_coarser = solver_.look_at(coarser, LookFor::jumps, most_nodes());
          if (!estimate_.compare(coarser, estimate_.residuals(of_coarser), now, local,
                                 !away_.empty())) {
            return endings_.not_finite(std::move(now));
          }
        }
      }
      double error = estimate_.controlled(now.report.error);
      if (estimate_.told() && now.report.error.available && error <= control_.tolerance && safe) {
        if (now.report.termination != Termination::converged) return now;
        // No node cures a constraint that iterates have not met.
        if (solver_.misses_constraint(now, control_.tolerance)) return now;
        const Look all = solver_.look_at(now, LookFor::everything, most_nodes());
        if (all.failure.empty() && !all.seen.any()) {
          // More was looked at than the estimate was made of.
          local = estimate_.residuals(all);
          estimate_.raise(now.report.error, local);
          if (all.is_stiff) {
            estimate_.raise(now.report.error, local, solver_.error_by_more_stages(now));
          }
          error = estimate_.controlled(now.report.error);
          if (error <= control_.tolerance) {
            Solution fine;
            scheme_ = now.scheme();
            const OpenConditions::Found found = conditions_.follow(now, all.turns, fine);
            if (found == OpenConditions::Found::stopped)
              return endings_.ended(std::move(now), fine.report);
            if (found == OpenConditions::Found::leave_open) {
              return OpenConditions::not_determined(std::move(fine.has_values() ? fine : now));
            }
            if (found == OpenConditions::Found::otherwise) {
              before = Solution();
              best = INFINITY;
              estimate_.forget_mesh();
              now = std::move(fine);
              continue;
            }
            const auto another = [&] {
              const Mesh coarser =
                  of_size(mesh, std::max(2, 3 * mesh.intervals() / 4), now.scheme());
              return is_other(coarser, mesh) ? coarser : mesh.halved();
            };
            if (conditions_.determine(now, before, another))
              return endings_.accepted(std::move(now));
            if (++undetermined_ >= most_undetermined) {
              return OpenConditions::not_determined(std::move(now));
            }
            before = now;
            local_before = local;
            if (!next(now, mesh.halved())) return now;
            continue;
          }
        } else {
          if (!all.failure.empty() || all.seen.nodes.empty() || looks_ == most_looks) {
            return endings_.not_seen(std::move(now), all);
          }
          ++looks_;
          before = Solution();
          best = INFINITY;
          const Mesh looked =
              kept_away(with_nodes(mesh, all.seen.nodes, fixed_with(all.seen.jumps)), now.scheme(),
                        away_, fixed_);
          if (is_beyond(looked.intervals())) return endings_.not_seen(std::move(now), all);
          if (!next(now, looked)) return now;
          continue;
        }
      }
      // No mesh helps against rounding; one too coarse may only seem to be so badly conditioned.
      if (rounding_of(now) > control_.tolerance && rounding_of(before) > control_.tolerance &&
          (estimate_.fell() || largest(local) <= aim * control_.tolerance)) {
        if (mesh.intervals() <= small_mesh) {
          before = now;
          local_before = local;
          if (!next(now, mesh.halved())) return now;
          continue;
        }
        return endings_.rounding_amplified(std::move(now));
      }
      if (before.has_values()) {
        // A coarser mesh is no finer one in vain.
        const bool finer = mesh.intervals() >= before.mesh().intervals();
        in_vain = error < 0.7 * best ? 0 : in_vain + (finer ? 1 : 0);
        // One that was chosen by rounding is like no other: what is next to none in every interval
        // tells nothing of where a mesh should be fine.
        const bool at_rounding = best < near_rounding && !estimate_.fell();
        if (at_rounding && in_vain > 0 && error > much_worse * best && !halves_best_) {
          halves_best_ = true;
          before = best_;
          local_before = local_of_best_;
          if (is_beyond(2 * best_.mesh().intervals())) {
            return endings_.limit_reached(best_, local_of_best_, beyond_);
          }
          if (!next(now, best_.mesh().halved())) return now;
          continue;
        }
        if (error < best) {
          best = error;
          best_ = now;
          local_of_best_ = local;
        }
        // No mesh settles what iterates have not.
        if (in_vain > 1 && now.report.termination == Termination::iterates_exhausted) return now;
        // Residuals that fall without the error: iterates that have not met the constraint, by more
        // than a coarse mesh does.
        if (in_vain > 0 && estimate_.fell() &&
            solver_.misses_constraint(now, std::max(control_.tolerance, largest(local))))
          return now;
        const bool told_by_residual =
            estimate_.fell() && largest(local) < like_nothing && error < resolved;
        const int most = at_rounding                                  ? most_in_rounding
                         : told_by_residual || error < small_estimate ? most_in_vain
                                                                      : most_before_layers;
        if (safe && in_vain >= most) {
          if (at_rounding) return endings_.in_vain(best_, local_of_best_, true);
          return endings_.in_vain(std::move(now), local, false);
        }
      }
      // So much better, at the least, that the difference tells something.
      const double goal =
          std::min(aim * control_.tolerance,
                   0.5 * largest(estimate_.weighed(local)) / DifferenceEstimate::clear_fall);
      // Nor does a much finer mesh settle iterates where residuals are small.
      const bool enough = now.report.termination == Termination::iterates_exhausted &&
                          largest(local) <= aim * control_.tolerance;
      const double growth =
          enough || (in_vain > 0 && error < near_rounding) ? 2 : growth_at(largest(local));
      const Mesh chosen = goal > 0 && safe
                              ? choose(mesh, without_kinks(now, estimate_.weighed(local)),
                                       now.scheme(), goal, growth)
                              : mesh.halved();
      if (is_beyond(chosen.intervals()))
        return endings_.limit_reached(std::move(now), local, beyond_);
      before = now;
      local_before = local;
      if (!next(now, chosen)) return now;
    }
  }

  const std::vector<double>& fixed_nodes() const { return fixed_; }

 private:
  static bool goes_on(const Solution& solution) {
    return solution.has_values() && solution.report.termination != Termination::stopped;
  }

  /// Iterates that had not settled were off by more than their mesh tells.
  static bool settled_since(const Solution& before, const Solution& now) {
    return before.report.termination == Termination::iterates_exhausted &&
           now.report.termination == Termination::converged;
  }

  /// Solves on another mesh. False: `solution` is what remains.
  bool next(Solution& solution, const Mesh& mesh) {
    estimate_.forget_mesh();
    Solution found = solver_.solve(mesh, fixed_, &solution, MeshRole::check);
    if (!found.has_values()) {
      solution = endings_.ended(std::move(solution), found.report);
      return false;
    }
    solution = std::move(found);
    return goes_on(solution);
  }

  /// More than are allowed, or than memory holds: beyond_ says which.
  bool is_beyond(int intervals) {
    beyond_ = beyond_memory(intervals, control_.bytes_per_interval);
    return intervals > control_.max_intervals || !beyond_.empty();
  }

  int most_nodes() const { return std::max(1, control_.max_intervals / 4); }

  const std::vector<double>& fixed_with(const std::vector<double>& jumps) {
    fixed_ = joined_with_jumps(std::move(fixed_), jumps, length_);
    return fixed_;
  }

  /// One like it of about as many intervals; fixed nodes may ask for more.
  Mesh of_size(const Mesh& mesh, int intervals, const Collocation& scheme) const {
    return kept_away(resized_with(mesh, intervals, fixed_), scheme, away_, fixed_);
  }

  /// The errors without those of kinks, which become nodes: what is beside them is smooth.
  IntervalErrors without_kinks(const Solution& now, IntervalErrors errors) {
    if (meshes_ > most_kink_meshes) return errors;
    const std::vector<int> suspects = suspected_kinks(errors, control_.tolerance);
    if (suspects.empty()) return errors;
    const std::vector<double> found = solver_.kinks_of(now, suspects);
    smooth_over(now.mesh(), found, errors);
    fixed_with(found);
    return errors;
  }

  Mesh choose(const Mesh& mesh, const IntervalErrors& errors, const Collocation& scheme,
              double goal, double growth) {
    MeshBounds bounds;
    bounds.most_growth = growth;
    bounds.largest_step = control_.largest_step;
    Mesh chosen = equidistributed(mesh, errors, scheme.stages, goal, bounds);
    // Not the same intervals on every mesh: differences are to tell of them too.
    spread_ = spread_ == 1 ? other_spread : 1;
    const double part = come_closer(mesh, errors, chosen);
    std::vector<KeptAway> away = away_;
    for (KeptAway& from : away) from.least_step *= part * spread_;
    chosen = with_nodes(chosen, {}, fixed_);
    // Beside an end an interval may come out the same whatever its least step.
    const Mesh arranged = kept_away(chosen, scheme, away, fixed_);
    for (KeptAway& from : away) {
      const double ratio = arranged.step(arranged.locate(from.t)) / mesh.step(mesh.locate(from.t));
      if (ratio < other_spread && ratio * other_spread > 1) from.least_step *= narrower;
    }
    chosen = kept_away(chosen, scheme, away, fixed_);
    return is_other(chosen, mesh) ? chosen : mesh.halved();
  }

  /// Whether intervals around times that are kept away from are no narrower than choose() makes
  /// them.
  bool is_arranged(const Mesh& mesh, const Collocation& scheme) const {
    std::vector<KeptAway> away = away_;
    for (KeptAway& from : away) from.least_step *= 0.9 * narrower;
    return kept_away(mesh, scheme, away, fixed_).nodes() == mesh.nodes();
  }

  /// Half as wide, where differences tell that intervals around those times are too long.
  double come_closer(const Mesh& mesh, const IntervalErrors& errors, const Mesh& chosen) {
    constexpr double half = 0.5, least = 1.0 / 64;
    const bool too_long = std::any_of(away_.begin(), away_.end(), [&](const KeptAway& from) {
      return errors.x[mesh.locate(from.t)] > control_.tolerance &&
             chosen.step(chosen.locate(from.t)) < half * from.least_step;
    });
    if (!too_long || closeness_ <= least) return 1;
    closeness_ *= half;
    return half;
  }

  MeshSolver& solver_;
  const RefinementControl& control_;
  DifferenceEstimate estimate_;
  Endings endings_;
  std::vector<double> fixed_;  ///< Nodes of every mesh.
  double length_ = 0;          ///< Of the interval.
  std::vector<KeptAway> away_;
  Collocation scheme_{};
  OpenConditions conditions_;
  double spread_ = 1;     ///< Of the intervals around them.
  double closeness_ = 1;  ///< Of the widths that the solver tells.
  int arrangements_ = 0;  ///< Of meshes around those times.
  int looks_ = 0, meshes_ = 0, undetermined_ = 0;
  Solution best_;  ///< The one with the least estimate.
  IntervalErrors local_of_best_;
  bool halves_best_ = false;
  std::string beyond_;  ///< Why the next mesh does not fit into memory; empty: it does.
};

}  // namespace

Solution refine(MeshSolver& solver, const Mesh& first, const RefinementControl& control) {
  Refinement refinement(solver, control);
  Solution solution = refinement.run(first);
  if (solution.has_values()) {
    solution.fixed_nodes = nodes_among(refinement.fixed_nodes(), solution.mesh());
  }
  return solution;
}

}  // namespace daewave::bvp
