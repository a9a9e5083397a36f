#include "cli/initial_value/motion_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "catalogue/drawings.hpp"
#include "cli/initial_value/motion_figure.hpp"
#include "cli/initial_value/rows_between.hpp"
#include "cli/output/page_parts.hpp"

namespace daewave::cli {
namespace {

/// Rows given out, and others between them where dense output knows the state there. Before and
/// after an event that changes the state there is one row each, at one t.
Table table_of(const ivp::Solution& solution) {
  Table table;
  table.names = solution.table().names;
  table.names.resize(1 + static_cast<std::size_t>(solution.nz));
  table.columns.assign(table.names.size(), {});
  const auto add = [&](double t, const VecX& state) {
    table.columns[0].push_back(t);
    for (int j = 0; j < solution.nz; ++j) table.columns[1 + j].push_back(state[j]);
  };
  const bool between = solution.dense && solution.count() < rows_of_a_screen;
  const double all = std::abs(solution.t.back() - solution.t.front());
  for (int i = 0; i < solution.count(); ++i) {
    const double end = solution.t[static_cast<std::size_t>(i)];
    const double begin = i > 0 ? solution.t[static_cast<std::size_t>(i) - 1] : end;
    const double part = std::abs(end - begin) / all * rows_of_a_screen;
    const int parts = between && part > 1 ? static_cast<int>(std::ceil(part)) : 1;
    for (int k = 1; k < parts; ++k) {
      const double t = begin + (end - begin) * k / parts;
      add(t, solution.at(t));
    }
    add(end, solution.state(i));
  }
  return table;
}

/// How far component j may be off at each of the times: between those at which that was looked at,
/// along a line.
std::vector<double> errors_of(const ivp::Solution& solution, int j,
                              const std::vector<double>& times) {
  const std::vector<double>& looked = solution.error_times;
  if (looked.empty()) return {};
  const auto error = [&](std::size_t k) {
    return std::abs(solution.errors[k * static_cast<std::size_t>(solution.nz) + j]);
  };
  std::vector<double> errors;
  std::size_t k = 0;
  const bool falls = looked.back() < looked.front();
  for (const double t : times) {
    while (k + 1 < looked.size() && (falls ? looked[k + 1] >= t : looked[k + 1] <= t)) ++k;
    if (k + 1 == looked.size()) {
      errors.push_back(error(k));
      continue;
    }
    const double part = std::clamp((t - looked[k]) / (looked[k + 1] - looked[k]), 0.0, 1.0);
    errors.push_back((1 - part) * error(k) + part * error(k + 1));
  }
  return errors;
}

/// Title and unit of the plot that component j is in.
std::pair<std::string, std::string> plot_of_component(const ivp::Solution& solution,
                                                      const catalogue::InitialValueProblem& problem,
                                                      int j) {
  const std::vector<std::string>& units = problem.state_units();
  if (!units.empty()) {
    const std::string& unit = units[static_cast<std::size_t>(j)];
    return {title_of_unit(unit), unit};
  }
  if (!solution.second_order) return {"State", ""};
  return {j < solution.nz / 2 ? "Coordinates" : "Velocities", ""};
}

void add_state_plots(const ivp::Solution& solution, const catalogue::InitialValueProblem& problem,
                     page::Run& run) {
  for (int j = 0; j < solution.nz; ++j) {
    const auto [title, unit] = plot_of_component(solution, problem, j);
    page::Plot& plot = run.plot(title, unit, run.motion.columns[0]);
    plot.curves.push_back({run.motion.names[1 + j], run.motion.columns[1 + j],
                           errors_of(solution, j, run.motion.columns[0])});
  }
}

void add_multipliers(const ivp::Solution& solution, page::Run& run) {
  if (solution.ny == 0) return;
  page::Plot plot;
  plot.title = solution.carries_By ? "Multiplier term B y" : "Multipliers";
  plot.t = solution.t;
  const Table table = solution.table();
  // Where iterates begin with y_0 = 0 the first is no value.
  bool unknown = solution.count() > 1;
  for (int c = 0; c < solution.ny && unknown; ++c) {
    unknown = solution.multipliers[static_cast<std::size_t>(c)] == 0;
  }
  for (int c = 0; c < solution.ny; ++c) {
    const auto column = static_cast<std::size_t>(1 + solution.nz + c);
    plot.curves.push_back({table.names[column], table.columns[column], {}});
    if (unknown) plot.curves.back().values.front() = NAN;
  }
  run.plots.push_back(std::move(plot));
}

const std::string& event_name(const catalogue::InitialValueProblem& problem,
                              const ivp::Occurrence& event) {
  return problem.events()[static_cast<std::size_t>(event.event)].name;
}

void add_marks(const ivp::Solution& solution, const catalogue::InitialValueProblem& problem,
               page::Run& run) {
  constexpr double near = 1e-2;
  const IntegrationReport& went = solution.report.integration;
  if (went.pivot_ratio > 0 && went.pivot_ratio < near) {
    run.marks.push_back({went.pivot_ratio_at, "nearly dependent"});
  }
  for (const ivp::Occurrence& event : solution.occurrences) {
    if (run.marks.size() < most_marks) run.marks.push_back({event.t, event_name(problem, event)});
  }
}

/// Poses of its bodies become columns behind the state.
void draw_as_catalogue(const ivp::Solution& solution, const catalogue::InitialValueProblem& problem,
                       page::Run& run) {
  catalogue::DrawnMotion drawn = catalogue::drawn_motion(problem.name(), problem.start());
  if (drawn.drawing.parts.empty()) return;
  Table& motion = run.motion;
  const std::size_t rows = motion.columns[0].size();
  const auto nz = static_cast<std::size_t>(solution.nz);
  VecX state(solution.nz);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < nz; ++j) state[static_cast<int>(j)] = motion.columns[1 + j][i];
    const VecX poses = drawn.poses(state);
    motion.columns.resize(1 + nz + static_cast<std::size_t>(poses.size()));
    for (int k = 0; k < poses.size(); ++k) {
      motion.columns[1 + nz + static_cast<std::size_t>(k)].push_back(poses[k]);
    }
  }
  for (DrawnFrame& frame : drawn.drawing.frames) frame.first += solution.nz;
  run.for_drawing = static_cast<int>(motion.columns.size() - 1 - nz);
  motion.names.resize(motion.columns.size(), "");
  run.drawing = std::move(drawn.drawing);
}

}  // namespace

