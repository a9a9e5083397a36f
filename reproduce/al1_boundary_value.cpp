#include "reproduce/al1_boundary_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "bvp/linear/shooting_back.hpp"
#include "bvp/solve.hpp"
#include "problems/al1.hpp"

namespace daewave::reproduce {
namespace {

enum class Quantity { ex, ey, drift };

const char* name_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::ex:
      return "ex";
    case Quantity::ey:
      return "ey";
    case Quantity::drift:
      return "drift";
  }
  return "unknown";
}

/// One printed line: values from left to right at the columns of its table.
struct PrintedRow {
  double epsilon;
  int iterate;
  Quantity quantity;
  std::array<double, 5> values;
};

constexpr int intervals = 100;
constexpr std::array<double, 5> columns{0.01, 0.1, 0.3, 0.5, 1.0};
constexpr std::array<int, 5> nodes{1, 10, 30, 50, 100};

const std::vector<PrintedRow> printed_5_1{
    // clang-format off
    {0.1, 1, Quantity::ex, {0.038, 0.035, 0.056, 0.052, 0.039}},
    {0.1, 1, Quantity::ey, {0.96, 0.4, 0.14, 0.034, 0.066}},
    {0.1, 1, Quantity::drift, {0.0087, 0.049, 0.051, 0, 0.061}},
    {0.1, 2, Quantity::ex, {0.0092, 0.037, 0.0089, 0.0065, 0.0072}},
    {0.1, 2, Quantity::ey, {0.91, 0.0096, 0.14, 0.034, 0.0065}},
    {0.1, 2, Quantity::drift, {0.009, 0.032, 0.0061, 0, 0.0072}},
    {0.1, 3, Quantity::ex, {0.0094, 0.019, 0.012, 0.0063, 0.0015}},
    {0.1, 3, Quantity::ey, {0.87, 0.2, 0.03, 0.043, 0.00085}},
    {0.1, 3, Quantity::drift, {0.0086, 0.016, 0.0043, 0, 0.00074}},
    {0.05, 1, Quantity::ex, {0.019, 0.025, 0.028, 0.024, 0.019}},
    {0.05, 1, Quantity::ey, {0.91, 0.15, 0.14, 0.025, 0.032}},
    {0.05, 1, Quantity::drift, {0.0086, 0.034, 0.019, 0, 0.029}},
    {0.05, 2, Quantity::ex, {0.0085, 0.013, 0.0018, 0.0022, 0.0015}},
    {0.05, 2, Quantity::ey, {0.83, 0.15, 0.015, 0.0018, 0.00088}},
    {0.05, 2, Quantity::drift, {0.0082, 0.011, 0.0001, 0, 0.0016}},
    {0.05, 3, Quantity::ex, {0.0076, 0.0008, 0.0017, 0.00023, 0.0001}},
    {0.05, 3, Quantity::ey, {0.75, 0.17, 0.025, 0.0016, 0.00028}},
    {0.05, 3, Quantity::drift, {0.0074, 0.00075, 0.0043, 0, 5.9e-05}},
    {0.01, 1, Quantity::ex, {0.0038, 0.006, 0.0053, 0.0044, 0.0038}},
    {0.01, 1, Quantity::ey, {0.67, 0.003, 0.004, 0.0048, 0.0062}},
    {0.01, 1, Quantity::drift, {0.0065, 0.008, 0.0038, 0, 0.0055}},
    {0.01, 2, Quantity::ex, {0.0045, 0.0001, 8.8e-05, 7.7e-05, 6.4e-05}},
    {0.01, 2, Quantity::ey, {0.45, 0.00032, 7e-05, 4.4e-05, 2.3e-05}},
    {0.01, 2, Quantity::drift, {0.0044, 1.5e-05, 1.4e-05, 0, 6.8e-05}},
    {0.01, 3, Quantity::ex, {0.003, 5.5e-06, 5.2e-06, 5.9e-06, 1.1e-05}},
    {0.01, 3, Quantity::ey, {0.3, 0.0018, 2.6e-05, 1.8e-05, 6.7e-06}},
    {0.01, 3, Quantity::drift, {0.0029, 1.7e-06, 2.6e-06, 0, 5.6e-06}},
    {0.001, 1, Quantity::ex, {0.0013, 0.00058, 0.00052, 0.00045, 0.00039}},
    {0.001, 1, Quantity::ey, {0.17, 0.0047, 0.00041, 0.00049, 0.00062}},
    {0.001, 1, Quantity::drift, {0.0017, 0.00079, 0.00038, 0, 0.00054}},
    {0.001, 2, Quantity::ex, {0.0003, 7.1e-05, 7.5e-06, 7.2e-06, 1.2e-05}},
    {0.001, 2, Quantity::ey, {0.03, 0.017, 3.4e-05, 1.3e-05, 5.4e-06}},
    {0.001, 2, Quantity::drift, {0.0003, 5.1e-05, 2e-06, 0, 6.5e-06}},
    {0.001, 3, Quantity::ex, {6.5e-05, 0.00015, 7e-06, 7e-06, 1.2e-05}},
    {0.001, 3, Quantity::ey, {0.007, 0.033, 0.00012, 1.4e-05, 5.6e-06}},
    {0.001, 3, Quantity::drift, {6.9e-05, 0.00011, 2.1e-06, 0, 5.9e-06}},
    {1e-6, 1, Quantity::ex, {2.1e-05, 9.2e-06, 1.4e-05, 1.8e-05, 2.4e-05}},
    {1e-6, 1, Quantity::ey, {0.0027, 0.0027, 0.0027, 0.0027, 0.0026}},
    {1e-6, 1, Quantity::drift, {2.6e-05, 1.9e-06, 2.7e-06, 0, 1.8e-05}},
    {1e-6, 2, Quantity::ex, {1.9e-05, 8.8e-06, 1.4e-05, 1.8e-05, 2.4e-05}},
    {1e-6, 2, Quantity::ey, {0.0025, 0.0025, 0.0025, 0.0025, 0.0025}},
    {1e-6, 2, Quantity::drift, {1.8e-06, 2e-06, 2.8e-06, 0, 2.4e-05}},
    {1e-6, 3, Quantity::ex, {1.9e-05, 8.8e-06, 1.4e-05, 1.8e-05, 2.4e-05}},
    {1e-6, 3, Quantity::ey, {0.0025, 0.0025, 0.0025, 0.0025, 0.0025}},
    {1e-6, 3, Quantity::drift, {2.4e-05, 1.9e-06, 2.8e-06, 0, 1.8e-05}},
    // clang-format on
};

