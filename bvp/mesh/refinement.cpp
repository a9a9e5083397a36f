#include "bvp/mesh/refinement.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "bvp/mesh/best_mesh.hpp"
#include "bvp/mesh/endings.hpp"
#include "bvp/mesh/error_estimate.hpp"
#include "bvp/mesh/fixed_nodes.hpp"
#include "bvp/mesh/next_mesh.hpp"
#include "bvp/mesh/open_conditions.hpp"
#include "bvp/mesh/residual_meshes.hpp"
#include "bvp/mesh/rounding_evidence.hpp"
#include "bvp/options/paced_progress.hpp"
#include "core/not_finite.hpp"

namespace daewave::bvp {

MeshSolver::~MeshSolver() = default;

namespace {

constexpr double small_estimate = 1e-3;
/// Estimates below which a residual tells something of a solution that a mesh follows.
constexpr double resolved = 0.1;
constexpr int most_arrangements = 5;
/// Meshes refined where their residual was too large, before that is given up.
constexpr int most_looks = 12;
/// Meshes on which conditions do not determine the solution, before that is told.
constexpr int most_undetermined = 3;
/// Of any kind: coarser ones are not in vain, and might go on for ever.
constexpr int most_meshes = 60;

class Refinement {
 public:
  Refinement(MeshSolver& solver, const RefinementControl& control, const Mesh& first)
      : solver_(solver),
        control_(control),
        estimate_(control.tolerance, control.sizes, control.controls_carried),
        endings_(solver, control, estimate_),
        next_(solver, control, first),
        conditions_(
            [this](const Mesh& mesh, const Solution& from) {
              return solver_.solve(mesh, next_.fixed(), &from, MeshRole::check);
            },
            [this](const Mesh& mesh) {
              return next_.arranged(with_nodes(mesh, {}, next_.fixed()), now_.scheme());
            },
            control.max_intervals),
        residual_meshes_(solver, next_),
        evidence_(control.tolerance) {}

  /// Each mesh goes through the same steps, until one of them asks for another mesh.
  Solution run(const Mesh& first) {
    using Part = Step (Refinement::*)();
    constexpr Part parts[] = {&Refinement::arrange,          &Refinement::look,
                              &Refinement::estimate,         &Refinement::accept,
                              &Refinement::stop_at_rounding, &Refinement::stop_in_vain,
                              &Refinement::choose_next};
    // A small first mesh may be the last one.
    now_ = solver_.solve(
        with_fixed(first, next_.fixed()), next_.fixed(), nullptr,
        first.intervals() <= RoundingEvidence::small_mesh ? MeshRole::check : MeshRole::trial);
    while (goes_on(now_)) {
      if (++meshes_ > most_meshes) return endings_.too_many_meshes(std::move(now_), most_meshes);
      Step step = Step::none;
      try {
        for (const Part part : parts) {
          step = (this->*part)();
          if (step != Step::none) break;
        }
      } catch (const StoppedByCaller& stopped) {
        return Endings::stopped(std::move(now_), stopped.phase);
      }
      if (step == Step::over) break;
    }
    return std::move(now_);
  }

  const std::vector<double>& fixed_nodes() const { return next_.fixed(); }

 private:
  enum class Step {
    none,   ///< Nothing was to be done.
    again,  ///< Another mesh was solved on.
    over,   ///< now_ is the result.
  };

  static bool goes_on(const Solution& solution) {
    return solution.has_values() && solution.report.termination != Termination::stopped;
  }

  Step over(Solution last) {
    now_ = std::move(last);
    return Step::over;
  }

  /// Solves on another mesh. Where that gives nothing, now_ is what remains.
  Step again(const Mesh& mesh) {
    estimate_.forget_mesh();
    by_more_stages_.reset();
    Solution found = solver_.solve(mesh, next_.fixed(), &now_, MeshRole::check);
    if (!found.has_values() && found.report.termination == Termination::not_converged &&
        mesh.intervals() < now_.mesh_of_all().intervals()) {
      // Newton's method may need more intervals than the solution does.
      const Mesh halved = now_.mesh_of_all().halved();
      if (!next_.is_beyond(halved.intervals())) {
        found = solver_.solve(halved, next_.fixed(), &now_, MeshRole::check);
      }
    }
    if (!found.has_values()) {
      return over(OpenConditions::differ(now_.report, found.report)
                      ? OpenConditions::not_determined(std::move(now_))
                      : Endings::ended(std::move(now_), found.report));
    }
    now_ = std::move(found);
    return goes_on(now_) ? Step::again : Step::over;
  }
  /// With which the solution at hand is to be compared.
  Step again_from_here(const Mesh& mesh) {
    before_ = now_;
    local_before_ = local_;
    return again(mesh);
  }
  /// The same, with half of the steps.
  Step halve() {
    const Mesh halved = now_.mesh_of_all().halved();
    if (next_.is_beyond(halved.intervals())) {
      return over(endings_.limit_reached(std::move(now_), local_, next_.beyond_memory()));
    }
    return again_from_here(halved);
  }
  /// With which nothing is compared.
  Step again_anew(const Mesh& mesh) {
    before_ = Solution();
    return again(mesh);
  }

