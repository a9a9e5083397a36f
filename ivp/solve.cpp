#include "ivp/solve.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "core/adapt/found_structure.hpp"
#include "core/error.hpp"
#include "core/problem/dear_calls.hpp"
#include "core/start/check_constraints.hpp"
#include "core/start/problem_start.hpp"
#include "ivp/doors/branch_watch.hpp"
#include "ivp/doors/method_choice.hpp"
#include "ivp/doors/run_setup.hpp"
#include "ivp/doors/solve_blocked_multistep.hpp"
#include "ivp/doors/solve_by_structure.hpp"
#include "ivp/doors/solve_invariant.hpp"
#include "ivp/doors/solve_multistep.hpp"
#include "ivp/doors/solve_projected_invariants.hpp"
#include "ivp/doors/solve_reduced.hpp"
#include "ivp/doors/solve_srm.hpp"
#include "ivp/doors/state_slopes.hpp"
#include "ivp/doors/way_out.hpp"
#include "ivp/equations/consistent_invariant.hpp"
#include "ivp/equations/dae_system_of.hpp"
#include "ivp/equations/ordinary_as_invariant.hpp"
#include "ivp/estimate/global_error.hpp"
#include "ivp/lanes/lane_options.hpp"
#include "ivp/run/constraints_between.hpp"
#include "ivp/run/kept_constraints.hpp"
#include "ivp/run/restarts.hpp"
#include "ivp/run/run_settings.hpp"
#include "ivp/solve_lanes.hpp"

