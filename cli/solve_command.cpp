#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bvp/linear/shooting_back.hpp"
#include "bvp/solve.hpp"
#include "cli/command_line.hpp"
#include "cli/figures.hpp"
#include "cli/interrupt.hpp"
#include "cli/output_path.hpp"
#include "cli/progress_line.hpp"
#include "cli/standard_output.hpp"
#include "cli/threads.hpp"
#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "io/atomic_file.hpp"
#include "io/csv.hpp"
#include "io/npy.hpp"
#include "io/report_json.hpp"
#include "io/svg_plot.hpp"

namespace daewave::cli {
namespace {

bvp::Options options_of(const SolveCommand& command) {
  bvp::Options options;
  options.tolerance = command.tolerance;
  if (command.scheme) options.scheme = scheme_named(*command.scheme);
  options.stages = command.stages;
  options.intervals = command.intervals;
  options.max_intervals = command.max_intervals;
  options.samples = command.samples;
  options.epsilon = command.epsilon;
  options.alpha1 = command.alpha1;
  options.alpha2 = command.alpha2;
  if (command.weight) options.weight = weight_named(*command.weight);
  options.iterates = command.iterates;
  options.linear_solver = command.linear_solver;
  options.partitions = command.partitions;
  options.singular = bvp::singular_handling_named(command.singular);
  return options;
}

void check_paths(const SolveCommand& command) {
  const std::vector<NamedPath> results = {{"--csv", command.csv},
                                          {"--npy", command.npy},
                                          {"--json", command.json},
                                          {"--svg", command.svg},
                                          {"--branch", command.branch}};
  std::vector<NamedPath> outputs = results;
  outputs.push_back({"--checkpoint", command.checkpoint});
  check_output_paths(outputs);
  // A run may go on in the checkpoint that it goes on from.
  check_input_path({"--resume", command.resume}, results);
  if (command.points < 0 || command.points == 1) {
    throw InvalidOption(
        fmt::format("--points {}: must be 0 (the nodes) or at least 2", command.points));
  }
}

bool writes_to_standard_output(const SolveCommand& command) {
  return command.csv == "-" || command.npy == "-" || command.json == "-" || command.svg == "-";
}

std::string error_line(const bvp::Solution& solution, const problems::LinearProblem& problem) {
  double x = 0, By = 0;
  for (int i = 0; i <= solution.mesh().intervals(); ++i) {
    const VecX exact = problem.x_exact(solution.mesh().node(i));
    x = larger(x, largest_size(solution.x_at_node(i) - exact));
  }
  for (int i = 0; i < solution.mesh().intervals(); ++i) {
    for (int j = 0; j < solution.scheme().stages; ++j) {
      const VecX exact = problem.By_exact(solution.stage_time(i, j));
      By = larger(By, largest_size(solution.By_at_stage(i, j) - exact));
    }
  }
  return fmt::format(
      "error against the exact solution: x {:.2e} at the nodes, By {:.2e} at the stages", x, By);
}

void print_report(const SolveCommand& command, const Report& report) {
  if (command.verbose) {
    say("{}", report.full());
    return;
  }
  say("{}\n", report.brief());
  if (command.explain) say("{}", report.explain());
  say("{}", report.singular_points_text());
  for (const std::string& warning : report.warnings) say("warning: {}\n", warning);
}

void write_results(const SolveCommand& command, const bvp::Solution& solution) {
  if (!solution.has_values() || (command.csv.empty() && command.npy.empty())) return;
  const Table table = solution.table(command.points);
  if (!command.csv.empty()) io::write_csv(command.csv, table);
  if (!command.npy.empty()) io::write_npy(command.npy, table);
}

int solve_once(const SolveCommand& command, const problems::LinearProblem& problem,
               const bvp::Options& options, bool talks) {
  const bvp::Solution solution = bvp::solve(problem.dae, options);
  if (talks) {
    print_report(command, solution.report);
    if (solution.has_values() && problem.x_exact) {
      say("{}\n", error_line(solution, problem));
    }
  }
  write_results(command, solution);
  if (!command.json.empty()) io::write_report_json(command.json, solution.report);
  if (!command.svg.empty() && solution.has_values()) {
    io::write_svg(command.svg, solution_figure(solution, problem));
  }
  if (!solution.report.usable() && !talks) {
    complain("daewave: {}\n", solution.report.brief());
  }
  return solution.report.usable() ? solved : not_solved;
}

int solve_and_repair(const SolveCommand& command, const problems::LinearProblem& problem,
                     const bvp::Options& options, bool talks) {
  const bvp::ShootingBack result = bvp::solve_with_shooting_back(problem.dae, options);
  struct Pass {
    const char* name;
    const bvp::Solution& solution;
  };
  const Pass passes[] = {
      {"forward", result.forward}, {"backward", result.backward}, {"redone", result.redone}};
  if (talks) {
    for (const Pass& pass : passes) {
      if (pass.solution.report.termination == Termination::not_run) continue;
      say("{} pass: ", pass.name);
      print_report(command, pass.solution.report);
      if (pass.solution.has_values() && problem.x_exact) {
        say("{}\n", error_line(pass.solution, problem));
      }
    }
  }
  const bvp::Solution& best = result.best();
  write_results(command, best);
  if (!command.json.empty()) {
    nlohmann::ordered_json json;
    for (const Pass& pass : passes) {
      json[pass.name] = nlohmann::ordered_json::parse(io::report_json(pass.solution.report));
    }
    io::write_file(command.json, json.dump(2) + "\n");
  }
  if (!command.svg.empty() && best.has_values()) {
    io::write_svg(command.svg, shooting_back_figure(result, problem));
  }
  const bool usable = result.redone.report.usable();
  if (!usable && !talks) {
    for (const Pass& pass : passes) {
      if (pass.solution.report.usable()) continue;
      complain("daewave: {} pass: {}\n", pass.name, pass.solution.report.brief());
      break;
    }
  }
  return usable ? solved : not_solved;
}

/// Of what is continued there must be a parameter.
void check_continuation(const SolveCommand& command) {
  const bool continues = !command.continue_in.empty();
  if (!continues && command.arclength) {
    throw InvalidOption("--arclength: is of --continue NAME=FROM:TO; give that too");
  }
  if (!continues && !command.branch.empty()) {
    throw InvalidOption("--branch: is of --continue NAME=FROM:TO; give that too");
  }
  if (!continues || catalogue::find_boundary(command.problem) != nullptr) return;
  if (catalogue::find(command.problem) == nullptr) {
    problems::entry_named(command.problem, catalogue::all_names());
  }
  throw InvalidOption(fmt::format(
      "--continue: {} is no nonlinear boundary value problem; daewave list names those that are, "
      "--set changes a parameter of the others",
      command.problem));
}

/// Another solve than one of a linear boundary value problem, where the problem or the options ask
/// for it.
std::optional<int> as_another(const SolveCommand& command) {
  check_continuation(command);
  if (const catalogue::Entry* entry = catalogue::find(command.problem)) {
    return solve_initial_value(command, *catalogue::make(*entry, command.parameters));
  }
  if (const catalogue::BoundaryEntry* entry = catalogue::find_boundary(command.problem)) {
    return command.continue_in.empty() ? solve_boundary(command, *entry)
                                       : continue_boundary(command, *entry);
  }
  problems::entry_named(command.problem, catalogue::all_names());
  if (!command.asks_for_initial_value()) return {};
  const problems::LinearProblem linear =
      problems::make(problems::entry_named(command.problem), command.parameters);
  return solve_initial_value(command, *catalogue::as_initial_value_problem(linear));
}

}  // namespace

int run(const SolveCommand& command) {
  check_paths(command);
  if (const std::optional<int> code = as_another(command)) return *code;
  bvp::Options options = options_of(command);
  bvp::check(options);
  const problems::LinearProblem problem =
      problems::make(problems::entry_named(command.problem), command.parameters);
  const auto executor = executor_of(command.threads.value_or(1));
  if (command.threads) options.executor = executor.get();
  const bool talks = !command.quiet && !writes_to_standard_output(command);
  const Interrupt interrupt(command.time_limit);
  ProgressLine line(!command.quiet);
  options.progress = [&](const bvp::Progress& progress) {
    line.show(progress);
    return !interrupt.requested();
  };
  const int code = command.shooting_back ? solve_and_repair(command, problem, options, talks)
                                         : solve_once(command, problem, options, talks);
  if (interrupt.requested() && code != solved) {
    complain("daewave: stopped by {}\n", interrupt.reason());
  }
  return code;
}

}  // namespace daewave::cli
