// What daewave check tells of an initial value problem.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "cli/initial_value/event_lines.hpp"
#include "cli/options/command_line.hpp"
#include "cli/output/option_words.hpp"
#include "cli/output/standard_output.hpp"
#include "core/equations/derived_terms.hpp"
#include "core/error.hpp"
#include "core/start/algebraic_rank.hpp"
#include "core/start/pose_scan.hpp"

namespace daewave::cli {
namespace {

std::string numbers(const std::vector<int>& rows) {
  return fmt::format("{}", fmt::join(rows, ", "));
}

/// What can move, which constraints are too many.
void print_constraints(const catalogue::InitialValueProblem& problem, const Consistency& start,
                       int algebraic_rank) {
  const Sizes& sizes = problem.problem().sizes();
  if (problem.problem().kind() == Kind::invariants) {
    say("index 1; {} algebraic unknown{}, {} invariant{}; rank {} of {} at the start\n", sizes.nw,
        sizes.nw == 1 ? "" : "s", sizes.nh, sizes.nh == 1 ? "" : "s", algebraic_rank, sizes.nw);
    if (algebraic_rank < sizes.nw) {
      say("algebraic equations do not determine their unknowns at the start: the index is higher "
          "there, or other solutions meet\n");
    }
  } else if (problem.problem().kind() == Kind::ordinary) {
    say("index 0: no constraints\n");
  } else {
    say("index {}; rank {} of {} at the start\n", start.index, start.rank, start.constraints);
  }
  if (start.singular() && start.gone.empty()) {
    say("B does not reach all rows of G: the index is higher than {}; differentiate constraints, "
        "or "
        "state equations of order 2\n",
        start.index);
  }
  if (!start.gone.empty()) {
    say("rows that depend on others or vanish at the start: {}\n", numbers(start.gone));
  }
  for (const std::string& one : problem.left_out()) {
    say("redundant: {}: left out, as others imply them\n", one);
  }
  if (!problem.second_order() || start.constraints == 0) return;
  say("degrees of freedom: {} ({} coordinates, {} independent constraint{}{})\n",
      sizes.nq - start.rank, sizes.nq, start.rank, start.rank == 1 ? "" : "s",
      sizes.nk == 0 ? "" : fmt::format(", {} of them on velocities", sizes.nk));
}

/// Along the motion that was solved for.
void print_singular_poses(const Report& report) {
  constexpr std::size_t most_told = 10;
  const std::vector<SingularPoint>& points = report.singular_points;
  for (std::size_t i = 0; i < std::min(points.size(), most_told); ++i) {
    say("constraints: singular at t = {:.10g}: {}\n", points[i].t, points[i].kind);
  }
  if (points.size() > most_told) say("constraints: ... ({} in all)\n", points.size());
  const bool watched = report.integration.available && report.integration.constraints > 0;
  if (!points.empty() || !watched || !report.usable()) return;
  say("constraints: regular on the whole motion, smallest pivot {:.2g} of that at the start, at "
      "t = {:.4g}\n",
      report.integration.pivot_ratio, report.integration.pivot_ratio_at);
}

/// Coordinates of a pose: all, or the first angles of bodies.
std::string text_of_pose(const std::vector<std::string>& names, const VecX& q, const VecX& units) {
  constexpr std::size_t most = 6;
  const bool all = static_cast<std::size_t>(q.size()) <= most;
  std::string text;
  std::size_t told = 0;
  for (int i = 0; i < q.size() && told < most; ++i) {
    const std::string name =
        names.empty() ? fmt::format("q{}", i + 1) : names[static_cast<std::size_t>(i)];
    if (!all && !names.empty() && !name.ends_with(".phi") && !name.ends_with(".e0")) continue;
    // To what the scan finds a pose.
    const double value = std::abs(q[i]) < 1e-6 * units[i] ? 0 : q[i];
    text += fmt::format("{}{} = {:.5g}", told++ == 0 ? "" : ", ", name, value);
  }
  return text;
}

/// Beside the motion: along all directions that are free.
void print_poses(const catalogue::InitialValueProblem& problem) {
  const PoseScan scan = scan_poses(problem.problem(), problem.start(), problem.interval().begin);
  if (scan.directions == 0) return;
  constexpr std::size_t most_told = 5;
  const std::vector<std::string> names = problem.problem().state_names();
  const std::string ways =
      fmt::format("{} free direction{}", scan.directions, scan.directions == 1 ? "" : "s");
  if (scan.poses.empty()) {
    say("poses: none singular on a scan along {}\n", ways);
    return;
  }
  for (std::size_t i = 0; i < std::min(most_told, scan.poses.size()); ++i) {
    const SingularPose& pose = scan.poses[i];
    say("poses: singular (rank {} of {}) at {}\n", pose.rank, problem.problem().sizes().ny,
        text_of_pose(names, pose.q, scan.units));
  }
  say("poses: {} singular on a scan along {}\n", scan.poses.size(), ways);
}

}  // namespace

int check_initial_value(const catalogue::InitialValueProblem& problem) {
  const Consistency start = problem.check();
  const Interval span = problem.interval();
  say("{}: {} states, {} constraints, t in [{:g}, {:g}]\n", problem.name(), problem.start().size(),
      start.constraints, span.begin, span.end);
  const Sizes& sizes = problem.problem().sizes();
  const auto solve = [&] {
    return in_options(problem.solve(span, {.rtol = 1e-4, .atol = 1e-6, .every = 0}));
  };
  std::optional<ivp::Solution> solution;
  int algebraic_rank = 0;
  if (sizes.nw > 0) {
    VecX near = problem.problem().start_algebraic().value_or(VecX::Zero(sizes.nw));
    // Where a solve finds them, which takes more than steps of Newton's method.
    try {
      solution = solve();
      if (solution->count() > 0) near = solution->multiplier(0);
    } catch (const Error&) {
      // It is told below, behind what can be told without it.
    }
    algebraic_rank = rank_of_algebraic(problem.problem(), problem.start(), near, span.begin);
  }
  print_constraints(problem, start, algebraic_rank);
  if (problem.problem().kind() != Kind::ordinary) {
    say("start: |g| = {:.2e}, |G v + g_t| = {:.2e}\n", start.position, start.velocity);
  }
  for (const std::string& warning : problem.warnings()) say("warning: {}\n", warning);
  print_poses(problem);
  // Those of a file follow by rules; differences are less exact.
  const bool by_rules = expression::expressions_of(problem.problem()).equations != nullptr;
  DerivativeReport derivatives;
  if (!by_rules) {
    derivatives = problem.check_derivatives();
    say("derivatives: {}\n",
        derivatives.ok() ? std::string("agree with differences") : derivatives.text());
  }
  if (!solution) solution = solve();
  say("a solve to 1e-4: {}\n", solution->report.brief());
  say("{}", event_lines(problem, *solution));
  print_singular_poses(solution->report);
  const bool fine =
      algebraic_rank == sizes.nw && start.ok(1e-8) && derivatives.ok() && solution->report.usable();
  return fine ? solved : not_solved;
}

}  // namespace daewave::cli
