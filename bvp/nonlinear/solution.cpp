#include "bvp/nonlinear/solution.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace daewave::bvp {

const CollocationCurve& NonlinearSolution::curve() const {
  if (!has_values_) throw InvalidOption("the solve has no values: " + report.brief());
  return curve_;
}

Table NonlinearSolution::table(int points) const {
  if (points < 0 || points == 1) {
    throw InvalidOption(fmt::format("points = {}: must be 0, for the nodes, or >= 2", points));
  }
  const Mesh& mesh = curve().mesh();
  std::vector<double> times = mesh.nodes();
  if (points > 0) {
    times.resize(static_cast<std::size_t>(points));
    for (int i = 0; i < points; ++i) {
      times[i] = i + 1 == points ? mesh.end()
                                 : mesh.begin() + (mesh.end() - mesh.begin()) * i / (points - 1.0);
    }
  }
  const int nx = static_cast<int>(curve_.values().x.rows());
  const int ny = static_cast<int>(curve_.values().carried.rows());
  std::vector<std::vector<double>> columns(static_cast<std::size_t>(nx + ny));
  for (const double t : times) {
    const VecX state = curve_.x(t), carried = curve_.carried(t);
    for (int j = 0; j < nx; ++j) columns[j].push_back(state[j]);
    for (int j = 0; j < ny; ++j) columns[nx + j].push_back(carried[j]);
  }
  Table table;
  table.add("t", times);
  for (int j = 0; j < nx; ++j) {
    const int half = nx / 2;
    table.add(!second_order_ ? fmt::format("x{}", j + 1)
              : j < half     ? fmt::format("q{}", j + 1)
                             : fmt::format("v{}", j - half + 1),
              std::move(columns[j]));
  }
  const char* const name = carries_By_ ? "By" : second_order_ ? "lambda" : "y";
  for (int j = 0; j < ny; ++j) {
    table.add(fmt::format("{}{}", name, j + 1), std::move(columns[nx + j]));
  }
  return table;
}

}  // namespace daewave::bvp
