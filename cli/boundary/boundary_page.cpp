#include "cli/boundary/boundary_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/options/problem_named.hpp"
#include "cli/output/page_parts.hpp"
#include "models/model.hpp"

namespace daewave::cli {
namespace {

/// Nodes, and as many times between two of them: where the mesh is fine the solution is not smooth.
std::vector<double> times_of(const Mesh& mesh) {
  const int parts = std::max(1, rows_of_a_screen / mesh.intervals());
  std::vector<double> times;
  for (int i = 0; i < mesh.intervals(); ++i) {
    for (int k = 0; k < parts; ++k) times.push_back(mesh.node(i) + mesh.step(i) * k / parts);
  }
  times.push_back(mesh.end());
  return times;
}

bool begins(const std::string& name, const char* with) {
  const std::string prefix(with);
  return name.starts_with(prefix) && name.size() > prefix.size() &&
         name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
}

page::Plot error_plot(const Table& table, int nx, const std::function<VecX(double t)>& exact) {
  page::Plot plot;
  plot.title = "Error against the exact solution";
  plot.logarithmic = true;
  plot.t = table.columns[0];
  page::Curve error{"largest of the components", {}, {}};
  for (std::size_t i = 0; i < plot.t.size(); ++i) {
    const VecX known = exact(plot.t[i]);
    double most = 0;
    for (int j = 0; j < nx; ++j)
      most = std::max(most, std::abs(table.columns[1 + j][i] - known[j]));
    error.values.push_back(most > 0 ? most : NAN);
  }
  plot.curves.push_back(std::move(error));
  return plot;
}

page::Plot steps_plot(const Mesh& mesh) {
  page::Plot plot;
  plot.title = "Lengths of intervals";
  plot.logarithmic = true;
  plot.points = true;
  page::Curve steps{"length", {}, {}};
  for (int i = 0; i < mesh.intervals(); ++i) {
    plot.t.push_back(mesh.node(i) + mesh.step(i) / 2);
    steps.values.push_back(mesh.step(i));
  }
  plot.curves.push_back(std::move(steps));
  return plot;
}

/// Title of the plot for a column that is none of the state.
std::string title_beside_the_state(const std::string& name) {
  if (name == "drift") return "Residual of the constraints";
  return begins(name, "By") ? "Multiplier term B y" : "Multipliers";
}

}  // namespace

page::Run boundary_run(const bvp::Solution& solution, const std::function<VecX(double t)>& exact,
                       const std::vector<std::string>& units, const std::string& label,
                       const std::string& json) {
  page::Run run = run_about(solution.report, label, json);
  if (!solution.has_values()) return run;
  const Table table = solution.values().table(times_of(solution.mesh()));
  const int nx = solution.nx();
  const ErrorEstimate& estimate = solution.report.error;
  for (int j = 1; j < static_cast<int>(table.names.size()); ++j) {
    const auto column = static_cast<std::size_t>(j);
    const std::string unit = j <= nx && !units.empty() ? units[column - 1] : "";
    const std::string title =
        j <= nx ? title_of_unit(unit) : title_beside_the_state(table.names[column]);
    page::Plot& plot = run.plot(title, unit, table.columns[0]);
    page::Curve curve{table.names[column], table.columns[column], {}};
    if (j <= nx && estimate.available) {
      double size = 1;
      for (const double value : curve.values) size = std::max(size, 1 + std::abs(value));
      curve.error.assign(curve.values.size(), estimate.x * size);
    }
    plot.curves.push_back(std::move(curve));
  }
  if (exact) run.plots.push_back(error_plot(table, nx, exact));
  run.plots.push_back(steps_plot(solution.mesh()));
  run.motion.names.assign(table.names.begin(), table.names.begin() + 1 + nx);
  run.motion.columns.assign(table.columns.begin(), table.columns.begin() + 1 + nx);
  return run;
}

page::Page boundary_page(const SolveCommand& command, const bvp::Solution& solution,
                         const std::function<VecX(double t)>& exact, const std::string& json) {
  page::Page page;
  page.title = title_of(command.problem);
  page.made_by = made_by();
  if (is_model_file(command.problem)) {
    const models::Model& model = model_file(command.problem);
    page.runs.push_back(boundary_run(solution, exact, model.state_units, model.name, json));
  } else {
    page.runs.push_back(boundary_run(solution, exact, {}, command.problem, json));
  }
  if (solution.has_values()) {
    page.subtitle = fmt::format("Boundary values, t from {:g} to {:g}", solution.mesh().begin(),
                                solution.mesh().end());
  }
  return page;
}

}  // namespace daewave::cli
