#include "cli/sweep/boundary_sweep.hpp"

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "bvp/solve.hpp"
#include "cli/boundary/boundary_output.hpp"
#include "cli/boundary/boundary_page.hpp"
#include "cli/options/problem_named.hpp"
#include "cli/output/option_words.hpp"
#include "cli/sweep/state_columns.hpp"
#include "cli/sweep/sweep_members.hpp"
#include "cli/sweep/sweep_output.hpp"
#include "core/not_finite.hpp"
#include "io/report_json.hpp"
#include "models/model.hpp"

namespace daewave::cli {
namespace {

using Parameters = std::vector<problems::Parameter>;

/// A problem of either catalogue, with some of its parameters changed.
struct Made {
  std::vector<std::string> state_names;
  std::function<VecX(double t)> exact;
  std::function<bvp::Solution(const bvp::Options& options)> solve;
};
using Make = std::function<Made(const Parameters& parameters)>;

/// @param names  of the first components; the others are numbered.
std::vector<std::string> with_numbered(std::vector<std::string> names, int size) {
  for (int i = static_cast<int>(names.size()); i < size; ++i) {
    names.push_back("x" + std::to_string(i + 1));
  }
  return names;
}

Make make_of(const std::string& problem) {
  if (const catalogue::BoundaryEntry* entry = find_boundary(problem)) {
    return [entry](const Parameters& parameters) {
      bvp::BoundaryProblem made = catalogue::make(*entry, parameters);
      return Made{with_numbered(made.equations->state_names(), made.equations->state_size()),
                  made.exact,
                  [made](const bvp::Options& options) { return bvp::solve(made, options); }};
    };
  }
  const problems::LinearEntry& entry = find_linear(problem);
  return [&entry](const Parameters& parameters) {
    const problems::LinearProblem made = problems::make(entry, parameters);
    return Made{with_numbered({}, made.dae->nx()), made.x_exact,
                [dae = made.dae](const bvp::Options& options) { return bvp::solve(dae, options); }};
  };
}

SweptRun swept(const Made& problem, const bvp::Solution& solution, const SolveCommand& solve,
               const Parameters& varied, const StateColumns& states) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const Report report = in_options(solution.report);
  SweptRun run;
  run.solved = report.usable();
  run.brief = report.brief();
  run.values = {run.solved ? 1.0 : 0.0, none, report.error.available ? report.error.x : none, none,
                none};
  if (solution.has_values()) {
    const Mesh& mesh = solution.mesh();
    run.values[1] = mesh.intervals();
    double error = 0;
    for (int i = 0; problem.exact && i <= mesh.intervals(); ++i) {
      error = larger(error, largest_size(solution.x(mesh.node(i)) - problem.exact(mesh.node(i))));
    }
    if (problem.exact) run.values[3] = error;
    for (const double t : {mesh.begin(), mesh.end()}) {
      const std::vector<double> x = states.placed(problem.state_names, solution.x(t));
      run.values.insert(run.values.end(), x.begin(), x.end());
    }
  }
  if (!solve.report.empty()) {
    const std::vector<std::string> units = is_model_file(solve.problem)
                                               ? model_file(solve.problem).state_units
                                               : std::vector<std::string>();
    run.page =
        boundary_run(solution, problem.exact, units, text_of(varied), io::report_json(report));
  }
  return run;
}

}  // namespace

int sweep_boundary(const SweepCommand& command, const Grid& grid) {
  SolveCommand solve = command.solve;
  const Make make = make_of(solve.problem);
  solve.threads.reset();  // They are for the runs, not in them.
  solve.quiet = true;
  BoundaryRun settings(solve);
  bvp::Options options = nonlinear_options(solve, settings);
  bvp::check(options);  // Not by each member again.
  const auto member = [&](int number) {
    Parameters all = solve.parameters;
    const Parameters varied = grid.at(number);
    all.insert(all.end(), varied.begin(), varied.end());
    return make(all);
  };
  const StateColumns states(grid.count(), [&](int number) { return member(number).state_names; });
  std::vector<std::string> columns = {"solved", "intervals", "error_estimate", "error", "seconds"};
  for (const char* const at : {"(begin)", "(end)"}) {
    for (const std::string& name : states.names()) columns.push_back(name + at);
  }
  SweepOutput output(command, grid, columns);
  options.progress = [&](const bvp::Progress&) { return !output.requested_to_stop(); };
  run_members(
      command, grid.count(), 1,
      [&](int number, int) {
        const Made problem = member(number);
        return std::vector{swept(problem, problem.solve(options), solve, grid.at(number), states)};
      },
      output);
  return command.solve.is_first_rank() ? output.end() : solved;
}

}  // namespace daewave::cli
