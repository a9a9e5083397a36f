#include "cli/sweep/boundary_sweep.hpp"

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "bvp/solve.hpp"
#include "cli/boundary/boundary_output.hpp"
#include "cli/boundary/boundary_page.hpp"
#include "cli/options/problem_named.hpp"
#include "cli/sweep/sweep_members.hpp"
#include "cli/sweep/sweep_output.hpp"
#include "core/not_finite.hpp"
#include "io/report_json.hpp"
#include "models/model.hpp"

namespace daewave::cli {
namespace {

using Parameters = std::vector<problems::Parameter>;

/// A problem of either catalogue, with some of its parameters changed, solved.
struct Solved {
  bvp::Solution solution;
  std::function<VecX(double t)> exact;
};
using Solve = std::function<Solved(const Parameters& parameters, const bvp::Options& options)>;

Solve solve_of(const std::string& problem) {
  if (const catalogue::BoundaryEntry* entry = find_boundary(problem)) {
    return [entry](const Parameters& parameters, const bvp::Options& options) {
      const bvp::BoundaryProblem made = catalogue::make(*entry, parameters);
      return Solved{bvp::solve(made, options), made.exact};
    };
  }
  const problems::LinearEntry& entry = find_linear(problem);
  return [&entry](const Parameters& parameters, const bvp::Options& options) {
    const problems::LinearProblem made = problems::make(entry, parameters);
    return Solved{bvp::solve(made.dae, options), made.x_exact};
  };
}

/// Names of x of a solution with these parameters.
std::vector<std::string> state_names(const std::string& problem, const Parameters& parameters) {
  if (const catalogue::BoundaryEntry* entry = find_boundary(problem)) {
    const bvp::BoundaryProblem made = catalogue::make(*entry, parameters);
    std::vector<std::string> names = made.equations->state_names();
    for (int i = static_cast<int>(names.size()); i < made.equations->state_size(); ++i) {
      names.push_back("x" + std::to_string(i + 1));
    }
    return names;
  }
  std::vector<std::string> names;
  const int nx = problems::make(find_linear(problem), parameters).dae->nx();
  for (int i = 0; i < nx; ++i) names.push_back("x" + std::to_string(i + 1));
  return names;
}

SweptRun swept(const Solved& of, const SolveCommand& solve, const Parameters& varied) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const Report& report = of.solution.report;
  SweptRun run;
  run.solved = report.usable();
  run.brief = report.brief();
  run.values = {run.solved ? 1.0 : 0.0, none, report.error.available ? report.error.x : none, none,
                none};
  if (of.solution.has_values()) {
    const Mesh& mesh = of.solution.mesh();
    run.values[1] = mesh.intervals();
    double error = 0;
    for (int i = 0; of.exact && i <= mesh.intervals(); ++i) {
      error = larger(error, largest_size(of.solution.x(mesh.node(i)) - of.exact(mesh.node(i))));
    }
    if (of.exact) run.values[3] = error;
    for (const double t : {mesh.begin(), mesh.end()}) {
      const VecX x = of.solution.x(t);
      run.values.insert(run.values.end(), x.begin(), x.end());
    }
  }
  if (!solve.report.empty()) {
    const std::vector<std::string> units = is_model_file(solve.problem)
                                               ? model_file(solve.problem).state_units
                                               : std::vector<std::string>();
    run.page = boundary_run(of.solution, of.exact, units, text_of(varied), io::report_json(report));
  }
  return run;
}

}  // namespace

int sweep_boundary(const SweepCommand& command, const Grid& grid) {
  SolveCommand solve = command.solve;
  const Solve solve_with = solve_of(solve.problem);
  solve.threads.reset();  // They are for the runs, not in them.
  solve.quiet = true;
  BoundaryRun settings(solve);
  bvp::Options options = nonlinear_options(solve, settings);
  const auto with = [&](int number) {
    Parameters all = solve.parameters;
    const Parameters varied = grid.at(number);
    all.insert(all.end(), varied.begin(), varied.end());
    return all;
  };
  std::vector<std::string> columns = {"solved", "intervals", "error_estimate", "error", "seconds"};
  for (const char* const at : {"(begin)", "(end)"}) {
    for (const std::string& name : state_names(solve.problem, with(0)))
      columns.push_back(name + at);
  }
  SweepOutput output(command, grid, columns);
  options.progress = [&](const bvp::Progress&) { return !output.requested_to_stop(); };
  run_members(
      command, grid.count(), 1,
      [&](int number, int) {
        return std::vector{swept(solve_with(with(number), options), solve, grid.at(number))};
      },
      output);
  return command.solve.is_first_rank() ? output.end() : solved;
}

}  // namespace daewave::cli
