#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "cli/initial_value/motion_page.hpp"
#include "cli/options/command_line.hpp"
#include "cli/options/initial_value_options.hpp"
#include "cli/options/problem_named.hpp"
#include "cli/output/option_words.hpp"
#include "cli/output/output_path.hpp"
#include "cli/sweep/boundary_sweep.hpp"
#include "cli/sweep/grid.hpp"
#include "cli/sweep/state_columns.hpp"
#include "cli/sweep/sweep_members.hpp"
#include "cli/sweep/sweep_output.hpp"
#include "core/error.hpp"
#include "core/not_finite.hpp"
#include "io/checksum.hpp"
#include "io/report_json.hpp"
#include "ivp/run/state_names.hpp"
#include "models/model.hpp"

namespace daewave::cli {
namespace {

std::vector<std::string> state_names(const catalogue::InitialValueProblem& of) {
  return ivp::names_of(of.problem().state_names(), static_cast<int>(of.start().size()),
                       of.second_order());
}

/// @param estimates  the table has a column of estimated errors.
SweptRun swept(const ivp::Solution& solution, const catalogue::InitialValueProblem& problem,
               const StateColumns& states, bool estimates) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const IntegrationReport& went = solution.report.integration;
  double error = none;
  std::vector<double> end;
  if (solution.has_values()) {
    end = states.placed(state_names(problem), solution.end());
    if (const std::optional<VecX> exact = problem.reference(solution.t.back())) {
      error = largest_size(solution.end() - *exact);
    }
  }
  SweptRun run;
  run.solved = solution.report.usable();
  run.brief = solution.report.brief();
  run.values = {run.solved ? 1.0 : 0.0,
                went.reached,
                static_cast<double>(went.steps),
                static_cast<double>(went.evaluations),
                went.drift_position,
                went.drift_velocity,
                went.has_energy ? went.energy_change : none,
                error,
                none};
  if (estimates) {
    const ErrorEstimate& estimate = solution.report.error;
    run.values.push_back(estimate.available ? estimate.x : none);
  }
  run.values.insert(run.values.end(), end.begin(), end.end());
  return run;
}

std::vector<std::string> columns_of(const StateColumns& states, bool estimates) {
  std::vector<std::string> columns = {
      "solved",        "t",     "steps",  "evaluations", "drift_position", "drift_velocity",
      "energy_change", "error", "seconds"};
  if (estimates) columns.emplace_back("error_estimate");
  columns.insert(columns.end(), states.names().begin(), states.names().end());
  return columns;
}

catalogue::InitialValueProblemPtr member(const catalogue::Entry& entry, const SolveCommand& solve,
                                         const std::vector<problems::Parameter>& varied) {
  std::vector<problems::Parameter> parameters = solve.parameters;
  parameters.insert(parameters.end(), varied.begin(), varied.end());
  return catalogue::make(entry, parameters);
}

ivp::Options options_of(const SolveCommand& command, const Interval& span,
                        const Interrupt& interrupt) {
  ivp::Options options = initial_value_options(command, span);
  if (command.report.empty()) {
    options.every = 0;
  } else {
    keep_to_draw(command, options);
  }
  options.seek_way_out = false;  // Of many members, each that fails would take as long again.
  options.progress = [&](const ivp::RunProgress&) { return !interrupt.requested(); };
  return options;
}

/// One run, or several side by side in SIMD lanes; empty where these cannot go so.
std::vector<SweptRun> run_group(const catalogue::Entry& entry, const SolveCommand& command,
                                const std::vector<std::vector<problems::Parameter>>& varied,
                                const StateColumns& states, const Interrupt& interrupt) {
  std::vector<catalogue::InitialValueProblemPtr> problems;
  for (const std::vector<problems::Parameter>& one : varied) {
    problems.push_back(member(entry, command, one));
  }
  const catalogue::InitialValueProblem& first = *problems.front();
  const Interval span = first.interval();
  const ivp::Options options = options_of(command, span, interrupt);
  std::vector<SweptRun> runs;
  if (problems.size() == 1) {
    const ivp::Solution solution = in_options(first.solve(span, options));
    runs.push_back(swept(solution, first, states, command.estimate_error));
    if (!command.report.empty()) {
      runs.front().page =
          motion_run(solution, first, text_of(varied.front()), io::report_json(solution.report));
    }
    return runs;
  }
  for (const catalogue::InitialValueProblemPtr& problem : problems) {
    const Interval own = problem->interval();
    if (own.begin != span.begin || own.end != span.end) return runs;
  }
  const std::vector<ivp::Solution> solutions =
      catalogue::InitialValueProblem::solve_members(problems, span, options);
  for (std::size_t i = 0; i < solutions.size(); ++i) {
    runs.push_back(swept(in_options(solutions[i]), *problems[i], states, command.estimate_error));
  }
  return runs;
}

/// The file of members takes the names that a checkpoint of one run has, and their place.
void name_kept(SweepCommand& command) {
  SolveCommand& solve = command.solve;
  if (!solve.checkpoint.empty() && !solve.resume.empty() && solve.checkpoint != solve.resume) {
    throw InvalidOption(fmt::format(
        "--checkpoint {} and --resume {}: a sweep goes on in the file that it goes on from; give "
        "one of them",
        solve.checkpoint, solve.resume));
  }
  if (solve.checkpoint_seconds || solve.checkpoint_steps) {
    throw InvalidOption(
        "--checkpoint-seconds, --checkpoint-steps: a sweep keeps each member when it has ended; "
        "leave them out");
  }
  command.must_be_kept = !solve.resume.empty();
  command.kept = command.must_be_kept ? solve.resume : solve.checkpoint;
  solve.checkpoint.clear();
  solve.resume.clear();
  if (!command.kept.empty() && !solve.report.empty()) {
    throw InvalidOption(fmt::format(
        "--report {}: compares motions, of which {} keeps the ends alone; leave one of them out",
        solve.report, command.kept));
  }
  if (!is_model_file(solve.problem)) return;
  // The name of a file says nothing of what is in it.
  io::Checksum statement;
  statement.add(model_file(solve.problem).statement);
  command.what += "; model " + statement.text();
  for (const problems::Parameter& one : set_by_file(solve.problem, solve.parameters)) {
    command.what += fmt::format("; {}={}", one.name, one.value);
  }
  const Interval& span = model_file(solve.problem).interval;
  command.what += fmt::format("; t=[{}, {}]", span.begin, span.end);
}

/// Ranks keep and write on the first of them.
void share_out(SweepCommand& command) {
  SolveCommand& solve = command.solve;
  if (!solve.report.empty()) {
    throw InvalidOption(
        fmt::format("--report {}: ranks tell each other the ends of motions alone; take daewave "
                    "sweep, or leave "
                    "it out",
                    solve.report));
  }
  if (solve.threads) {
    throw InvalidOption(fmt::format(
        "--threads {}: each rank runs one member at a time; start as many ranks instead, by mpirun "
        "-n",
        *solve.threads));
  }
  if (solve.is_first_rank()) return;
  command.kept.clear();
  solve.csv.clear();
  solve.npy.clear();
  solve.quiet = true;
}

/// One value would be taken, and the others lost without a word.
void refuse_varied(const SolveCommand& solve, const Grid& grid) {
  for (const Axis& axis : grid.axes()) {
    for (const problems::Parameter& one : solve.parameters) {
      if (one.name != axis.name) continue;
      throw InvalidOption(fmt::format(
          "--vary {0}: {0} = {1:g} is set too, by --set, --t-end or --links; leave one of the two "
          "out",
          axis.name, one.value));
    }
  }
}

/// What its table has no place for, so that nothing would be seen of it.
void refuse_unseen(const SolveCommand& solve) {
  if (solve.sensitivities) {
    throw InvalidOption(
        "--sensitivities: is of one run, and the table of a sweep has no place for it; leave it "
        "out, or take daewave solve for each");
  }
  if (!solve.every || !solve.report.empty()) return;
  throw InvalidOption(fmt::format(
      "--every {}: the table of a sweep has the end of each run alone; leave it out, or "
      "draw the runs by --report",
      *solve.every));
}

int sweep_initial_values(const SweepCommand& command, const Grid& grid,
                         const catalogue::Entry& entry) {
  const SolveCommand& solve = command.solve;
  const StateColumns states(grid.count(), [&](int number) {
    return state_names(*member(entry, solve, grid.at(number)));
  });
  const catalogue::InitialValueProblemPtr problem = member(entry, solve, grid.at(states.first()));
  SweepOutput output(command, grid, columns_of(states, solve.estimate_error));
  SolveCommand each = solve;
  each.threads.reset();  // They are for the runs, not in them.
  const ivp::Options options = options_of(each, problem->interval(), output.interrupt());
  ivp::check(options);  // Not by each member again.
  // Side by side in lanes only the ends are kept.
  const int width = !solve.report.empty() ? 1 : std::max(1, problem->members_in_lanes(options));
  run_members(
      command, grid.count(), width,
      [&](int begin, int size) {
        std::vector<std::vector<problems::Parameter>> varied;
        for (int i = begin; i < begin + size; ++i) varied.push_back(grid.at(i));
        return run_group(entry, each, varied, states, output.interrupt());
      },
      output);
  return solve.is_first_rank() ? output.end() : solved;
}

}  // namespace

int run(const SweepCommand& asked) {
  SweepCommand command = asked;
  const SolveCommand& solve = command.solve;
  refuse_unseen(solve);
  name_kept(command);
  if (solve.ranks != nullptr) share_out(command);
  const NamedPath kept = {"--checkpoint", command.kept};
  std::vector<NamedPath> outputs = {
      {"--csv", solve.csv}, {"--npy", solve.npy}, {"--report", solve.report}};
  check_output_paths(outputs);
  check_input_path(kept, outputs);
  outputs.push_back(kept);
  check_model_path(solve.problem, outputs);
  const Grid grid(command.vary);
  refuse_varied(solve, grid);
  if (const catalogue::Entry* entry = find_initial_value(solve.problem)) {
    refuse_boundary_options(solve);
    return sweep_initial_values(command, grid, *entry);
  }
  return sweep_boundary(command, grid);
}

}  // namespace daewave::cli
