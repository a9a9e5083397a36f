#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "bvp/linear/shooting_back.hpp"
#include "bvp/solve.hpp"
#include "cli/boundary/boundary_run.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/problem_named.hpp"
#include "cli/output/figures.hpp"
#include "cli/output/option_words.hpp"
#include "cli/output/output_path.hpp"
#include "cli/output/report_file.hpp"
#include "cli/output/standard_output.hpp"
#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "io/report_json.hpp"

namespace daewave::cli {
namespace {

void check_paths(const SolveCommand& command) {
  const std::vector<NamedPath> results = {
      {"--csv", command.csv}, {"--npy", command.npy},       {"--json", command.json},
      {"--svg", command.svg}, {"--report", command.report}, {"--branch", command.branch}};
  std::vector<NamedPath> outputs = results;
  outputs.push_back({"--checkpoint", command.checkpoint});
  check_output_paths(outputs);
  check_model_path(command.problem, outputs);
  // A run may go on in the checkpoint that it goes on from.
  check_input_path({"--resume", command.resume}, results);
  if (command.points < 0 || command.points == 1) {
    throw InvalidOption(
        fmt::format("--points {}: must be 0 (the nodes) or at least 2", command.points));
  }
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

void tell(const BoundaryRun& run, const problems::LinearProblem& problem,
          const bvp::Solution& solution) {
  run.tell(solution.report);
  if (run.talks() && solution.has_values() && problem.x_exact) {
    say("{}\n", error_line(solution, problem));
  }
}

int solve_once(const SolveCommand& command, const problems::LinearProblem& problem,
               const bvp::Options& options, BoundaryRun& run) {
  const bvp::Solution solution = in_options(bvp::solve(problem.dae, options));
  run.work_has_ended();
  tell(run, problem, solution);
  const ExitCode code = run.end(solution.report.usable(), solution.report.brief());
  OutputFiles files;
  write_results(
      command, solution, [&] { return solution_figure(solution, problem); }, problem.x_exact,
      with_provenance(io::report_json(solution.report), command), files);
  files.end();
  return code;
}

int solve_and_repair(const SolveCommand& command, const problems::LinearProblem& problem,
                     const bvp::Options& options, BoundaryRun& run) {
  const bvp::ShootingBack result = bvp::solve_with_shooting_back(problem.dae, options);
  run.work_has_ended();
  struct Pass {
    const char* name;
    const bvp::Solution& solution;
  };
  const Pass passes[] = {
      {"forward", result.forward}, {"backward", result.backward}, {"redone", result.redone}};
  nlohmann::ordered_json json;
  std::string why;
  for (const Pass& pass : passes) {
    const Report report = in_options(pass.solution.report);
    json[pass.name] = nlohmann::ordered_json::parse(io::report_json(report));
    if (!report.usable() && why.empty()) {
      why = fmt::format("{} pass: {}", pass.name, report.brief());
    }
    if (!run.talks() || report.termination == Termination::not_run) continue;
    say("{} pass: ", pass.name);
    tell(run, problem, pass.solution);
  }
  const ExitCode code = run.end(result.redone.report.usable(), why);
  OutputFiles files;
  write_results(
      command, result.best(), [&] { return shooting_back_figure(result, problem); },
      problem.x_exact, with_provenance(json.dump(2), command), files);
  files.end();
  return code;
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
  if (!continues || find_boundary(command.problem) != nullptr) return;
  if (find_initial_value(command.problem) == nullptr) {
    find_linear(command.problem);
  }
  throw InvalidOption(fmt::format(
      "--continue: {} is no nonlinear boundary value problem; daewave list names those that are, "
      "--set changes a parameter of the others",
      command.problem));
}

/// Refused where conditions are not all at the begin.
catalogue::InitialValueProblemPtr from_begin(const SolveCommand& command,
                                             const problems::LinearProblem& linear) {
  try {
    return catalogue::as_initial_value_problem(linear);
  } catch (const InvalidProblem& refused) {
    const char* const option = command.sensitivities            ? "--sensitivities"
                               : !command.restart_times.empty() ? "--restart-times"
                                                                : nullptr;
    if (option == nullptr) throw;
    throw InvalidOption(fmt::format("{}: is for initial value solves; {}", option, refused.what()));
  }
}

/// Another solve than one of a linear boundary value problem, where the problem or the options ask
/// for it.
std::optional<int> as_another(const SolveCommand& command) {
  if (const flow::FlowEntry* entry = find_flow(command.problem)) {
    return solve_flow(command, *entry);
  }
  if (command.convection) throw InvalidOption("--convection: is for flows; leave it out");
  if (command.steady) throw InvalidOption("--steady: is for flows; leave it out");
  check_continuation(command);
  if (const catalogue::Entry* entry = find_initial_value(command.problem)) {
    return solve_initial_value(command, *catalogue::make(*entry, command.parameters));
  }
  if (const catalogue::BoundaryEntry* entry = find_boundary(command.problem)) {
    return command.continue_in.empty() ? solve_boundary(command, *entry)
                                       : continue_boundary(command, *entry);
  }
  find_linear(command.problem);
  if (!command.asks_for_initial_value()) return {};
  const problems::LinearProblem linear =
      problems::make(find_linear(command.problem), command.parameters);
  return solve_initial_value(command, *from_begin(command, linear));
}

/// Of ranks.
bool shares_iterates(const SolveCommand& command) {
  if (find_flow(command.problem) != nullptr || !command.continue_in.empty()) return false;
  if (find_initial_value(command.problem) != nullptr) return true;
  return find_boundary(command.problem) == nullptr && command.asks_for_initial_value();
}

}  // namespace

int run(const SolveCommand& command) {
  if (command.ranks != nullptr) {
    together(*command.ranks, [&] {
      if (command.is_first_rank()) check_paths(command);
    });
    if (shares_iterates(command)) return *as_another(command);
    if (find_flow(command.problem) == nullptr) check_continuation(command);
    return solve_over_ranks(command);
  }
  check_paths(command);
  if (const std::optional<int> code = as_another(command)) return *code;
  BoundaryRun run(command);
  bvp::Options options = run.options();
  options.partitions = command.partitions;
  options.singular = bvp::singular_handling_named(command.singular);
  bvp::check(options);
  const problems::LinearProblem problem =
      problems::make(find_linear(command.problem), command.parameters);
  check_rows(command, problem.dae->nx());
  return command.shooting_back ? solve_and_repair(command, problem, options, run)
                               : solve_once(command, problem, options, run);
}

}  // namespace daewave::cli
