#include "ivp/doors/solve_reduced.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "core/error.hpp"
#include "core/machine/simd.hpp"
#include "core/problem/dear_calls.hpp"
#include "ivp/doors/run_setup.hpp"
#include "ivp/equations/dae_system_of.hpp"
#include "ivp/equations/normal_directions_of.hpp"
#include "ivp/one_step/collocation_step.hpp"
#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/one_step/symmetric_step.hpp"
#include "ivp/reduced/late_looks.hpp"
#include "ivp/reduced/passing_step.hpp"
#include "ivp/reduced/stiff_change.hpp"
#include "ivp/run/integrate.hpp"
#include "ivp/windows/window_step.hpp"

namespace daewave::ivp {
namespace {

Reduction reduction(const Underlying&) { return {.kind = ReductionKind::underlying}; }

Reduction reduction(const Baumgarte& method) {
  return {.kind = ReductionKind::baumgarte,
          .stabilization = {.alpha1 = method.alpha1, .alpha0 = method.alpha0}};
}

Reduction reduction(const SFull& method) {
  return {.kind = ReductionKind::s_full, .stabilization = {.factor = method.factor}};
}

Reduction reduction(const SBoth& method) {
  return {.kind = ReductionKind::s_both,
          .stabilization = {.metric = method.metric, .factor = method.factor}};
}

Reduction reduction(const SBoth2& method) {
  return {.kind = ReductionKind::s_both2,
          .stabilization = {
              .metric = method.metric, .second_step = method.second_step, .factor = method.factor}};
}

Reduction reduction(const SVel& method) {
  return {.kind = ReductionKind::s_vel,
          .stabilization = {.metric = method.metric, .factor = method.factor}};
}

Reduction reduction(const SPos& method) {
  return {.kind = ReductionKind::s_pos,
          .stabilization = {.metric = method.metric, .factor = method.factor}};
}

Reduction reduction(const StabilizedOde& method) {
  return {.kind = ReductionKind::stabilized_ode,
          .stabilization = {
              .metric = method.metric, .gamma = method.gamma, .direction = method.direction}};
}

Reduction reduction(const ProjectEachStep& method) {
  return {.kind = ReductionKind::projection, .projection = projection_of(method)};
}

Reduction reduction(const SymmetricProjection&) {
  return {.kind = ReductionKind::symmetric_projection};
}

Reduction reduction(const GaussWindows&) { return {.kind = ReductionKind::s_both2}; }

Reduction reduction(const LocalStateSpace& method) {
  return {.kind = ReductionKind::local_state_space, .state_space = method};
}

/// Windows need dense matrices of that size.
constexpr int most_to_pass = 200;

void tell_passages(const std::vector<Passage>& passages, Report& report) {
  for (const Passage& one : passages) {
    report.singular_points.push_back(
        {one.t, one.pivot, "dependent rows",
         fmt::format("a step of {:.3g} with projected Gauss stages", one.length)});
  }
}

void require_motion(const DaeProblem& problem) {
  if (problem.has_velocity()) return;
  throw InvalidOption(
      fmt::format("method = gauss-windows: windows are of motions, q'' = a(q, q', t), and the "
                  "problem is of kind \"{}\"; take method = projection; or leave method open",
                  name_of(problem.kind())));
}

Choice choice_of_nodes(bool in_lanes) {
  if (in_lanes) {
    return {"nodes of windows", fmt::format("in lanes of {}", name_of(best_simd())), false,
            "their linear algebra goes side by side, and their terms where the problem's do"};
  }
  return {"nodes of windows", "one by one", false,
          fmt::format("lanes are for chains, and for dense constraints of motions with at most {} "
                      "coordinates",
                      most_on_stack)};
}

}  // namespace

Reduction reduction_of(const IndexReduction& method, const Tolerance& tolerance,
                       double rank_tolerance) {
  Reduction how = std::visit([](const auto& one) { return reduction(one); }, method);
  how.rank_tolerance = rank_tolerance;
  how.tolerance = tolerance;
  return how;
}

Projection projection_of(const ProjectEachStep& method) {
  return {.onto = method.onto, .metric = method.metric, .energy = method.energy};
}

bool may_pass(const DaeProblem& problem) { return problem.state_size() <= most_to_pass; }

bool is_redundant(const DaeProblem& problem, const VecX& z, double t) {
  if (!may_pass(problem)) return false;
  const auto system = dae_system_of(problem, z, t);
  Dependence dependence(*system, t, z);
  dependence.at(t, z);
  // Less is left of what is large in its units, too, but not less than around.
  return dependence.part() > 1e-7 || dependence.part_of_around(t, z) > 1e-2;
}

MethodChoice method_for(const DaeProblem& problem, const VecX& z, const Interval& span,
                        const Consistency& found, const Options& options, bool windows) {
  const bool reducible = is_reducible(problem);
  return choose_method(
      {.reducible = reducible,
       .full_rank = !found.singular(),
       .redundant = found.singular() && reducible && is_redundant(problem, z, span.begin),
       .passes = !options.h && may_pass(problem),
       .backward = span.length() < 0,
       .windows = windows && (problem.lanes() > 1 || calls_are_dear(problem)) &&
                  has_sweeps_in_lanes(problem)},
      options);
}

namespace {

/// One run of a problem of reduced index, by steps of any kind.
class ReducedRun {
 public:
  /// All are kept by reference.
  ReducedRun(const DaeProblem& problem, const VecX& start, const Interval& span,
             const IndexReduction& method, const Options& options, const MethodChoice& chosen,
             const Monitors& monitors)
      : problem_(problem),
        start_(start),
        span_(span),
        options_(options),
        chosen_(chosen),
        monitors_(monitors),
        tolerance_(options, static_cast<int>(start.size())),
        how_(reduction_of(method, tolerance_, options.rank_tolerance)),
        estimate_(!options.h),
        system_(reduce(problem, how_)) {}

