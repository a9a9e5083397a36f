#include "reproduce/al2_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "core/adapt/problem_of.hpp"
#include "core/regularize/regularize_problem.hpp"
#include "ivp/one_step/explicit_rk_step.hpp"
#include "ivp/reduced/reduce.hpp"
#include "ivp/srm/srm_step.hpp"
#include "problems/al2.hpp"
#include "problems/slider_crank.hpp"

namespace daewave::reproduce {
namespace {

constexpr double h = 1e-3;
constexpr double blow_up = std::numeric_limits<double>::infinity();

/// One printed line: values from left to right at the columns of its table.
struct Line {
  std::string row;
  std::vector<double> values;
  std::vector<int> misprints{};  ///< Columns.
};

/// Computed values of the quantities of one method: one line each, as long as `columns`.
using Computed = std::vector<std::vector<double>>;

void add(PrintedTable& table, const std::vector<double>& columns, const std::vector<Line>& lines,
         const Computed& computed) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto& misprints = lines[i].misprints;
      PrintedEntry entry;
      entry.row = lines[i].row;
      entry.column = fmt::format("t={:g}", columns[c]);
      entry.computed = computed[i][c];
      entry.printed = lines[i].values[c];
      entry.misprint =
          std::find(misprints.begin(), misprints.end(), static_cast<int>(c)) != misprints.end();
      table.entries.push_back(std::move(entry));
    }
  }
}

/// Steps of length `step_length` to all of `columns`; calls at each. False where a step fails.
template <class S, class Look>
bool march(S& step, double step_length, const std::vector<double>& columns, Look look) {
  long i = 0;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    for (const long last = std::lround(columns[c] / step_length); i < last; ++i) {
      // t = i h, not a sum of i terms.
      if (std::isnan(step.attempt(static_cast<double>(i + 1) * step_length - step.t())) ||
          !step.accept()) {
        return false;
      }
    }
    look(c);
  }
  return true;
}

/// ex and drift of every iterate: rows 2 (s - 1) and 2 (s - 1) + 1.
template <class P>
Computed regularized(const P& problem, const Regularization& form, int iterates,
                     const std::vector<double>& columns) {
  Computed values(2 * static_cast<std::size_t>(iterates),
                  std::vector<double>(columns.size(), blow_up));
  const DaeProblemPtr erased = problem_of(problem);
  ivp::SrmStep step(regularize(*erased, form), ivp::tableau(ivp::Stepper::heun), iterates);
  if (!step.start(0, problem.start())) return values;
  march(step, h, columns, [&](std::size_t c) {
    for (int s = 1; s <= iterates; ++s) {
      const auto& x = step.iterate(s).x;
      const std::size_t row = 2 * static_cast<std::size_t>(s - 1);
      values[row][c] = (x - problem.z_exact(columns[c])).cwiseAbs().maxCoeff();
      values[row + 1][c] = problem.g(x, columns[c]).cwiseAbs().maxCoeff();
    }
  });
  return values;
}

/// ex and drift of Baumgarte's stabilization, (2.13), with alpha2 = 1/h.
template <class P>
Computed baumgarte(const P& problem, const std::vector<double>& columns) {
  Computed values(2, std::vector<double>(columns.size(), blow_up));
  ivp::Stabilization stabilization;
  stabilization.alpha0 = 1 / h;
  const DaeProblemPtr erased = problem_of(problem);
  const auto system = ivp::reduce(*erased, {ivp::ReductionKind::baumgarte, stabilization});
  ivp::ExplicitRkStep step(*system, ivp::tableau(ivp::Stepper::heun), {}, false);
  if (!step.start(0, problem.start())) return values;
  march(step, h, columns, [&](std::size_t c) {
    values[0][c] = (step.state() - problem.z_exact(columns[c])).cwiseAbs().maxCoeff();
    values[1][c] = problem.g(step.state(), columns[c]).cwiseAbs().maxCoeff();
  });
  return values;
}

Regularization direct(Weight weight, double epsilon, double alpha1, double alpha2) {
  Regularization form;
  form.variant = Variant::direct;
  form.weight = weight;
  form.epsilon = epsilon;
  form.alpha1 = alpha1;
  form.alpha2 = alpha2;
  return form;
}

Regularization singular(double epsilon) {
  Regularization form;
  form.variant = Variant::singular;
  form.epsilon = epsilon;
  return form;
}

