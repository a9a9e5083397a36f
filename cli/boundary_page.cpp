#include "cli/boundary_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/motion_page.hpp"

namespace daewave::cli {
namespace {

// A little more than a wide screen has.
constexpr int rows_wanted = 3000;

/// Nodes, and as many times between two of them: where the mesh is fine the solution is not smooth.
std::vector<double> times_of(const Mesh& mesh) {
  const int parts = std::max(1, rows_wanted / mesh.intervals());
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

/// Title of the plot for column j of a table whose first nx after t are the state.
std::string title_of_column(const Table& table, int j, int nx) {
  const std::string& name = table.names[static_cast<std::size_t>(j)];
  if (name == "drift") return "Residual of the constraints";
  if (j <= nx) return "State";
  if (begins(name, "By")) return "Multiplier term B y";
  return "Multipliers";
}

}  // namespace

page::Run boundary_run(const bvp::Solution& solution, const std::function<VecX(double t)>& exact,
                       const std::string& label, const std::string& json) {
  page::Run run;
  run.label = label;
  run.usable = solution.report.usable();
  run.brief = solution.report.brief();
  run.report = json;
  if (!solution.has_values()) return run;
  const Table table = solution.values().table(times_of(solution.mesh()));
  const int nx = solution.nx();
  const ErrorEstimate& estimate = solution.report.error;
  for (int j = 1; j < static_cast<int>(table.names.size()); ++j) {
    const std::string title = title_of_column(table, j, nx);
    const auto column = static_cast<std::size_t>(j);
    page::Plot& plot = run.plot(title, "", table.columns[0]);
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
  for (const SingularPoint& point : solution.report.singular_points) {
    if (run.marks.size() < 100) run.marks.push_back({point.t, point.kind});
  }
  return run;
}

page::Page boundary_page(const SolveCommand& command, const bvp::Solution& solution,
                         const std::function<VecX(double t)>& exact, const std::string& json) {
  page::Page page;
  page.title = title_of(command.problem);
  page.made_by = made_by();
  page.runs.push_back(boundary_run(solution, exact, command.problem, json));
  if (solution.has_values()) {
    page.subtitle = fmt::format("Boundary values, t from {:g} to {:g}", solution.mesh().begin(),
                                solution.mesh().end());
  }
  return page;
}

}  // namespace daewave::cli
