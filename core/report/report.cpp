#include "core/report/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace daewave {

const char* name_of(Termination termination) {
  switch (termination) {
    case Termination::not_run:
      return "not_run";
    case Termination::converged:
      return "converged";
    case Termination::tolerance_not_met:
      return "tolerance_not_met";
    case Termination::iterates_exhausted:
      return "iterates_exhausted";
    case Termination::refused:
      return "refused";
    case Termination::singular_matrix:
      return "singular_matrix";
    case Termination::singular_constraint:
      return "singular_constraint";
    case Termination::diverged:
      return "diverged";
    case Termination::step_too_small:
      return "step_too_small";
    case Termination::too_many_steps:
      return "too_many_steps";
    case Termination::not_converged:
      return "not_converged";
    case Termination::stopped:
      return "stopped";
  }
  return "unknown";
}

std::string Report::brief() const {
  std::string line = fmt::format("{}: {}", name_of(termination), message);
  if (!advice.empty()) line += "; " + advice;
  return line;
}

std::string Report::explain() const {
  std::size_t width = 0;
  for (const Choice& choice : choices) width = std::max(width, choice.name.size());
  std::string text;
  for (const Choice& choice : choices) {
    fmt::format_to(std::back_inserter(text), "  {:<{}} = {}  ({})\n", choice.name, width,
                   choice.value, choice.by_user ? "given" : choice.reason);
  }
  return text;
}

std::string Report::singular_points_text() const {
  constexpr std::size_t most = 8;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, singular_points.size()); ++i) {
    const SingularPoint& point = singular_points[i];
    fmt::format_to(std::back_inserter(text),
                   "constraint singular at t = {:.6g} ({}; pivot {:.1e}): {}\n", point.t,
                   point.kind, point.pivot, point.passed_by);
  }
  if (singular_points.size() > most) {
    fmt::format_to(std::back_inserter(text), "constraint singular at {} more points\n",
                   singular_points.size() - most);
  }
  return text;
}

std::string Report::parameters_text() const {
  std::string found;
  for (const ParameterReport& parameter : parameters) {
    if (!parameter.found) continue;
    found += fmt::format("{}{} = {:.12g}", found.empty() ? "found: " : ", ", parameter.name,
                         parameter.value);
  }
  return found.empty() ? found : found + "\n";
}

namespace {

std::string text_of(const IntegrationReport& went) {
  std::string text = fmt::format(
      "integrated from t = {:.10g} to {:.10g}{}: {} steps, {} rejected, {} evaluations; h = {:.3g} "
      "to {:.3g}\n",
      went.begin, went.reached,
      went.reached == went.end ? "" : fmt::format(" (asked: {:.10g})", went.end), went.steps,
      went.rejected, went.evaluations, went.smallest_step, went.largest_step);
  if (went.index > 0) {
    text += fmt::format("index {}, {} constraints of rank {}\n", went.index, went.constraints,
                        went.rank);
  }
  if (went.index > 0 || went.drift_position > 0 || went.drift_velocity > 0) {
    text += fmt::format("largest drift: position {:.2e}, velocity {:.2e}\n", went.drift_position,
                        went.drift_velocity);
  }
  if (went.guarded > 0) {
    text += fmt::format("a dependent constraint was left out in {} evaluations\n", went.guarded);
  }
  if (went.parameter_choices > 0) {
    text +=
        fmt::format("parameters of the manifold were chosen {} times\n", went.parameter_choices);
  }
  if (went.has_energy) {
    text += fmt::format("energy {:.10g}, largest change {:.2e}\n", went.energy_start,
                        went.energy_change);
  }
  if (went.events > 0) text += fmt::format("{} events\n", went.events);
  if (went.restarts > 0) text += fmt::format("{} restarts of the formula\n", went.restarts);
  return text;
}

}  // namespace

std::string Report::full() const {
  std::string text;
  const auto line = [&text](const std::string& content) { text += content + "\n"; };
  line(brief());
  if (termination == Termination::not_run) return text;
  line(fmt::format("problem {} (nx = {}, ny = {})", problem.empty() ? "without a name" : problem,
                   nx, ny));
  std::string given;
  for (const ParameterReport& parameter : parameters) {
    if (parameter.found) continue;
    given += fmt::format("{}{} = {:.12g}", given.empty() ? "with " : ", ", parameter.name,
                         parameter.value);
  }
  if (!given.empty()) line(given);
  text += parameters_text();
  text += explain();
  if (intervals > 0) {
    line(smallest_step == largest_step
             ? fmt::format("mesh of {} intervals, h = {:.4g}", intervals, largest_step)
             : fmt::format("mesh of {} intervals, h = {:.4g} to {:.4g}", intervals, smallest_step,
                           largest_step));
  }
  text += singular_points_text();
  if (integration.available) text += text_of(integration);
  if (!history.empty())
    line("iterate   change in By       at t   drift |Cx+r|   residual  refinements");
  for (const IterateReport& iterate : history) {
    line(fmt::format("{:7}   {:12.3e}  {:9.4g}   {:12.3e}   {:8.1e}  {:11}", iterate.iterate,
                     iterate.change, iterate.change_at, iterate.drift, iterate.residual,
                     iterate.refinements));
  }
  if (!linear_solve.used.empty() || !integration.available) {
    line(fmt::format(
        "linear solver {} (asked: {}), {} factorization(s), {} solve(s), residual {:.1e}, "
        "{:.0f} bytes per interval",
        linear_solve.used, linear_solve.asked, linear_solve.factorizations, linear_solve.solves,
        linear_solve.worst_residual, linear_solve.bytes_per_interval));
  }
  for (const std::string& left : linear_solve.tried) line("  gave up " + left);
  if (conditioning.available && conditioning.modes() == 0) {
    line(fmt::format("conditioning: boundary {:.2e}", conditioning.boundary));
  } else if (conditioning.available) {
    line(fmt::format(
        "conditioning: boundary {:.2e}, forcing {:.2e}, rounding {:.1e} of x; modes: {} decaying, "
        "{} growing, "
        "{} neutral; largest exponent {:.3g} per unit of time",
        conditioning.boundary, conditioning.forcing, conditioning.rounding, conditioning.decaying,
        conditioning.growing, conditioning.neutral, conditioning.fastest_growth));
  }
  if (error.available) {
    // Of motions multipliers are not estimated.
    line(fmt::format("error estimate: x {:.2e}{}{} ({})", error.x,
                     integration.available ? "" : fmt::format(", By {:.2e}", error.By),
                     error.tolerance > 0 ? fmt::format(", tolerance {:.1e}", error.tolerance) : "",
                     error.how));
  } else if (integration.available && !error.how.empty()) {
    line("error estimate: none; " + error.how);
  }
  if (error.iterates > 0)
    line(fmt::format("iterates may still change x by {:.2e}", error.iterates));
  for (const std::string& warning : warnings) line("warning: " + warning);
  line(integration.available
           ? fmt::format("seconds: {:.3g}", seconds.total)
           : fmt::format("seconds: condense {:.3g}, factorize {:.3g}, solve {:.3g}, total {:.3g}",
                         seconds.condense, seconds.factorize, seconds.solve, seconds.total));
  return text;
}

}  // namespace daewave
