#include <fmt/format.h>

#include <algorithm>

#include "cli/figures.hpp"

namespace daewave::cli {
namespace {

constexpr int points = 800, most_components = 8;

/// Columns begin, begin + 1, ... of a table over its first.
io::Panel columns_panel(const std::string& title, const Table& table, int begin, int count) {
  io::Panel panel;
  panel.title = title;
  panel.x_label = "t";
  for (int j = begin; j < begin + std::min(count, most_components); ++j) {
    const std::string& name = table.names[j];
    const std::size_t digits = name.find_first_of("0123456789");
    panel.series.push_back(
        {.label = fmt::format("{}_{{{}}}", name.substr(0, digits), name.substr(digits)),
         .x = table.columns[0],
         .y = table.columns[j]});
  }
  return panel;
}

io::Panel steps_panel(const Mesh& mesh) {
  io::Panel panel;
  panel.title = "Lengths of intervals";
  panel.x_label = "t";
  panel.log_y = true;
  io::Series steps{.style = io::Style::points};
  for (int i = 0; i < mesh.intervals(); ++i) {
    steps.x.push_back(mesh.node(i) + mesh.step(i) / 2);
    steps.y.push_back(mesh.step(i));
  }
  panel.series.push_back(std::move(steps));
  return panel;
}

io::Panel error_panel(const Table& table, int nx, const catalogue::BoundaryProblem& problem) {
  io::Panel panel;
  panel.title = "Error against the exact solution";
  panel.x_label = "t";
  panel.log_y = true;
  io::Series error{.label = "x"};
  for (int i = 0; i < table.rows(); ++i) {
    const double t = table.columns[0][i];
    const VecX exact = *problem.exact(t);
    double most = 0;
    for (int j = 0; j < nx; ++j)
      most = std::max(most, std::abs(table.columns[1 + j][i] - exact[j]));
    error.x.push_back(t);
    error.y.push_back(most);
  }
  panel.series.push_back(std::move(error));
  return panel;
}

}  // namespace

io::Figure boundary_figure(const bvp::NonlinearSolution& solution,
                           const catalogue::BoundaryProblem& problem) {
  const Table table = solution.table(points);
  const int nx = problem.nx();
  const int carried = static_cast<int>(table.names.size()) - 1 - nx;
  io::Figure figure;
  figure.title = problem.name();
  figure.subtitle = solution.report.brief();
  figure.columns = 2;
  figure.panels.push_back(columns_panel("Solution", table, 1, nx));
  if (carried > 0) {
    figure.panels.push_back(
        columns_panel(problem.kind() == "index 1" ? "Algebraic unknowns" : "Multipliers", table,
                      1 + nx, carried));
  }
  if (problem.exact(problem.interval().begin)) {
    figure.panels.push_back(error_panel(table, nx, problem));
  }
  figure.panels.push_back(steps_panel(solution.mesh()));
  return figure;
}

}  // namespace daewave::cli
