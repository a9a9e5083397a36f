#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/boundary_output.hpp"
#include "cli/figures.hpp"
#include "cli/interrupt.hpp"
#include "cli/progress_line.hpp"
#include "cli/standard_output.hpp"
#include "cli/threads.hpp"
#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "io/csv.hpp"
#include "io/npy.hpp"
#include "io/report_json.hpp"
#include "io/svg_plot.hpp"

namespace daewave::cli {
namespace {

void refuse_others(const SolveCommand& command) {
  SolveCommand without = command;
  without.variant.reset();
  if (without.asks_for_initial_value()) {
    throw InvalidOption(fmt::format(
        "{}: is a boundary value problem: --method, --stepper, --h, --rtol and the other options "
        "of "
        "initial value solves have no place; take --tolerance, --scheme, --stages, --intervals",
        command.problem));
  }
  const auto refuse = [&](bool given, const char* option, const char* why) {
    if (given) throw InvalidOption(fmt::format("{}: {}; leave it out", option, why));
  };
  refuse(command.singular != "auto", "--singular", "is for linear problems");
  refuse(command.partitions.has_value(), "--partitions", "is for linear problems");
}

}  // namespace

bvp::Options boundary_options(const SolveCommand& command) {
  refuse_others(command);
  bvp::Options options;
  options.tolerance = command.tolerance;
  if (command.scheme) options.scheme = scheme_named(*command.scheme);
  options.stages = command.stages;
  options.intervals = command.intervals;
  options.max_intervals = command.max_intervals;
  options.samples = command.samples;
  if (command.variant) options.variant = variant_named(*command.variant);
  if (command.weight) options.weight = weight_named(*command.weight);
  options.epsilon = command.epsilon;
  options.alpha1 = command.alpha1;
  options.alpha2 = command.alpha2;
  options.iterates = command.iterates;
  if (command.shooting_back) options.shooting_back = true;
  options.linear_solver = command.linear_solver;
  return options;
}

namespace {

/// In the measure of the tolerance.
std::string error_line(const bvp::Solution& solution, const bvp::BoundaryProblem& problem) {
  constexpr int points = 1000;
  const Interval interval = problem.interval;
  const int nx = problem.equations->state_size();
  const auto time = [&](int i) {
    return std::min(interval.end, interval.begin + interval.length() * i / points);
  };
  VecX size = VecX::Ones(nx);
  for (int i = 0; i <= points; ++i) {
    size = size.cwiseMax(problem.exact(time(i)).cwiseAbs() + VecX::Ones(nx));
  }
  double most = 0, at = interval.begin;
  for (int i = 0; i <= points; ++i) {
    const double error =
        largest_size((solution.x(time(i)) - problem.exact(time(i))).cwiseQuotient(size));
    if (error <= most || std::isnan(most)) continue;
    most = error;
    at = time(i);
  }
  return fmt::format(
      "error against the exact solution, relative to 1 + the largest value of each component: "
      "{:.2e} at most, at t = {:.4g}",
      most, at);
}

}  // namespace

bool is_silent(const SolveCommand& command) {
  return command.quiet || command.csv == "-" || command.npy == "-" || command.json == "-" ||
         command.svg == "-" || command.branch == "-";
}

void give_out(const SolveCommand& command, const bvp::BoundaryProblem& problem,
              const bvp::Solution& solution, const std::vector<io::Panel>& panels) {
  const bool talks = !is_silent(command);
  if (talks && command.verbose) {
    say("{}", solution.report.full());
  } else if (talks) {
    say("{}\n", solution.report.brief());
    say("{}", solution.report.parameters_text());
    if (command.explain) say("{}", solution.report.explain());
    for (const std::string& warning : solution.report.warnings) say("warning: {}\n", warning);
  }
  if (solution.has_values()) {
    if (talks && problem.exact) {
      say("{}\n", error_line(solution, problem));
    }
    const Table table = solution.table(command.points);
    if (!command.csv.empty()) io::write_csv(command.csv, table);
    if (!command.npy.empty()) io::write_npy(command.npy, table);
    if (!command.svg.empty()) {
      io::Figure figure = boundary_figure(solution, problem);
      figure.panels.insert(figure.panels.begin(), panels.begin(), panels.end());
      io::write_svg(command.svg, figure);
    }
  }
  if (!command.json.empty()) io::write_report_json(command.json, solution.report);
  if (!solution.report.usable() && !talks) complain("daewave: {}\n", solution.report.brief());
}

std::string advice_to_continue(const SolveCommand& command, const catalogue::BoundaryEntry& entry,
                               const Report& report) {
  const bool by_newton = report.termination == Termination::not_converged ||
                         report.termination == Termination::singular_matrix ||
                         report.termination == Termination::diverged;
  if (!by_newton || entry.parameters.empty()) return {};
  const auto all = problems::with_changes(entry.name, entry.parameters, command.parameters);
  // One that was set, best; its default is known to be solved.
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].value != entry.parameters[i].value) chosen = i;
  }
  const double value = all[chosen].value, known = entry.parameters[chosen].value;
  const double easier = value != known ? known : value > 0 && value < 0.1 ? 0.1 : 2 * value;
  std::string others;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == chosen || all[i].value == entry.parameters[i].value) continue;
    others += fmt::format(" --set {}={:g}", all[i].name, all[i].value);
  }
  return fmt::format(
      "{}the problem has a parameter: follow it from where it is easier, daewave solve {} "
      "--continue {}={:g}:{:g}{}",
      report.advice.empty() ? "" : "; ", command.problem, all[chosen].name, easier, value, others);
}

int solve_boundary(const SolveCommand& command, const catalogue::BoundaryEntry& entry) {
  const bvp::BoundaryProblem problem = catalogue::make(entry, command.parameters);
  bvp::Options options = boundary_options(command);
  const auto executor = executor_of(command.threads.value_or(1));
  if (command.threads) options.executor = executor.get();
  const Interrupt interrupt(command.time_limit);
  ProgressLine line(!command.quiet);
  options.progress = [&](const bvp::Progress& progress) {
    line.show(progress);
    return !interrupt.requested();
  };
  bvp::Solution solution = bvp::solve(problem, options);
  solution.report.advice += advice_to_continue(command, entry, solution.report);
  give_out(command, problem, solution);
  const bool usable = solution.report.usable();
  if (interrupt.requested() && !usable) {
    complain("daewave: stopped by {}\n", interrupt.reason());
  }
  return usable ? solved : not_solved;
}

int check_boundary(const bvp::BoundaryProblem& problem) {
  say("{}: {}, nx = {}, t in [{:g}, {:g}]\n", problem.name,
      bvp::index_of(problem.equations->kind()), problem.equations->state_size(),
      problem.interval.begin, problem.interval.end);
  const bvp::Solution solution = bvp::solve(problem, {.tolerance = 1e-4});
  say("a solve to 1e-4: {}\n", solution.report.brief());
  for (const std::string& warning : solution.report.warnings) say("warning: {}\n", warning);
  return solution.report.usable() ? solved : not_solved;
}

}  // namespace daewave::cli
