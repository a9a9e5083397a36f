#include "cli/motion_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cli/figures.hpp"

namespace daewave::cli {
namespace {

constexpr int most_points = 4000;

/// Column `component` of rows `width` wide, thinned for a picture.
io::Series series_of(const std::vector<double>& t, const std::vector<double>& values, int width,
                     int component, std::string label) {
  io::Series series;
  series.label = std::move(label);
  const std::size_t stride = std::max<std::size_t>(1, t.size() / most_points);
  for (std::size_t i = 0; i < t.size(); i += stride) {
    series.x.push_back(t[i]);
    series.y.push_back(values[i * static_cast<std::size_t>(width) + component]);
  }
  return series;
}

io::Panel state_panel(const ivp::Solution& solution, const std::string& title,
                      const std::string& symbol, int first, int count) {
  io::Panel panel{.title = title, .x_label = "t"};
  for (int c = 0; c < std::min(count, most_components); ++c) {
    panel.series.push_back(series_of(solution.t, solution.states, solution.nz, first + c,
                                     fmt::format("{}_{{{}}}", symbol, c + 1)));
  }
  return panel;
}

io::Panel multiplier_panel(const ivp::Solution& solution) {
  const char* symbol = solution.carries_By ? "(By)" : solution.second_order ? "\u03bb" : "y";
  io::Panel panel{.title = solution.carries_By ? "Multiplier term B y" : "Multiplier",
                  .x_label = "t"};
  for (int c = 0; c < std::min(solution.ny, most_components); ++c) {
    panel.series.push_back(series_of(solution.t, solution.multipliers, solution.ny, c,
                                     fmt::format("{}_{{{}}}", symbol, c + 1)));
  }
  return panel;
}

io::Panel error_panel(const ivp::Solution& solution,
                      const catalogue::InitialValueProblem& problem) {
  io::Panel panel{.title = "Error of the state", .x_label = "t", .log_y = true};
  io::Series error{.label = "max over the components"};
  const int stride = std::max(1, solution.count() / most_points);
  for (int i = 0; i < solution.count(); i += stride) {
    const double t = solution.t[static_cast<std::size_t>(i)];
    error.x.push_back(t);
    error.y.push_back((solution.state(i) - *problem.reference(t)).cwiseAbs().maxCoeff());
  }
  panel.series.push_back(std::move(error));
  return panel;
}

/// Angles brought to (-pi, pi] about `center`, the line broken where one leaps.
void bring_about(double center, std::vector<double>& angles) {
  double before = NAN;
  for (double& angle : angles) {
    const double brought = center + std::remainder(angle - center, 2 * std::numbers::pi);
    angle = std::abs(brought - before) > std::numbers::pi ? NAN : brought;
    before = brought;
  }
}

}  // namespace

io::Figure motion_figure(const ivp::Solution& solution,
                         const catalogue::InitialValueProblem& problem) {
  io::Figure figure;
  figure.title = problem.name();
  figure.subtitle = solution.report.message;
  figure.columns = 2;
  if (solution.second_order) {
    const int n = solution.nz / 2;
    figure.panels.push_back(state_panel(solution, "Position q", "q", 0, n));
    figure.panels.push_back(state_panel(solution, "Velocity v", "v", n, n));
  } else {
    figure.panels.push_back(state_panel(solution, "Solution x", "x", 0, solution.nz));
  }
  if (solution.ny > 0) figure.panels.push_back(multiplier_panel(solution));
  const bool known = solution.count() > 1 && problem.reference(solution.t.front()).has_value();
  if (known) figure.panels.push_back(error_panel(solution, problem));
  return figure;
}

void add_slider_crank_panels(io::Figure& figure, const ivp::Solution& solution) {
  constexpr int x2 = 3, phi1 = 2, phi2 = 5, nq = 6;
  const double pi = std::numbers::pi;
  io::Panel angles{.title = "Angles about the hanging position", .x_label = "t"};
  io::Panel rates{.title = "Their rates", .x_label = "t"};
  angles.series.push_back(series_of(solution.t, solution.states, solution.nz, phi1, "\u03b8_{1}"));
  for (double& angle : angles.series[0].y) angle -= 1.5 * pi;
  bring_about(0, angles.series[0].y);
  angles.series.push_back(series_of(solution.t, solution.states, solution.nz, phi2, "\u03b8_{2}"));
  for (double& angle : angles.series[1].y) angle += 0.5 * pi;
  bring_about(pi, angles.series[1].y);
  rates.series.push_back(
      series_of(solution.t, solution.states, solution.nz, nq + phi1, "\u03b8'_{1}"));
  rates.series.push_back(
      series_of(solution.t, solution.states, solution.nz, nq + phi2, "\u03b8'_{2}"));
  figure.panels.push_back(std::move(angles));
  figure.panels.push_back(std::move(rates));

  // The slider is at 4/3 of the second centre of mass: x = 2 L cos phi1, x2 = 3/2 L cos phi1; its
  // acceleration by central differences of the velocities given out.
  io::Panel slider{.title = "Acceleration of the slider", .x_label = "t"};
  io::Series acceleration{.label = "x''"};
  const std::size_t nz = static_cast<std::size_t>(solution.nz);
  const std::size_t stride = std::max<std::size_t>(1, solution.t.size() / most_points);
  for (std::size_t i = 1; i + 1 < solution.t.size(); i += stride) {
    const double change =
        solution.states[(i + 1) * nz + nq + x2] - solution.states[(i - 1) * nz + nq + x2];
    acceleration.x.push_back(solution.t[i]);
    acceleration.y.push_back(4.0 / 3 * change / (solution.t[i + 1] - solution.t[i - 1]));
  }
  slider.series.push_back(std::move(acceleration));
  figure.panels.push_back(std::move(slider));
}

}  // namespace daewave::cli
