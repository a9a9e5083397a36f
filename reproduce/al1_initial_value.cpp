#include "reproduce/al1_initial_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/adapt/problem_of.hpp"
#include "core/not_finite.hpp"
#include "core/problem/linear_as_semi_explicit.hpp"
#include "core/regularize/regularize_problem.hpp"
#include "core/time/mesh.hpp"
#include "ivp/srm/srm_step.hpp"
#include "problems/al1.hpp"
#include "reproduce/park_chiou.hpp"

namespace daewave::reproduce {
namespace {

using problems::Al1Example2;
using problems::Al1Example3;
using problems::Al1Example4;

constexpr int steps = 1000;
constexpr double h = 1e-3;
constexpr double not_solved = std::numeric_limits<double>::quiet_NaN();

enum class Formula { backward_euler, forward_euler };

const char* name_of(Formula formula) {
  return formula == Formula::backward_euler ? "backward Euler" : "forward Euler";
}

/// Equal steps but for the node at 0.5, which lies at `t`.
Mesh node_moved(double t) {
  std::vector<double> nodes = uniform_mesh(0, 1, steps).nodes();
  nodes[steps / 2] = t;
  return Mesh(std::move(nodes));
}

/// Nodes at (i + 1/2) h; the first step is longer, the last one shorter.
Mesh mesh_moved() {
  std::vector<double> nodes{0};
  for (int i = 1; i < steps; ++i) nodes.push_back((i + 0.5) * h);
  nodes.push_back(1);
  return Mesh(std::move(nodes));
}

/// One run: the form of the regularization, the formula, where the nodes are, and y_0.
struct Run {
  Formula formula = Formula::backward_euler;
  Mesh mesh{};
  int iterates = 3;
  double epsilon = 0.1;
  double alpha1 = 0;
  bool y0_is_one = true;
};

struct Errors {
  double x = 0, By = 0, drift = 0;
};

template <class P>
Errors errors_of(const P& problem, double t, const VecX& x, const VecX& By) {
  return {(x - problem.x_exact(t)).cwiseAbs().maxCoeff(),
          (By - problem.By_exact(t)).cwiseAbs().maxCoeff(),
          (problem.C(t) * x + problem.r(t)).cwiseAbs().maxCoeff()};
}

ivp::SrmFormula formula_of(Formula formula) {
  if (formula == Formula::forward_euler) return ivp::tableau(ivp::Stepper::forward_euler);
  return collocation(Scheme::radau, 1);
}

/// Errors of each iterate at all nodes but the first; fewer than there are steps where the run
/// ended early.
template <class P>
std::vector<std::vector<Errors>> errors_at_nodes(const P& problem, const Run& run) {
  const LinearAsSemiExplicit nonlinear(erase(problem));
  const Regularization form{.variant = Variant::direct,
                            .weight = Weight::inverse,
                            .epsilon = run.epsilon,
                            .alpha1 = run.alpha1};
  const double y_0 = run.y0_is_one ? 1 : 0;
  const VecX start = problem.x_exact(0);
  const DaeProblemPtr erased = problem_of(nonlinear, start, run.mesh.begin());
  ivp::SrmStep step(regularize(*erased, form), formula_of(run.formula), run.iterates,
                    [y_0](double, VecX& y) { y.setConstant(y_0); });
  std::vector<std::vector<Errors>> all(static_cast<std::size_t>(run.iterates));
  if (!step.start(run.mesh.begin(), start)) return all;
  for (int i = 0; i < run.mesh.intervals(); ++i) {
    if (std::isnan(step.attempt(run.mesh.node(i + 1) - step.t())) || !step.accept()) return all;
    for (int s = 1; s <= run.iterates; ++s) {
      const ivp::IterateState& at = step.iterate(s);
      const VecX By = problem.B(step.t()) * at.carried;
      all[static_cast<std::size_t>(s - 1)].push_back(errors_of(problem, step.t(), at.x, By));
    }
  }
  return all;
}

Errors at_node(const std::vector<Errors>& all, int node) {
  const auto i = static_cast<std::size_t>(node - 1);
  return i < all.size() ? all[i] : Errors{not_solved, not_solved, not_solved};
}

Errors largest(const std::vector<Errors>& all) {
  if (static_cast<int>(all.size()) < steps) return {not_solved, not_solved, not_solved};
  Errors most;
  for (const Errors& at : all) {
    most.x = larger(most.x, at.x);
    most.By = larger(most.By, at.By);
    most.drift = larger(most.drift, at.drift);
  }
  return most;
}

/// One iterate of Tables 5.3 and 5.4, from left to right.
struct PrintedIterate {
  std::array<double, 5> ex, ey, drift;
};

constexpr std::array<int, 5> columns{1, 100, 300, 500, 1000};

const std::array<PrintedIterate, 3> printed_5_3{{
    // clang-format off
    {{2.0e-6, 0.0072, 0.037, 0.063, 0.11},
     {0.0020, 0.12, 0.15, 0.12, 0.059},
     {1.5e-6, 0.0060, 0.016, 7.6e-5, 0.15}},
    {{2.0e-6, 0.0051, 0.013, 0.010, 0.0025},
     {0.0020, 0.068, 0.0045, 0.020, 0.0080},
     {1.5e-6, 0.0042, 0.0058, 1.4e-5, 0.0067}},
    {{2.0e-6, 0.0035, 0.0023, 0.0016, 0.00076},
     {0.0020, 0.032, 0.026, 0.010, 0.0037},
     {1.5e-6, 0.0029, 0.0012, 1.0e-6, 0.0012}},
    // clang-format on
}};

const std::array<PrintedIterate, 3> printed_5_4{{
    // clang-format off
    {{5.0e-7, 0.0071, 0.036, 0.063, 0.11},
     {0.0020, 0.12, 0.15, 0.12, 0.060},
     {5.0e-7, 0.0060, 0.016, 7.6e-5, 0.15}},
    {{5.0e-7, 0.0051, 0.012, 0.010, 0.0044},
     {0.0020, 0.068, 0.0041, 0.020, 0.0070},
     {5.0e-7, 0.0042, 0.0058, 1.4e-5, 0.0067}},
    {{5.0e-7, 0.0035, 0.0043, 0.0018, 0.00098},
     {0.0020, 0.032, 0.026, 0.0097, 0.0046},
     {5.0e-7, 0.0029, 0.0012, 1.1e-6, 0.0012}},
    // clang-format on
}};

/// The printed value is wrong; docs/errata.md says why.
bool is_misprint(const std::string& id, const std::string& row, const std::string& column) {
  struct Place {
    const char *id, *row, *column;
  };
  static const std::vector<Place> misprints{{"al1-5.3", "it2 ex", "t=1"},
                                            {"al1-5.4", "it3 ex", "t=0.3"},
                                            {"al1-5.5", "forward Euler", "(h,1) ey"}};
  return std::any_of(misprints.begin(), misprints.end(), [&](const Place& place) {
    return id == place.id && row == place.row && column == place.column;
  });
}

void add(PrintedTable& table, std::string row, std::string column, double computed,
         double printed) {
  PrintedEntry entry;
  entry.misprint = is_misprint(table.id, row, column);
  entry.row = std::move(row);
  entry.column = std::move(column);
  entry.computed = computed;
  entry.printed = printed;
  table.entries.push_back(std::move(entry));
}

void add_iterates(PrintedTable& table, Formula formula,
                  const std::array<PrintedIterate, 3>& printed) {
  // The drift at the moved node, .76e-4, tells where it was moved to.
  const auto iterates =
      errors_at_nodes(Al1Example2{}, {.formula = formula, .mesh = node_moved(0.4995)});
  for (int s = 1; s <= 3; ++s) {
    const std::vector<Errors>& all = iterates[static_cast<std::size_t>(s - 1)];
    const PrintedIterate& row = printed[static_cast<std::size_t>(s - 1)];
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const Errors at = at_node(all, columns[c]);
      const std::string column = fmt::format("t={:g}", columns[c] * h);
      add(table, fmt::format("it{} ex", s), column, at.x, row.ex[c]);
      add(table, fmt::format("it{} ey", s), column, at.By, row.ey[c]);
      add(table, fmt::format("it{} drift", s), column, at.drift, row.drift[c]);
    }
  }
}

/// One line of Tables 5.5 and 5.6: ex and ey for each alpha.
struct PrintedAlphas {
  bool y0_is_one;
  Formula formula;
  std::array<double, 6> values;
};

struct Alpha1 {
  const char* name;
  double value;
};

constexpr std::array<Alpha1, 3> alphas{{{"(0,1)", 0}, {"(h,1)", h}, {"(1,1)", 1}}};

const std::array<PrintedAlphas, 2> printed_5_5{{
    {true, Formula::backward_euler, {0.0016, 0.010, 0.00080, 2.0, 0.15, 370}},
    {true, Formula::forward_euler, {0.0018, 0.0096, 0.0025, 1.8, 0.64, 1500}},
}};

const std::array<PrintedAlphas, 4> printed_5_6{{
    {true, Formula::backward_euler, {0.0046, 0.044, 0.0045, 0.043, 0.00022, 0.00028}},
    {true, Formula::forward_euler, {0.0045, 0.044, 0.0044, 0.043, 0.00019, 0.00023}},
    {false, Formula::backward_euler, {0.022, 0.97, 0.022, 0.94, 0.00012, 0.00075}},
    {false, Formula::forward_euler, {0.022, 0.97, 0.022, 0.94, 0.00019, 0.00075}},
}};

}  // namespace