page::Run motion_run(const ivp::Solution& solution, const catalogue::InitialValueProblem& problem,
                     const std::string& label, const std::string& json) {
  page::Run run = run_about(solution.report, label, json);
  if (!solution.has_values()) return run;
  run.motion = table_of(solution);
  add_state_plots(solution, problem, run);
  add_multipliers(solution, run);
  for (const io::Panel& panel : monitor_panels(solution, problem)) {
    run.plots.push_back(plot_of(panel));
  }
  add_marks(solution, problem, run);
  run.drawing = problem.drawing();
  if (run.drawing.parts.empty()) draw_as_catalogue(solution, problem, run);
  return run;
}

page::Page motion_page(const SolveCommand& command, const ivp::Solution& solution,
                       const catalogue::InitialValueProblem& problem, const std::string& json) {
  page::Page page;
  page.title = title_of(command.problem);
  page.subtitle = fmt::format("{}, t from {:g} to {:g}", problem.name(),
                              solution.report.integration.begin, solution.report.integration.end);
  page.made_by = made_by();
  page.runs.push_back(motion_run(solution, problem, problem.name(), json));
  return page;
}

void keep_to_draw(const SolveCommand& command, ivp::Options& options) {
  options.keep = true;
  // Steps of a controlled length are far apart; what they passed is asked of dense output.
  // A run that goes on has none of before.
  options.dense = !command.h && !command.loops && command.points == 0 && command.resume.empty();
}

}  // namespace daewave::cli