namespace daewave::ivp {
namespace {

Solution solve_by(const MethodChoice& chosen, const DaeProblem& problem, const VecX& start,
                  const Interval& span, const Options& options, const Monitors& monitors) {
  if (const auto* srm = std::get_if<Srm>(&chosen.method)) {
    return solve_srm(problem, start, span, *srm, options, chosen, monitors);
  }
  if (const auto blocked = as<BlockedMultistep>(chosen.method)) {
    return solve_blocked_multistep(problem, start, span, *blocked, options, monitors);
  }
  if (const auto* projected = std::get_if<ProjectedInvariants>(&chosen.method)) {
    return solve_projected_invariants(problem, start, span, *projected, options, chosen.scheme(),
                                      monitors);
  }
  if (const auto bdf = as<VariableBdf>(chosen.method)) {
    return solve_bdf(problem, start, span, *bdf, options, monitors);
  }
  const auto reduction = as<IndexReduction>(chosen.method);
  return solve_reduced(problem, start, span, reduction.value(), options, chosen, monitors);
}

/// The same, with a look at the constraints at all nodes where the method does not know the branch.
Solution solve_watched(const MethodChoice& chosen, const DaeProblem& problem, const VecX& start,
                       const Interval& span, const Options& options, const Piece& piece,
                       ConstraintsBetween* between) {
  Monitors monitors = monitors_of(problem, options);
  monitors.piece = piece;
  monitors.between = between;
  const auto trace = branch_watch(chosen.method, problem, start, span.begin, options);
  if (!trace) return solve_by(chosen, problem, start, span, options, monitors);
  monitors.node = [&trace](double t, const VecX& z) { trace->see(t, z.head(trace->states())); };
  Solution solution = solve_by(chosen, problem, start, span, options, monitors);
  trace->judge(solution.report);
  return solution;
}

/// What every report tells.
void tell(const DaeProblem& problem, const MethodChoice& chosen, const Options& options,
          const std::vector<std::string>& warnings, Report& report) {
  report.problem = problem.name();
  report.nx = problem.state_size();
  tell_local_error(options, report);
  report.choices.insert(report.choices.begin(), chosen.choices.begin(), chosen.choices.end());
  report.warnings.insert(report.warnings.begin(), warnings.begin(), warnings.end());
}

/// Of a run with checkpoints; else none.
Settings settings_of(const DaeProblem& problem, const VecX& start, double begin,
                     const Options& options, const MethodChoice& chosen) {
  if (!uses_checkpoints(options)) return {};
  if (std::holds_alternative<Srm>(chosen.method)) {
    throw InvalidOption(
        "checkpoints: method srm is chosen, which takes its own: give a fixed h and method = "
        "Srm{.loops = StepLocal{.checkpoints = ...}}; or another method");
  }
  Settings settings = settings_of(problem.name(), start, begin, options);
  settings.emplace_back("chosen", fmt::format("{} {}", name_of(chosen.method), chosen.formula()));
  return settings;
}

Solution solve_invariants_once(const DaeProblem& problem, const VecX& start, const VecX& w,
                               const Interval& span, const Options& options);

Solution solve_once(const DaeProblem& problem, const VecX& start, const Interval& span,
                    const Options& options) {
  check(options);
  check_span(span);
  if (problem.kind() == Kind::ordinary) {
    Solution solution = solve_once(OrdinaryAsInvariant(problem), start, span, options);
    solution.report.integration.index = 0;
    return solution;
  }
  if (asks_for_estimate(options) && problem.kind() != Kind::invariants) {
    return solve_with_estimate(
        problem, start, VecX(), span, options,
        [&problem](const VecX& z, const VecX&, const Interval& part, const Options& again) {
          return solve_once(problem, z, part, again);
        });
  }
  if (options.reset && problem.kind() != Kind::invariants) options.reset();
  if (asked_in_lanes(options)) {
    Solution solution = solve_in_lanes(problem, start, span, options);
    solution.state_names = problem.state_names();
    return solution;
  }
  if (problem.kind() == Kind::invariants) {
    const auto w = problem.start_algebraic();
    if (!w && problem.sizes().nw > 0) {
      throw InvalidProblem(
          "the problem has unknowns w without a derivative: give start_algebraic(), or w in the "
          "call");
    }
    return solve_invariants_once(problem, start, w.value_or(VecX()), span, options);
  }
  check_state_size(problem, start);
  check_constraint_derivatives(problem, start, span);
  std::vector<std::string> warnings;
  VecX z = start;
  const Consistency found = consistent(problem, z, span.begin, options, warnings);
  MethodChoice chosen = method_for(problem, z, span, found, options);
  const Options with = with_atol(options, z, problem.has_velocity(), span, chosen.choices);
  // Iterates of a sequential regularization meet constraints only in the limit; backward
  // differences see a drive by what they step over, and are not so exact inside of steps that these
  // could tell.
  const bool tells = as<IndexReduction>(chosen.method) ||
                     (options.h && !std::holds_alternative<Srm>(chosen.method));
  const auto between =
      tells ? std::make_unique<ConstraintsBetween>(problem, z, span, with) : nullptr;
  Restarted how;
  how.run = [&](const VecX& from, const Interval& part, const Options& of, const Piece& piece) {
    return solve_watched(chosen, problem, from, part, of, piece, between.get());
  };
  how.make_consistent = [&](VecX& state, double t, const Options& of, EventChanges::Use) {
    std::vector<std::string> moved;
    consistent(problem, state, t, of, moved);
  };
  how.second_order = problem.has_velocity();
  how.slope = slope_of_states(problem);
  how.settings = settings_of(problem, z, span.begin, with, chosen);
  Solution solution = solve_with_restarts(how, z, span, with);
  solution.state_names = problem.state_names();
  Report& report = solution.report;
  tell(problem, chosen, options, warnings, report);
  report.ny = found.constraints;
  report.integration.index = found.index;
  report.integration.constraints = found.constraints;
  report.integration.rank = found.rank;
  if (options.monitor) judge_implied(problem, with, solution);
  if (options.monitor && !std::holds_alternative<Srm>(chosen.method)) {
    // Nothing is evaluated after a run that was stopped.
    const DriftOf drift = [&, of = DriftOf()](double t, const VecX& state) mutable {
      if (!of) of = drift_of(problem, z, span.begin);
      return of(t, state);
    };
    if (between) judge_between(*between, with, solution);
    judge_drift(drift, with, solution);
  }
  return solution;
}

Solution solve_invariants_once(const DaeProblem& problem, const VecX& start, const VecX& w,
                               const Interval& span, const Options& options) {
  check(options);
  check_span(span);
  if (problem.kind() != Kind::invariants) {
    throw InvalidProblem(
        fmt::format("w is given: a problem of kind \"{}\" has no such unknowns; leave it out",
                    name_of(problem.kind())));
  }
  if (asks_for_estimate(options)) {
    return solve_with_estimate(problem, start, w, span, options,
                               [&problem](const VecX& z, const VecX& unknowns, const Interval& part,
                                          const Options& again) {
                                 return solve_invariants_once(problem, z, unknowns, part, again);
                               });
  }
  if (options.reset) options.reset();
  check_state_size(problem, start);
  check_constraint_derivatives(problem, start, span);
  std::vector<std::string> warnings;
  const InvariantStart found =
      consistent_invariant(problem, start, w, span.begin, options, warnings);
  MethodChoice chosen = choose_method(
      {.backward = span.length() < 0, .invariants = true, .keeps = problem.sizes().nh > 0},
      options);
  const Options with = with_atol(options, found.z, false, span, chosen.choices);
  VecX unknowns = found.w;
  Restarted how;
  how.run = [&](const VecX& from, const Interval& part, const Options& of, const Piece& piece) {
    return solve_invariant(problem, from, unknowns, part, of, chosen, piece);
  };
  how.make_consistent = [&](VecX& state, double t, const Options& of, EventChanges::Use use) {
    std::vector<std::string> moved;
    const InvariantStart after = consistent_invariant(problem, state, unknowns, t, of, moved);
    state = after.z;
    if (use == EventChanges::Use::goes_on) unknowns = after.w;
  };
  how.slope = slope_of_states(problem, unknowns);
  how.settings = settings_of(problem, found.z, span.begin, with, chosen);
  Solution solution = solve_with_restarts(how, found.z, span, with);
  solution.state_names = problem.state_names();
  Report& report = solution.report;
  tell(problem, chosen, options, warnings, report);
  report.ny = problem.sizes().nw;
  report.integration.index = 1;
  report.integration.constraints = report.integration.rank = problem.sizes().nh;
  if (options.monitor && problem.sizes().nh > 0) {
    judge_drift(
        [&, system = std::shared_ptr<DaeSystem>()](double t, const VecX& state) mutable {
          if (!system) system = dae_system_of(problem, found.z, found.w, span.begin);
          return system->drift(t, state);
        },
        with, solution);
  }
  return solution;
}

/// The start is looked at by many before a step is taken: where calls are dear, once for all.
void foresee_start(const DaeProblem& problem, const VecX& start, double t) {
  const DearCalls* const dear = dear_calls_of(problem);
  const int nq = problem.sizes().nq;
  if (dear == nullptr || problem.kind() != Kind::multibody || start.size() != 2 * nq) return;
  dear->foresee(Ask::f | Ask::M | Ask::G | Ask::g | Ask::g_t | Ask::curvature,
                {1, 1, &t, start.data(), start.data() + nq, nullptr});
}

}  // namespace

Solution solve(const DaeProblem& problem, const VecX& start, const Interval& span,
               const Options& options) {
  foresee_start(problem, start, span.begin);
  const DaeProblemPtr found =
      as_stated(problem) ? DaeProblemPtr() : with_structure_of_points(problem, start, span.begin);
  const auto once = [&](const DaeProblem& one, const Options& with) {
    return solve_once(one, start, span, with);
  };
  const auto solve_with = [&](const Options& with) {
    return solve_by_structure(found ? *found : problem, with, once);
  };
  Solution solution = solve_with(options);
  seek_way_out(options, span, solve_with, solution);
  return solution;
}

Solution solve(const DaeProblem& problem, const VecX& start, const VecX& w, const Interval& span,
               const Options& options) {
  Solution solution = solve_invariants_once(problem, start, w, span, options);
  seek_way_out(
      options, span,
      [&](const Options& other) { return solve_invariants_once(problem, start, w, span, other); },
      solution);
  return solution;
}

Solution solve(const DaeProblem& problem, const Options& options) {
  const auto start = problem.start();
  const auto interval = problem.interval();
  if (!start || !interval) {
    throw InvalidProblem("the problem gives no start() and interval(): give them in the call");
  }
  return solve(problem, *start, *interval, options);
}

}  // namespace daewave::ivp
