#include "cli/commands/flow_picture.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "large/flow/field.hpp"
#include "large/flow/flow_figure.hpp"

namespace daewave::cli {
namespace {

using flow::FlowProblem;

io::Panel plane(const FlowProblem& problem, const char* title,
                const std::vector<flow::Contour>& lines) {
  io::Panel panel{.title = title, .x_label = "x", .y_label = "y", .equal_scale = true};
  panel.x_range = io::Range{0, problem.grid().width()};
  panel.y_range = io::Range{0, problem.grid().height()};
  bool negative = false, positive = false;
  for (const flow::Contour& line : lines) {
    const bool below = line.level < 0;
    // One entry of the legend for each sign.
    bool& known = below ? negative : positive;
    panel.series.push_back({.label = known   ? ""
                                     : below ? "negative"
                                             : "not negative",
                            .x = line.x,
                            .y = line.y,
                            .style = below ? io::Style::line : io::Style::dashed,
                            .color = below ? 0 : 1});
    known = true;
  }
  return panel;
}

/// @param speed  of the flow: velocities of a billionth of it are drawn as none, as a scale that
/// grew with them would show rounding alone.
io::Panel profile_panel(const char* title, const char* along, const char* velocity,
                        const flow::Profile& profile, double speed,
                        const std::vector<flow::GhiaPoint>& literature) {
  constexpr double rounding = 1e-9;
  io::Panel panel{.title = title, .x_label = along, .y_label = velocity};
  io::Series computed{.label = "computed", .x = profile.at, .y = profile.value, .color = 0};
  for (double& value : computed.y) {
    if (std::abs(value) <= rounding * speed) value = 0;
  }
  panel.series.push_back(std::move(computed));
  io::Series points{.label = "Ghia 1982", .style = io::Style::points, .color = 1};
  io::Series wrong{.label = "misprint there", .style = io::Style::points, .color = 3};
  for (const flow::GhiaPoint& point : literature) {
    io::Series& to = point.misprint ? wrong : points;
    to.x.push_back(point.at);
    to.y.push_back(point.value);
  }
  if (!points.x.empty()) panel.series.push_back(points);
  if (!wrong.x.empty()) panel.series.push_back(wrong);
  return panel;
}

io::Panel drift_panel(const sparse::Solution& solution) {
  io::Panel panel{
      .title = "divergence by iterate", .x_label = "t", .y_label = "max |div u|", .log_y = true};
  const std::size_t iterates = solution.drifts.empty() ? 0 : solution.drifts.front().size();
  for (std::size_t s = 0; s < iterates; ++s) {
    io::Series series{
        .label = fmt::format("{}", s + 1), .x = solution.times, .color = static_cast<int>(s)};
    for (const std::vector<double>& drifts : solution.drifts) series.y.push_back(drifts[s]);
    panel.series.push_back(std::move(series));
  }
  return panel;
}

io::Panel rate_panel(const sparse::Solution& solution) {
  io::Panel panel{.title = "change", .x_label = "t", .y_label = "max |u'|", .log_y = true};
  panel.series.push_back({.x = solution.times, .y = solution.rates, .color = 0});
  return panel;
}

}  // namespace

io::Figure flow_picture(const flow::NamedFlow& flow, const sparse::Solution& solution) {
  const FlowProblem& problem = flow.problem;
  const double t = solution.t;
  const double unit = problem.flow().speed / problem.flow().width;
  const auto literature = problem.flow().exact ? std::nullopt : flow::ghia_profiles(flow.re);
  io::Figure figure{.title = problem.name(), .columns = 2};
  figure.subtitle = fmt::format("Re = {:g}, {} x {} cells, t = {:.5g}", flow.re,
                                problem.grid().columns(), problem.grid().rows(), t);
  figure.panels.push_back(plane(problem, "stream lines",
                                flow::stream_lines(flow::stream_function(problem, solution.x, t))));
  figure.panels.push_back(
      plane(problem, "vorticity: 0, ±0.5, ±1, ±2, ... ±5",
            flow::vorticity_lines(flow::vorticity(problem, solution.x, t), unit)));
  figure.panels.push_back(profile_panel(
      "u on the vertical centre line", "y", "u", flow::u_profile(problem, solution.x, t),
      problem.flow().speed, literature ? literature->u : std::vector<flow::GhiaPoint>{}));
  figure.panels.push_back(profile_panel(
      "v on the horizontal centre line", "x", "v", flow::v_profile(problem, solution.x, t),
      problem.flow().speed, literature ? literature->v : std::vector<flow::GhiaPoint>{}));
  figure.panels.push_back(drift_panel(solution));
  figure.panels.push_back(rate_panel(solution));
  return figure;
}

}  // namespace daewave::cli