const std::vector<PrintedRow> printed_5_2{
    // clang-format off
    {0.1, 3, Quantity::ex, {0.0062, 0.0054, 0.0039, 0.0028}},
    {0.1, 3, Quantity::ey, {0.0048, 0.0045, 0.0044, 0.0054}},
    {0.05, 3, Quantity::ex, {0.00076, 0.00058, 0.00032, 0.00017}},
    {0.05, 3, Quantity::ey, {0.0022, 0.0018, 0.001, 0.0005}},
    {0.01, 3, Quantity::ex, {5.7e-05, 4.9e-05, 3.5e-05, 2.6e-05}},
    {0.01, 3, Quantity::ey, {0.0001, 8.5e-05, 5.2e-05, 3.2e-05}},
    {0.001, 3, Quantity::ex, {4.9e-05, 4.2e-05, 3.1e-05, 2.3e-05}},
    {0.001, 3, Quantity::ey, {5.6e-05, 4.6e-05, 3e-05, 1.9e-05}},
    // clang-format on
};

/// Entries of Table 5.1 that cannot be right; docs/errata.md says why.
bool is_misprint_5_1(const PrintedRow& row, int column) {
  struct Place {
    double epsilon;
    int iterate;
    Quantity quantity;
    int column;
  };
  static const std::vector<Place> misprints{
      {0.1, 1, Quantity::ey, 2},     {0.1, 1, Quantity::ey, 3},     {0.1, 1, Quantity::drift, 2},
      {0.05, 1, Quantity::ey, 2},    {0.05, 2, Quantity::ey, 4},    {0.05, 3, Quantity::drift, 1},
      {0.05, 3, Quantity::drift, 2}, {1e-6, 2, Quantity::drift, 0}, {1e-6, 2, Quantity::drift, 4}};
  return std::any_of(misprints.begin(), misprints.end(), [&](const Place& place) {
    return place.epsilon == row.epsilon && place.iterate == row.iterate &&
           place.quantity == row.quantity && place.column == column;
  });
}