struct Weighted {
  Weight weight;
  std::vector<Line> differentiated;  ///< alpha1 = 1.
  std::vector<Line> plain;           ///< alpha1 = 0, iterates 1 to 4.
};

const std::vector<Weighted>& printed_6_1() {
  static const std::vector<Weighted> rows{
      {Weight::identity,
       {{"a1=1 E=I ex", {.11e-7, .94e-7, .19e-6}}, {"a1=1 E=I drift", {.79e-8, .56e-7, .14e-6}}},
       {{"a1=0 E=I it1 ex", {.60e-2, .11e-1, .11e-1}},
        {"a1=0 E=I it1 drift", {.54e-2, .80e-2, .13e-1}},
        {"a1=0 E=I it2 ex", {.11e-3, .26e-3, .22e-3}},
        {"a1=0 E=I it2 drift", {.96e-4, .20e-3, .27e-3}},
        {"a1=0 E=I it3 ex", {.32e-5, .65e-5, .46e-5}},
        {"a1=0 E=I it3 drift", {.29e-5, .47e-5, .54e-5}},
        {"a1=0 E=I it4 ex", {.26e-6, .23e-6, .28e-6}},
        {"a1=0 E=I it4 drift", {.13e-6, .51e-7, .12e-6}}}},
      {Weight::transpose,
       {{"a1=1 E=(GB)^T ex", {.11e-7, .92e-7, .18e-6}},
        {"a1=1 E=(GB)^T drift", {.78e-8, .53e-7, .14e-6}}},
       {{"a1=0 E=(GB)^T it1 ex", {.70e-2, .12e-1, .13e-1}, {1}},
        {"a1=0 E=(GB)^T it1 drift", {.64e-2, .13e-1, .15e-1}},
        {"a1=0 E=(GB)^T it2 ex", {.22e-3, .65e-3, .31e-3}},
        {"a1=0 E=(GB)^T it2 drift", {.20e-3, .49e-3, .29e-3}},
        {"a1=0 E=(GB)^T it3 ex", {.11e-4, .16e-4, .69e-5}},
        {"a1=0 E=(GB)^T it3 drift", {.10e-4, .10e-4, .52e-5}},
        {"a1=0 E=(GB)^T it4 ex", {.85e-6, .91e-7, .29e-6}, {1}},
        {"a1=0 E=(GB)^T it4 drift", {.75e-6, .77e-6, .14e-6}}}},
      {Weight::inverse,
       {{"a1=1 E=(GB)^-1 ex", {.11e-7, .95e-7, .19e-6}},
        {"a1=1 E=(GB)^-1 drift", {.80e-8, .58e-7, .15e-6}}},
       {{"a1=0 E=(GB)^-1 it1 ex", {.51e-2, .66e-2, .10e-1}},
        {"a1=0 E=(GB)^-1 it1 drift", {.46e-2, .49e-2, .12e-1}},
        {"a1=0 E=(GB)^-1 it2 ex", {.35e-4, .11e-3, .21e-3}},
        {"a1=0 E=(GB)^-1 it2 drift", {.30e-4, .79e-4, .24e-3}},
        {"a1=0 E=(GB)^-1 it3 ex", {.86e-6, .23e-5, .47e-5}},
        {"a1=0 E=(GB)^-1 it3 drift", {.77e-6, .17e-5, .53e-5}},
        {"a1=0 E=(GB)^-1 it4 ex", {.26e-6, .18e-6, .26e-6}},
        {"a1=0 E=(GB)^-1 it4 drift", {.26e-7, .31e-7, .13e-6}}}}};
  return rows;
}

// clang-format off
const std::vector<Line>& printed_6_2_differentiated() {
  static const std::vector<Line> lines{
      {"a1=1 ex", {.39e-6, .13e-5, .12e-3, .14e-3, .76e-4}, {0, 1, 2, 3, 4}},
      {"a1=1 drift", {.24e-6, .16e-6, .10e-7, .39e-6, .75e-6}, {2, 3}}};
  return lines;
}