  /// As far as what is carried has a tolerance.
  double rounding_of_carried(double& at) const {
    return control_.controls_carried ? solver_.rounding_of_carried(now_, at) : 0;
  }

  /// Of now_, found once.
  const ByMoreStages& by_more_stages() {
    if (!by_more_stages_) by_more_stages_ = solver_.by_more_stages(now_);
    return *by_more_stages_;
  }

  int most_nodes() const { return std::max(1, control_.max_intervals / 4); }

  /// Nodes and stages away from times that the solution tells.
  Step arrange() {
    next_.look_at(now_);
    if (arrangements_ == most_arrangements ||
        next_.is_arranged(now_.mesh_of_all(), now_.scheme())) {
      return Step::none;
    }
    ++arrangements_;
    const Mesh arranged = next_.arranged(now_.mesh_of_all(), now_.scheme());
    // What is twice as fine as the best one is still to be compared with that.
    return is_half_of_best_ ? again(arranged) : again_anew(arranged);
  }

  /// Between the stages: jumps become nodes. Everything is looked at where the estimate is good.
  Step look() {
    const Look look = solver_.look_at(now_, LookFor::jumps, most_nodes());
    if (!look.seen.jumps.empty() && looks_ < most_looks && look.failure.empty()) {
      ++looks_;
      const Mesh with_jumps = with_nodes(now_.mesh_of_all(), {}, next_.fixed_with(look.seen.jumps));
      if (next_.is_beyond(with_jumps.intervals())) {
        return over(endings_.limit_reached(std::move(now_), estimate_.residuals(look),
                                           next_.beyond_memory()));
      }
      return again_anew(with_jumps);
    }
    local_ = estimate_.residuals(look);
    safe_ = solver_.danger(now_.mesh_of_all()).empty();
    return Step::none;
  }

  /// From the difference to the solution before; to that on a coarser mesh, where the first is good
  /// already.
  Step estimate() {
    if (DifferenceEstimate::settled_since(before_, now_)) {
      before_ = Solution();
      estimate_.forget();
    }
    const Mesh& mesh = now_.mesh_of_all();
    if (before_.has_values()) {
      if (!estimate_.compare(before_, local_before_, now_, local_, next_.keeps_away()))
        return over(endings_.not_finite(std::move(now_)));
    } else if (safe_ && mesh.intervals() > 1 &&
               largest(estimate_.weighed(local_)) <= control_.tolerance) {
      // What is good already a coarser mesh tells from what only looks so.
      const Mesh half = next_.of_size(mesh, mesh.intervals() / 2, now_.scheme());
      if (!is_other(half, mesh)) return halve();
      const Solution coarser = solver_.solve(half, next_.fixed(), &now_, MeshRole::trial);
      if (coarser.report.termination == Termination::stopped) {
        return over(endings_.ended(std::move(now_), coarser.report));
      }
      if (coarser.has_values() && !DifferenceEstimate::settled_since(coarser, now_)) {
        const Look of_coarser = solver_.look_at(coarser, LookFor::jumps, most_nodes());
        if (!estimate_.compare(coarser, estimate_.residuals(of_coarser), now_, local_,
                               next_.keeps_away())) {
          return over(endings_.not_finite(std::move(now_)));
        }
      }
    }
    // The next mesh would do little but tell so.
    ErrorEstimate& error = now_.report.error;
    if (estimate_.told() && error.available && safe_ && estimate_.is_doubt_alone(error)) {
      const double told = by_more_stages().error;
      if (told > 0) estimate_.settle_doubt(error, told);
    }
    error_ = estimate_.controlled(error);
    return Step::none;
  }