  Solution symmetric(const SymmetricProjection& method) {
    SymmetricStep step(*system_, normal_directions_of(problem_, how_.rank_tolerance),
                       normal_directions_of(problem_, how_.rank_tolerance), chosen_.scheme(),
                       method.stage_iteration.value_or(StageIteration::fixed_point));
    return alone(step);
  }

  Solution by_windows() {
    std::unique_ptr<WindowSweeps> lanes;
    if (estimate_) lanes = ModelledSweeps::of(problem_, options_.rank_tolerance);
    constexpr double tight = 1e-11;
    const bool to_rounding = !estimate_ || options_.rtol < tight;
    if (!lanes) {
      lanes = sweeps_in_lanes(problem_, options_.rank_tolerance,
                              to_rounding ? pivots_to_rounding : pivots_of_windows);
    }
    const Choice nodes = choice_of_nodes(lanes != nullptr);
    WindowStep step(*system_, std::move(lanes), tolerance_, estimate_);
    Solution solution = changing_where_stiff(step, GaussWindows::name);
    solution.report.choices.push_back(nodes);
    return solution;
  }

  Solution by_formula() {
    if (is_explicit(chosen_.stepper)) {
      ExplicitRkStep step(*system_, tableau(chosen_.stepper), tolerance_, estimate_);
      return changing_where_stiff(step, name_of(chosen_.stepper));
    }
    CollocationStep step(*system_, chosen_.scheme(), tolerance_, estimate_);
    return passing(step);
  }

 private:
  Solution integrated(Step& step) {
    const DearCalls* const dear = dear_calls_of(problem_);
    const bool late = dear != nullptr && problem_.kind() == Kind::multibody &&
                      step.knows_multiplier_between() && LateLooks::can_do(options_);
    Solution solution = late ? integrated_with_late_looks(*dear, step)
                             : integrate(step, start_, span_, options_, monitors_);
    solution.report.integration.guarded = system_->guarded();
    solution.report.integration.parameter_choices = system_->parameter_choices();
    if (how_.kind == ReductionKind::projection) {
      tell_projection(how_.projection, static_cast<int>(start_.size()), solution.report);
    }
    return solution;
  }

  Solution integrated_with_late_looks(const DearCalls& dear, Step& step) {
    LateLooks looks(dear, problem_.sizes().nq, *system_, step);
    const Options options = looks.options_of(options_);
    Solution solution = integrate(step, start_, span_, options, looks.monitors_of(monitors_));
    looks.finish(solution);
    return solution;
  }

  Solution alone(Step& step) {
    Solution solution = integrated(step);
    tell_pivots(system_->pivots(), solution.report);
    return solution;
  }

  /// Over singular configurations, where steps are chosen.
  Solution passing(Step& step) {
    if (!estimate_ || !may_pass(problem_)) return alone(step);
    const auto constraints = [this] {
      return dae_system_of(problem_, start_, span_.begin, MultiplierForm::eliminated,
                           options_.rank_tolerance);
    };
    PassingStep passing(step, *system_, constraints, tolerance_, options_.rank_tolerance,
                        problem_.kind() == Kind::multibody && calls_are_dear(problem_));
    Solution solution = integrated(passing);
    tell_passages(passing.passages(), solution.report);
    solution.report.integration.pivot_ratio = system_->pivots().ratio();
    solution.report.integration.pivot_ratio_at = system_->pivots().at();
    return solution;
  }

  Solution changing_where_stiff(NonstiffStep& step, const char* name) {
    if (!chosen_.changes_where_stiff || problem_.state_size() > most_entries) return passing(step);
    CollocationStep damping(*system_, collocation(Scheme::radau, 3), tolerance_.times(of_tolerance),
                            estimate_);
    StiffChange changing(step, damping, *system_, &system_->pivots());
    Solution solution = passing(changing);
    tell_changes(changing.changes(), name, solution.report);
    return solution;
  }

  const DaeProblem& problem_;
  const VecX& start_;
  const Interval& span_;
  const Options& options_;
  const MethodChoice& chosen_;
  const Monitors& monitors_;
  Tolerance tolerance_;
  Reduction how_;
  bool estimate_;
  std::unique_ptr<ReducedOde> system_;
};

}  // namespace

Solution solve_reduced(const DaeProblem& problem, const VecX& start, const Interval& span,
                       const IndexReduction& method, const Options& options,
                       const MethodChoice& chosen, const Monitors& monitors) {
  if (std::holds_alternative<GaussWindows>(method)) require_motion(problem);
  ReducedRun run(problem, start, span, method, options, chosen, monitors);
  if (const auto* symmetric = std::get_if<SymmetricProjection>(&method)) {
    return run.symmetric(*symmetric);
  }
  if (std::holds_alternative<GaussWindows>(method)) return run.by_windows();
  return run.by_formula();
}

}  // namespace daewave::ivp