const std::vector<Line>& printed_6_2() {
  static const std::vector<Line> lines{
      {"a1=0 it1 ex", {.46e-3, .32e-3, .43e-4, .49e-3, .20e-2}},
      {"a1=0 it1 drift", {.24e-3, .89e-4, .18e-8, .20e-3, .22e-2}},
      {"a1=0 it2 ex", {.81e-6, .11e-5, .41e-5, .29e-5, .68e-5}},
      {"a1=0 it2 drift", {.24e-6, .30e-6, .15e-10, .13e-5, .76e-5}},
      {"a1=0 it3 ex", {.23e-6, .26e-6, .34e-6, .29e-6, .29e-6}},
      {"a1=0 it3 drift", {.90e-9, .11e-8, .78e-13, .35e-8, .18e-7}},
      {"a1=0 it4 ex", {.23e-6, .26e-6, .36e-6, .27e-6, .29e-6}},
      {"a1=0 it4 drift", {.47e-11, .33e-11, .10e-12, .29e-11, .28e-10}}};
  return lines;
}

const std::vector<Line>& printed_6_2_baumgarte() {
  static const std::vector<Line> lines{
      {"Baumgarte ex", {.43e-6, .45e-6, .34e-3, .39e-3, .21e-3}},
      {"Baumgarte drift", {.24e-6, .16e-6, .61e-7, .24e-6, .75e-6}}};
  return lines;
}

const std::vector<Line>& printed_6_3() {
  static const std::vector<Line> lines{
      {"a1=0 it3 ex", {.40e-6, .25e-6, .14e-6, .46e-7, .60e-7}},
      {"a1=0 it3 drift", {.25e-8, .76e-9, .16e-15, .28e-9, .40e-9}}};
  return lines;
}

const std::vector<Line>& printed_6_3_baumgarte() {
  static const std::vector<Line> lines{
      {"Baumgarte ex", {.49e-7, .15e-6, .93e+1, blow_up, blow_up}},
      {"Baumgarte drift", {.39e-7, .59e-7, .52e+13, blow_up, blow_up}, {2}}};
  return lines;
}

const std::vector<Line>& printed_6_4() {
  static const std::vector<Line> lines{
      {"it1 eq", {.41e-4, .66e-3, .26e-2}},
      {"it1 ev", {.75e-2, .74e-2, .69e-2}},
      {"it1 pdrift", {.22e-4, .28e-4, .22e-4}},
      {"it1 vdrift", {.49e-2, .41e-2, .27e-2}, {1}},
      {"it2 eq", {.13e-6, .66e-6, .36e-6}},
      {"it2 ev", {.19e-5, .81e-6, .20e-4}},
      {"it2 pdrift", {.42e-9, .13e-7, .17e-6}},
      {"it2 vdrift", {.91e-7, .21e-5, .21e-4}},
      {"it3 eq", {.10e-6, .58e-6, .12e-5}},
      {"it3 ev", {.86e-6, .10e-5, .16e-5}},
      {"it3 pdrift", {.96e-11, .60e-9, .48e-8}},
      {"it3 vdrift", {.10e-8, .99e-7, .59e-6}}};
  return lines;
}
// clang-format on

const std::vector<double> three_times{.1, .5, 1};
const std::vector<double> five_times{.1, .3, .5, .7, 1};

PrintedTable drift_of_slider_crank() {
  PrintedTable table{"al2-6.5", "[AL2] Table 6.5: drift of the slider-crank at t = 30", {}};
  using problems::SliderCrank;
  constexpr double fine = 1e-4;
  const SliderCrank problem;
  const DaeProblemPtr erased = problem_of(problem);
  ivp::SrmStep step(regularize(*erased, singular(fine)), ivp::tableau(ivp::Stepper::heun), 2);
  struct Drifts {
    double printed, independent, computed;
    const char* column;
  };
  std::vector<Drifts> drifts{{.669e-8, 1.013e-7, blow_up, "position"},
                             {.671e-4, 1.046e-3, blow_up, "velocity"},
                             {.730e-11, 5.51e-9, blow_up, "position"},
                             {.731e-7, 4.20e-6, blow_up, "velocity"}};
  if (step.start(0, problem.start())) {
    march(step, fine, {30}, [&](std::size_t) {
      for (std::size_t s = 0; s < 2; ++s) {
        const Vec<12> z = step.iterate(static_cast<int>(s) + 1).x;
        const Vec<6> q = z.head<6>(), v = z.tail<6>();
        drifts[2 * s].computed = problem.g(q, 30.0).cwiseAbs().maxCoeff();
        drifts[2 * s + 1].computed = (problem.G(q, 30.0) * v).cwiseAbs().maxCoeff();
      }
    });
  }
  for (std::size_t i = 0; i < drifts.size(); ++i) {
    PrintedEntry entry;
    entry.row = fmt::format("it{} as printed", i / 2 + 1);
    entry.column = drifts[i].column;
    entry.computed = drifts[i].computed;
    entry.printed = drifts[i].printed;
    entry.misprint = true;
    table.entries.push_back(entry);
    entry.row = fmt::format("it{} as recomputed", i / 2 + 1);
    entry.printed = drifts[i].independent;
    entry.misprint = false;
    entry.margin = 0.03;
    table.entries.push_back(entry);
  }
  return table;
}

}  // namespace