PrintedTable al1_table_5_3(const std::string&) {
  PrintedTable table{"al1-5.3", "[AL1] Table 5.3: errors of Example 2, backward Euler", {}};
  add_iterates(table, Formula::backward_euler, printed_5_3);
  return table;
}

PrintedTable al1_table_5_4(const std::string&) {
  PrintedTable table{"al1-5.4", "[AL1] Table 5.4: errors of Example 2, forward Euler", {}};
  add_iterates(table, Formula::forward_euler, printed_5_4);
  return table;
}

PrintedTable al1_table_5_5(const std::string&) {
  PrintedTable table{"al1-5.5", "[AL1] Table 5.5: errors of Example 2 beside t = 0.5", {}};
  const Al1Example2 problem;
  for (const PrintedAlphas& row : printed_5_5) {
    for (std::size_t a = 0; a < alphas.size(); ++a) {
      const Run run{.formula = row.formula, .mesh = mesh_moved(), .alpha1 = alphas[a].value};
      const Errors beside = at_node(errors_at_nodes(problem, run).back(), steps / 2);
      const std::string alpha = alphas[a].name, formula = name_of(row.formula);
      add(table, formula, alpha + " ex", beside.x, row.values[2 * a]);
      add(table, formula, alpha + " ey", beside.By, row.values[2 * a + 1]);
    }
  }
  return table;
}