bvp::Options options_for(double epsilon, int iterates, const std::string& linear_solver) {
  bvp::Options options;
  options.scheme = Scheme::midpoint;
  options.intervals = intervals;
  options.epsilon = epsilon;
  options.alpha1 = 0;
  options.iterates = iterates;
  options.linear_solver = linear_solver;
  return options;
}

double measure(const bvp::Solution& solution, Quantity quantity, int node) {
  if (!solution.has_values()) return std::numeric_limits<double>::quiet_NaN();
  const problems::Al1Example1 problem;
  const double t = solution.mesh().node(node);
  const VecX x = solution.x_at_node(node);
  switch (quantity) {
    case Quantity::ex:
      return (x - problem.x_exact(t)).cwiseAbs().maxCoeff();
    case Quantity::ey: {
      const VecX exact = problem.By_exact(solution.stage_time(node - 1, 0));
      return (solution.By_at_stage(node - 1, 0) - exact).cwiseAbs().maxCoeff();
    }
    case Quantity::drift:
      return (problem.C(t) * x + problem.r(t)).cwiseAbs().maxCoeff();
  }
  return 0;
}

void add_row(PrintedTable& table, const PrintedRow& row, std::size_t count,
             const bvp::Solution& solution) {
  for (std::size_t c = 0; c < count; ++c) {
    PrintedEntry entry;
    entry.row = fmt::format("eps={:g} it{} {}", row.epsilon, row.iterate, name_of(row.quantity));
    entry.column = fmt::format("t={:g}", columns[c]);
    entry.computed = measure(solution, row.quantity, nodes[c]);
    entry.printed = row.values[c];
    entry.misprint = table.id == "al1-5.1" && is_misprint_5_1(row, static_cast<int>(c));
    table.entries.push_back(std::move(entry));
  }
}

}  // namespace

PrintedTable al1_table_5_1(const std::string& linear_solver) {
  PrintedTable table{
      "al1-5.1", "[AL1] Table 5.1: errors of Example 1, midpoint scheme, h = 0.01", {}};
  bvp::Solution solution;
  double epsilon = 0;
  int iterate = 0;
  for (const PrintedRow& row : printed_5_1) {
    if (row.epsilon != epsilon || row.iterate != iterate) {
      epsilon = row.epsilon;
      iterate = row.iterate;
      solution = bvp::solve(problems::Al1Example1{}, options_for(epsilon, iterate, linear_solver));
    }
    add_row(table, row, columns.size(), solution);
  }
  return table;
}

PrintedTable al1_table_5_2(const std::string& linear_solver) {
  PrintedTable table{
      "al1-5.2", "[AL1] Table 5.2: errors of Example 1, shooting-back pass, 3 iterates", {}};
  bvp::ShootingBackOptions shooting;
  shooting.correct_along = MatX{{1}, {0}};
  bvp::Solution backward;
  double epsilon = 0;
  for (const PrintedRow& row : printed_5_2) {
    if (row.epsilon != epsilon) {
      epsilon = row.epsilon;
      const bvp::Options options = options_for(epsilon, 3, linear_solver);
      const bvp::Solution forward = bvp::solve(problems::Al1Example1{}, options);
      backward = forward.has_values() ? bvp::shoot_back(forward, options, shooting) : forward;
    }
    add_row(table, row, columns.size() - 1, backward);
  }
  return table;
}

}  // namespace daewave::reproduce