  /// What meets the tolerance, where nothing is seen between the stages that does not.
  Step accept() {
    const bool met =
        estimate_.told() && now_.report.error.available && error_ <= control_.tolerance && safe_;
    if (!met) return Step::none;
    if (now_.report.termination != Termination::converged) return Step::over;
    // No node cures a constraint that iterates have not met.
    if (solver_.misses_constraint(now_, control_.tolerance)) return Step::over;
    const VecX excess = solver_.residual_excess(now_);
    if (excess.size() > 0 && excess.maxCoeff() > 1) return refine_residual(excess);
    const Look all = solver_.look_at(now_, LookFor::everything, most_nodes());
    if (!all.failure.empty() || all.seen.any()) return resolve(all);
    // More was looked at than the estimate was made of.
    local_ = estimate_.residuals(all);
    estimate_.raise(now_.report.error, local_);
    // Less than that the factor of safety and meshes that are finer than asked for leave room for;
    // it takes no more than a pass of Newton's method to know, or another mesh.
    constexpr double much = 10, much_for_a_mesh = 50;
    const auto hides = [this](double much_more) {
      return estimate_.may_hide_growth(now_.report.conditioning, local_, much_more);
    };
    if (all.is_stiff || hides(much)) {
      const double told = by_more_stages().error;
      estimate_.raise(now_.report.error, local_, told);
      // Meshes alike tell by their difference what others do not.
      const Mesh halved = now_.mesh_of_all().halved();
      const bool is_half =
          before_.has_values() && !is_other(before_.mesh_of_all().halved(), now_.mesh_of_all());
      if (told == 0 && hides(much_for_a_mesh) && !is_half && !next_.is_beyond(halved.intervals())) {
        return again_from_here(halved);
      }
    }
    error_ = estimate_.controlled(now_.report.error);
    if (!(error_ <= control_.tolerance)) return Step::none;
    double at = 0;
    const double rounding = rounding_of_carried(at);
    if (rounding > control_.tolerance) {
      return over(endings_.carried_in_rounding(std::move(now_), rounding, at));
    }
    now_.report.error.By = larger(now_.report.error.By, rounding);
    if (solver_.iterates_leave_more(now_, control_.tolerance)) return Step::over;
    return accept_determined(all.turns);
  }

  /// The residual, which falls slower than errors do, is too large.
  Step refine_residual(const VecX& of_intervals) {
    if (looks_ < most_looks) {
      if (const auto with_jumps = residual_meshes_.with_jumps(now_, most_nodes())) {
        ++looks_;
        return again_anew(*with_jumps);
      }
    }
    const ResidualMeshes::Choice choice = residual_meshes_.choose(
        now_, of_intervals, estimate_.weighed(local_), NextMesh::growth_at(largest(local_)));
    if (choice.mesh) return again_from_here(*choice.mesh);
    return over(
        Endings::residual_remains(std::move(now_), of_intervals.maxCoeff(), choice.gives_up));
  }

  /// With nodes where something was seen.
  Step resolve(const Look& all) {
    if (!all.failure.empty() || all.seen.nodes.empty() || looks_ == most_looks) {
      return over(Endings::not_seen(std::move(now_), all));
    }
    ++looks_;
    best_.forget();
    // What residuals become as errors was told by solutions without what was seen.
    estimate_.forget();
    const Mesh looked = next_.arranged(
        with_nodes(now_.mesh_of_all(), all.seen.nodes, next_.fixed_with(all.seen.jumps)),
        now_.scheme());
    if (next_.is_beyond(looked.intervals())) {
      return over(Endings::not_seen(std::move(now_), all));
    }
    return again_anew(looked);
  }

  /// A solution that conditions determine, and not one that they leave open.
  Step accept_determined(const VecX& turns) {
    Solution fine;
    const OpenConditions::Found found = conditions_.follow(now_, turns, fine);
    if (found == OpenConditions::Found::stopped) {
      return over(Endings::ended(std::move(now_), fine.report));
    }
    if (found == OpenConditions::Found::leave_open) {
      return over(OpenConditions::not_determined(std::move(fine.has_values() ? fine : now_)));
    }
    if (found == OpenConditions::Found::otherwise) {
      before_ = Solution();
      best_.forget();
      estimate_.forget_mesh();
      by_more_stages_.reset();
      now_ = std::move(fine);
      return Step::again;
    }
    const auto another = [this] { return next_.another(now_.mesh_of_all(), now_.scheme()); };
    const auto otherwise = [this] { return by_more_stages().influence; };
    if (conditions_.determine(now_, before_, otherwise, another)) {
      return over(endings_.accepted(std::move(now_)));
    }
    if (++undetermined_ >= most_undetermined) {
      return over(OpenConditions::not_determined(std::move(now_)));
    }
    return halve();
  }

  /// No mesh helps against rounding.
  Step stop_at_rounding() {
    double at = 0;
    const double carried = rounding_of_carried(at);
    evidence_.see(now_, carried);
    if (evidence_.spoils_carried() && now_.report.error.available &&
        (estimate_.fell() || largest(local_) < small_estimate)) {
      return over(endings_.carried_in_rounding(std::move(now_), carried, at));
    }
    const bool is_resolved =
        estimate_.fell() || largest(local_) <= NextMesh::aim * control_.tolerance;
    const bool amplified = is_resolved && rounding_of(now_) > control_.tolerance &&
                           rounding_of(before_) > control_.tolerance;
    if (!amplified && !evidence_.is_clear()) return Step::none;
    if (RoundingEvidence::is_coarse(now_)) return halve();
    return over(endings_.amplified(before_.report, std::move(now_)));
  }