PrintedTable al2_table_6_1(const std::string& /*linear_solver*/) {
  PrintedTable table{"al2-6.1", "[AL2] Table 6.1: errors of Example 6.1, Heun, h = 0.001", {}};
  const problems::Al2Example61 problem;
  for (const Weighted& rows : printed_6_1()) {
    add(table, three_times, rows.differentiated,
        regularized(problem, direct(rows.weight, 1e-8, 1, 1), 1, three_times));
  }
  add(table, three_times,
      {{"Baumgarte ex", {.45e-6, .16e-6, .35e-6}}, {"Baumgarte drift", {.40e-6, .70e-7, .29e-6}}},
      baumgarte(problem, three_times));
  for (const Weighted& rows : printed_6_1()) {
    add(table, three_times, rows.plain,
        regularized(problem, direct(rows.weight, 5e-3, 0, 1), 4, three_times));
  }
  return table;
}

PrintedTable al2_table_6_2(const std::string& /*linear_solver*/) {
  PrintedTable table{"al2-6.2", "[AL2] Table 6.2: errors of Example 6.2, y bounded, Heun", {}};
  using problems::Al2Example62;
  const Al2Example62 problem;
  add(table, five_times, printed_6_2_differentiated(),
      regularized(problem, direct(Weight::inverse, 1e-10, 1, 1 / h), 1, five_times));
  add(table, five_times, printed_6_2(), regularized(problem, singular(h), 4, five_times));
  add(table, five_times, printed_6_2_baumgarte(), baumgarte(problem, five_times));
  return table;
}

PrintedTable al2_table_6_3(const std::string& /*linear_solver*/) {
  PrintedTable table{"al2-6.3", "[AL2] Table 6.3: errors of Example 6.3, y unbounded, Heun", {}};
  using problems::Al2Example63;
  const Al2Example63 problem;
  const Computed all = regularized(problem, singular(h), 3, five_times);
  add(table, five_times, printed_6_3(), {all[4], all[5]});
  add(table, five_times, printed_6_3_baumgarte(), baumgarte(problem, five_times));
  return table;
}

PrintedTable al2_table_6_4(const std::string& /*linear_solver*/) {
  PrintedTable table{"al2-6.4", "[AL2] Table 6.4: errors of Example 6.4, (5.3)-(5.4), Heun", {}};
  using problems::Al2Example64;
  const Al2Example64 problem;
  Regularization form;
  form.variant = Variant::invariant;
  form.weight = Weight::identity;
  form.epsilon = 5e-3;
  const DaeProblemPtr erased = problem_of(problem);
  ivp::SrmStep step(regularize(*erased, form), ivp::tableau(ivp::Stepper::heun), 3);
  Computed values(12, std::vector<double>(three_times.size(), blow_up));
  if (step.start(0, problem.start())) {
    march(step, h, three_times, [&](std::size_t c) {
      for (std::size_t s = 0; s < 3; ++s) {
        const Vec<4> z = step.iterate(static_cast<int>(s) + 1).x;
        const Vec<4> error = (z - problem.z_exact(three_times[c])).cwiseAbs();
        const Vec<2> q = z.head<2>(), v = z.tail<2>();
        values[4 * s][c] = error.head<2>().maxCoeff();
        values[4 * s + 1][c] = error.tail<2>().maxCoeff();
        values[4 * s + 2][c] = std::abs(problem.g(q, 0)[0]);
        values[4 * s + 3][c] = std::abs((problem.G(q, 0) * v)[0]);
      }
    });
  }
  add(table, three_times, printed_6_4(), values);
  return table;
}

PrintedTable al2_table_6_5(const std::string& /*linear_solver*/) {
  // 1.2 million evaluations that depend on nothing: once is enough.
  static const PrintedTable table = drift_of_slider_crank();
  return table;
}

}  // namespace daewave::reproduce
