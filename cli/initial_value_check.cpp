// What daewave check tells of an initial value problem.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/command_line.hpp"
#include "cli/standard_output.hpp"

namespace daewave::cli {
namespace {

std::string numbers(const std::vector<int>& rows) {
  return fmt::format("{}", fmt::join(rows, ", "));
}

/// What can move, which constraints are too many.
void print_constraints(const catalogue::InitialValueProblem& problem, const Consistency& start) {
  say("index {}; rank {} of {} at the start\n", start.index, start.rank, start.constraints);
  if (!start.gone.empty()) {
    say("rows that depend on others or vanish at the start: {}\n", numbers(start.gone));
  }
  for (const std::string& one : problem.left_out()) {
    say("redundant: {}: left out, as others imply them\n", one);
  }
  if (!problem.second_order() || start.constraints == 0) return;
  const Sizes& sizes = problem.problem().sizes();
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

}  // namespace

int check_initial_value(const catalogue::InitialValueProblem& problem) {
  const Consistency start = problem.check();
  const Interval span = problem.interval();
  say("{}: {} states, {} constraints, t in [{:g}, {:g}]\n", problem.name(), problem.start().size(),
      start.constraints, span.begin, span.end);
  print_constraints(problem, start);
  say("start: |g| = {:.2e}, |G v + g_t| = {:.2e}\n", start.position, start.velocity);
  const DerivativeReport derivatives = problem.check_derivatives();
  say("derivatives: {}\n",
      derivatives.ok() ? std::string("agree with differences") : derivatives.text());
  const ivp::Solution solution = problem.solve(span, {.rtol = 1e-4, .atol = 1e-6, .every = 0});
  say("a solve to 1e-4: {}\n", solution.report.brief());
  print_singular_poses(solution.report);
  const bool fine = start.ok(1e-8) && derivatives.ok() && solution.report.usable();
  return fine ? solved : not_solved;
}

}  // namespace daewave::cli