  /// Meshes that do not bring the estimate down.
  Step stop_in_vain() {
    if (!before_.has_values()) return Step::none;
    best_.count(error_, now_.mesh_of_all().intervals() >= before_.mesh_of_all().intervals());
    const int in_vain = best_.in_vain();
    const bool at_rounding = best_.is_near_rounding() && !estimate_.fell();
    if (at_rounding && in_vain > 0 && !halves_best_ &&
        best_.tells_nothing_of(error_, estimate_, control_.tolerance)) {
      return halve_best();
    }
    best_.see(error_, now_, local_);
    // No mesh settles what iterates have not.
    if (in_vain > 1 && now_.report.termination == Termination::iterates_exhausted) {
      return Step::over;
    }
    // Residuals that fall without the error: iterates that have not met the constraint, by more
    // than a coarse mesh does.
    if (in_vain > 0 && estimate_.fell() &&
        solver_.misses_constraint(now_, std::max(control_.tolerance, largest(local_)))) {
      return Step::over;
    }
    const bool told_by_residual =
        estimate_.fell() && largest(local_) < NextMesh::like_nothing && error_ < resolved;
    const bool is_resolved = told_by_residual || error_ < small_estimate;
    if (!safe_ || !best_.gives_up(at_rounding, is_resolved)) return Step::none;
    if (rounding_of(now_) > control_.tolerance && rounding_of(before_) > control_.tolerance) {
      return over(endings_.amplified(before_.report, std::move(now_)));
    }
    const bool by_chance = at_rounding && best_.may_be_by_chance(control_.tolerance);
    if (by_chance && !halves_best_) return halve_best();
    if (at_rounding) return over(endings_.in_vain(best_.solution(), best_.local(), true));
    // Other meshes of one size, where estimates asked for no finer one, are not all that can be
    // done.
    const Mesh& best = best_.solution().mesh_of_all();
    if (control_.halves_best && !halves_best_ &&
        now_.mesh_of_all().intervals() < 2 * best.intervals() &&
        !next_.is_beyond(2 * best.intervals())) {
      return halve_best();
    }
    return over(endings_.in_vain(std::move(now_), local_, false));
  }

  Step halve_best() {
    halves_best_ = true;
    is_half_of_best_ = control_.halves_best;
    before_ = best_.solution();
    local_before_ = best_.local();
    const Mesh halved = before_.mesh_of_all().halved();
    if (next_.is_beyond(halved.intervals())) {
      return over(endings_.limit_reached(before_, local_before_, next_.beyond_memory()));
    }
    return again(halved);
  }

  Step choose_next() {
    is_half_of_best_ = false;
    if (now_.report.termination == Termination::iterates_exhausted &&
        now_.mesh_of_all().intervals() > control_.most_unsettled) {
      return Step::over;
    }
    const bool slowly = best_.in_vain() > 0 && error_ < BestMesh::near_rounding;
    const Mesh chosen = safe_ ? next_.better(now_, local_, estimate_.weighed(local_), slowly)
                              : now_.mesh_of_all().halved();
    if (next_.is_beyond(chosen.intervals())) {
      return over(endings_.limit_reached(std::move(now_), local_, next_.beyond_memory()));
    }
    return again_from_here(chosen);
  }

  MeshSolver& solver_;
  const RefinementControl& control_;
  DifferenceEstimate estimate_;
  Endings endings_;
  NextMesh next_;
  OpenConditions conditions_;
  Solution now_, before_;
  IntervalErrors local_, local_before_;  ///< Their residuals, as errors.
  double error_ = 0;                     ///< Of now_, estimated.
  std::optional<ByMoreStages> by_more_stages_;
  bool safe_ = true;      ///< No mesh as coarse as that is dangerous.
  int arrangements_ = 0;  ///< Of meshes around times that are kept away from.
  int looks_ = 0, meshes_ = 0, undetermined_ = 0;
  BestMesh best_;
  bool halves_best_ = false;  ///< Its mesh, once.
  bool is_half_of_best_ = false;
  ResidualMeshes residual_meshes_;
  RoundingEvidence evidence_;
};

}  // namespace

Solution refine(MeshSolver& solver, const Mesh& first, const RefinementControl& control) {
  Refinement refinement(solver, control, first);
  Solution solution = refinement.run(first);
  if (solution.has_values()) {
    solution.fixed_nodes = nodes_among(refinement.fixed_nodes(), solution.mesh_of_all());
  }
  return solution;
}

}  // namespace daewave::bvp
