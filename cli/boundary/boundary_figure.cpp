#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "cli/output/figures.hpp"
#include "io/palette.hpp"

namespace daewave::cli {
namespace {

constexpr int points = 800;

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

io::Series series_of(const Table& table, int column, int component) {
  const std::string& name = table.names[column];
  const std::size_t digits = name.find_first_of("0123456789");
  // A name of the problem's own, where there is none at its end.
  if (digits == std::string::npos || digits == 0 ||
      name.find_first_not_of("0123456789", digits) != std::string::npos) {
    return {.label = name,
            .x = table.columns[0],
            .y = table.columns[column],
            .color = io::component_color(component)};
  }
  return {.label = fmt::format("{}_{{{}}}", name.substr(0, digits), name.substr(digits)),
          .x = table.columns[0],
          .y = table.columns[column],
          .color = io::component_color(component)};
}

/// Columns begin, begin + 1, ... of a table over its first; those that would be flat beside larger
/// ones in a panel of their own.
void add_columns(const std::string& title, const Table& table, int begin, int count,
                 io::Figure& figure) {
  constexpr double flat = 0.02;
  std::vector<int> left(static_cast<std::size_t>(std::min(count, most_components)));
  std::iota(left.begin(), left.end(), begin);
  for (bool first = true; !left.empty(); first = false) {
    double most = 0;
    for (const int j : left) most = std::max(most, largest(table.columns[j]));
    io::Panel panel{.title = (first ? title : title + ", smaller components") + drawn_of(count),
                    .x_label = "t"};
    std::vector<int> smaller;
    for (const int j : left) {
      if (largest(table.columns[j]) < flat * most) {
        smaller.push_back(j);
      } else {
        panel.series.push_back(series_of(table, j, j - begin));
      }
    }
    tell_hidden(panel);
    figure.panels.push_back(std::move(panel));
    left = std::move(smaller);
  }
}

io::Panel steps_panel(const Mesh& mesh) {
  io::Panel panel;
  panel.title = "Lengths of intervals";
  panel.x_label = "t";
  panel.log_y = true;
  io::Series steps{.style = io::Style::points, .color = io::no_component};
  for (int i = 0; i < mesh.intervals(); ++i) {
    steps.x.push_back(mesh.node(i) + mesh.step(i) / 2);
    steps.y.push_back(mesh.step(i));
  }
  panel.series.push_back(std::move(steps));
  return panel;
}

io::Panel error_panel(const Table& table, int nx, const bvp::BoundaryProblem& problem) {
  io::Panel panel;
  panel.title = "Error against the exact solution";
  panel.x_label = "t";
  panel.log_y = true;
  io::Series error{.label = "x", .color = io::no_component};
  for (int i = 0; i < table.rows(); ++i) {
    const double t = table.columns[0][i];
    const VecX exact = problem.exact(t);
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

io::Figure boundary_figure(const bvp::Solution& solution, const bvp::BoundaryProblem& problem) {
  const Table table = solution.table(points);
  const int nx = problem.equations->state_size();
  const int carried = static_cast<int>(table.names.size()) - 1 - nx;
  io::Figure figure;
  figure.title = problem.name;
  figure.subtitle = solution.report.brief();
  figure.columns = 2;
  add_columns("Solution", table, 1, nx, figure);
  if (carried > 0) {
    const char* const title = problem.equations->kind() == Kind::invariants ? "Algebraic unknowns"
                              : solution.carries_By()                       ? "B y"
                                                                            : "Multipliers";
    add_columns(title, table, 1 + nx, carried, figure);
  }
  if (problem.exact) {
    figure.panels.push_back(error_panel(table, nx, problem));
  }
  figure.panels.push_back(steps_panel(solution.mesh()));
  return figure;
}

}  // namespace daewave::cli