PrintedTable al1_table_5_6(const std::string&) {
  PrintedTable table{"al1-5.6", "[AL1] Table 5.6: errors of Example 3, regular constraint", {}};
  const Al1Example3 problem;
  for (const PrintedAlphas& row : printed_5_6) {
    for (std::size_t a = 0; a < alphas.size(); ++a) {
      const Run run{.formula = row.formula,
                    .mesh = node_moved(0.4995),
                    .alpha1 = alphas[a].value,
                    .y0_is_one = row.y0_is_one};
      const Errors most = largest(errors_at_nodes(problem, run).back());
      const std::string alpha = alphas[a].name;
      const std::string name = fmt::format("y0={} {}", row.y0_is_one ? 1 : 0, name_of(row.formula));
      add(table, name, alpha + " exg", most.x, row.values[2 * a]);
      add(table, name, alpha + " eyg", most.By, row.values[2 * a + 1]);
    }
  }
  return table;
}

PrintedTable al1_table_5_7(const std::string&) {
  struct Column {
    double epsilon, srm_ex, srm_ey, park_chiou_ex, park_chiou_ey;
  };
  constexpr std::array<Column, 3> printed{{{1e-1, 0.0015, 0.0071, 0.12, 0.45},
                                           {1e-3, 4.4e-5, 0.0016, 0.0042, 0.085},
                                           {1e-5, 4.4e-5, 0.0016, 0.0038, 0.29}}};
  PrintedTable table{"al1-5.7", "[AL1] Table 5.7: Example 4, 4 iterates and Park & Chiou", {}};
  const Al1Example4 problem;
  for (const Column& column : printed) {
    const std::string epsilon = fmt::format("eps={:g}", column.epsilon);
    const Run run{.mesh = node_moved(0.5005), .iterates = 4, .epsilon = column.epsilon};
    const Errors most = largest(errors_at_nodes(problem, run).back());
    add(table, "SRM", epsilon + " exg", most.x, column.srm_ex);
    add(table, "SRM", epsilon + " eyg", most.By, column.srm_ey);

    std::vector<Errors> all;
    // The method has B = C^T and + B y in the paper: y = -1 here.
    park_chiou(*erase(problem), uniform_mesh(0, 1, steps), column.epsilon, problem.x_exact(0),
               VecX::Constant(1, -1), [&](double t, const VecX& x, const VecX& By) {
                 all.push_back(errors_of(problem, t, x, By));
               });
    add(table, "Park & Chiou", epsilon + " exg", largest(all).x, column.park_chiou_ex);
    add(table, "Park & Chiou", epsilon + " eyg", largest(all).By, column.park_chiou_ey);
  }
  return table;
}

}  // namespace daewave::reproduce
