#include "cli/output/figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/palette.hpp"

namespace daewave::cli {
namespace {

/// Fewer are drawn as points.
constexpr std::size_t few_points = 30;

/// End of the part of the interval in which the components can be told apart in a picture: where
/// one of them has turned back as often as a reader can count.
double readable_end(const bvp::Solution& solution) {
  constexpr int most_turns = 40;
  const Mesh& mesh = solution.mesh();
  std::vector<int> turns(solution.nx(), 0);
  for (int i = 1; i < mesh.intervals(); ++i) {
    const VecX before = solution.x_at_node(i) - solution.x_at_node(i - 1);
    const VecX after = solution.x_at_node(i + 1) - solution.x_at_node(i);
    for (int c = 0; c < solution.nx(); ++c) {
      if (before[c] * after[c] < 0 && ++turns[c] > most_turns) return mesh.node(i);
    }
  }
  return mesh.end();
}

std::vector<double> sample_times(const bvp::Solution& solution, double end) {
  constexpr int count = 600;
  const double begin = solution.mesh().begin();
  std::vector<double> times(count + 1);
  for (int i = 0; i <= count; ++i) times[i] = i == count ? end : begin + (end - begin) * i / count;
  return times;
}

std::vector<double> sample(const std::vector<double>& times, int component,
                           const std::function<VecX(double)>& f) {
  std::vector<double> values;
  values.reserve(times.size());
  for (double t : times) values.push_back(f(t)[component]);
  return values;
}

io::Panel component_panel(const std::string& title, const std::string& symbol,
                          const std::vector<double>& times, int nx,
                          const std::function<VecX(double)>& f) {
  io::Panel panel;
  panel.title = title + drawn_of(nx);
  panel.x_label = "t";
  for (int c = 0; c < std::min(nx, most_components); ++c) {
    io::Series series;
    series.label = fmt::format("{}_{{{}}}", symbol, c + 1);
    series.x = times;
    series.y = sample(times, c, f);
    panel.series.push_back(std::move(series));
  }
  tell_hidden(panel);
  return panel;
}

void mark_singular_points(io::Panel& panel, const Report& report, double end) {
  constexpr std::size_t most = 4;
  for (const SingularPoint& point : report.singular_points) {
    if (point.t <= end && panel.markers.size() < most)
      panel.markers.push_back({point.t, "C B singular"});
  }
}

io::Panel iterate_panel(const Report& report) {
  io::Panel panel;
  panel.title = "Iterates";
  panel.x_label = "iterate s";
  panel.log_y = true;
  panel.integer_x = true;
  io::Series change{.label = "max |By_{s} - By_{s-1}|",
                    .style = io::Style::line_and_points,
                    .color = io::no_component};
  io::Series drift{
      .label = "drift max |C x_{s} + r|", .style = io::Style::dashed, .color = io::no_component};
  for (const IterateReport& iterate : report.history) {
    change.x.push_back(iterate.iterate);
    change.y.push_back(iterate.change);
    drift.x.push_back(iterate.iterate);
    drift.y.push_back(iterate.drift);
  }
  panel.series = {std::move(change), std::move(drift)};
  return panel;
}

io::Panel error_panel(const bvp::Solution& solution, const problems::LinearProblem& problem) {
  io::Panel panel;
  panel.title = "Error against the exact solution";
  panel.x_label = "t";
  panel.log_y = true;
  io::Series x{.label = "x, at nodes", .color = io::no_component};
  io::Series By{.label = "B y, at stages", .style = io::Style::dashed, .color = io::no_component};
  const int stride = std::max(1, solution.mesh().intervals() / 4000);
  for (int i = 0; i <= solution.mesh().intervals(); i += stride) {
    const double t = solution.mesh().node(i);
    x.x.push_back(t);
    x.y.push_back((solution.x_at_node(i) - problem.x_exact(t)).cwiseAbs().maxCoeff());
  }
  for (int i = 0; i < solution.mesh().intervals(); i += stride) {
    const double t = solution.stage_time(i, 0);
    By.x.push_back(t);
    By.y.push_back((solution.By_at_stage(i, 0) - problem.By_exact(t)).cwiseAbs().maxCoeff());
  }
  panel.series = {std::move(x), std::move(By)};
  return panel;
}

/// The component of B y that the repair changed most.
int most_changed_component(const bvp::Solution& before, const bvp::Solution& after) {
  VecX gap = VecX::Zero(before.nx());
  for (int i = 0; i < before.mesh().intervals(); ++i) {
    gap = gap.cwiseMax((before.By_at_stage(i, 0) - after.By_at_stage(i, 0)).cwiseAbs());
  }
  Eigen::Index component = 0;
  gap.maxCoeff(&component);
  return static_cast<int>(component);
}

io::Series stage_values(const bvp::Solution& solution, int component, double until,
                        const std::string& label, io::Style style) {
  io::Series series{.label = label, .style = style, .color = io::component_color(component)};
  for (int i = 0; i < solution.mesh().intervals() && solution.mesh().node(i) < until; ++i) {
    for (int j = 0; j < solution.scheme().stages; ++j) {
      series.x.push_back(solution.stage_time(i, j));
      series.y.push_back(solution.By_at_stage(i, j)[component]);
    }
  }
  return series;
}

io::Panel layer_panel(const bvp::ShootingBack& result, const problems::LinearProblem& problem) {
  const bvp::Solution& before = result.forward;
  const int component = most_changed_component(before, result.redone);
  const double begin = before.mesh().begin(), length = before.mesh().end() - begin;
  const double width =
      std::clamp(15 * before.regularization().epsilon, 8 * before.mesh().step(0), length);
  io::Panel panel;
  panel.title = "Initial layer";
  panel.x_label = "t";
  panel.y_label = fmt::format("(B y)_{{{}}}", component + 1);
  panel.series.push_back(
      stage_values(before, component, begin + width, "forward", io::Style::dashed));
  panel.series.push_back(stage_values(result.redone, component, begin + width,
                                      "after shooting back", io::Style::line));
  if (problem.By_exact) {
    io::Series exact{
        .label = "exact", .style = io::Style::dotted, .color = io::component_color(component)};
    for (int i = 0; i <= 200; ++i) {
      const double t = begin + width * i / 200;
      exact.x.push_back(t);
      exact.y.push_back(problem.By_exact(t)[component]);
    }
    panel.series.push_back(std::move(exact));
  }
  return panel;
}

io::Panel layer_error_panel(const bvp::ShootingBack& result,
                            const problems::LinearProblem& problem) {
  io::Panel panel;
  panel.title = "Error of B y before and after";
  panel.x_label = "t";
  panel.log_y = true;
  const auto error = [&](const bvp::Solution& solution, const std::string& label, io::Style style) {
    io::Series series{.label = label, .style = style, .color = io::no_component};
    const int stride = std::max(1, solution.mesh().intervals() / 4000);
    for (int i = 0; i < solution.mesh().intervals(); i += stride) {
      const double t = solution.stage_time(i, 0);
      series.x.push_back(t);
      series.y.push_back((solution.By_at_stage(i, 0) - problem.By_exact(t)).cwiseAbs().maxCoeff());
    }
    return series;
  };
  panel.series = {error(result.forward, "forward", io::Style::dashed),
                  error(result.backward, "backward pass", io::Style::dotted),
                  error(result.redone, "after shooting back", io::Style::line)};
  return panel;
}

}  // namespace

std::string drawn_of(int count) {
  return count > most_components ? fmt::format(" ({} of {} drawn)", most_components, count) : "";
}

void tell_hidden(io::Panel& panel) {
  double low = INFINITY, high = -INFINITY;
  for (io::Series& series : panel.series) {
    if (series.x.size() < few_points) series.style = io::Style::line_and_points;
    for (const double value : series.y) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  const double width_of_line = 0.006 * (high - low);
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    for (std::size_t j = panel.series.size() - 1; j > i; --j) {
      const std::vector<double>&under = panel.series[i].y, &over = panel.series[j].y;
      bool hidden = under.size() == over.size();
      for (std::size_t k = 0; hidden && k < under.size(); ++k) {
        hidden = std::isnan(under[k]) || std::abs(under[k] - over[k]) <= width_of_line;
      }
      if (!hidden) continue;
      panel.series[i].label += " (under " + panel.series[j].label + ")";
      break;
    }
  }
}

io::Figure solution_figure(const bvp::Solution& solution, const problems::LinearProblem& problem) {
  const Report& report = solution.report;
  const double end = readable_end(solution);
  const std::vector<double> times = sample_times(solution, end);
  const std::string part =
      end < solution.mesh().end() ? fmt::format(", until t = {:.3g}", end) : std::string();
  io::Figure figure;
  figure.title = report.problem.empty() ? "Solution" : report.problem;
  figure.subtitle = report.message;
  figure.columns = 2;
  figure.panels.push_back(component_panel("Solution x" + part, "x", times, solution.nx(),
                                          [&](double t) { return solution.x(t); }));
  figure.panels.push_back(component_panel("Multiplier term B y" + part, "(By)", times,
                                          solution.nx(), [&](double t) { return solution.By(t); }));
  mark_singular_points(figure.panels[0], report, end);
  mark_singular_points(figure.panels[1], report, end);
  if (problem.x_exact) figure.panels.push_back(error_panel(solution, problem));
  figure.panels.push_back(iterate_panel(report));
  return figure;
}

io::Figure shooting_back_figure(const bvp::ShootingBack& result,
                                const problems::LinearProblem& problem) {
  io::Figure figure = solution_figure(result.best(), problem);
  if (!result.redone.has_values()) return figure;
  figure.panels.push_back(layer_panel(result, problem));
  if (problem.By_exact) figure.panels.push_back(layer_error_panel(result, problem));
  return figure;
}

}  // namespace daewave::cli
