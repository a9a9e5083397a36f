#include "cli/initial_value/motion_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "cli/output/figures.hpp"
#include "io/palette.hpp"

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

/// "q_{3}", or what the problem calls it.
std::string label_of(const ivp::Solution& solution, const std::string& symbol, int first, int c) {
  if (solution.state_names.empty()) return fmt::format("{}_{{{}}}", symbol, c + 1);
  return solution.state_names[static_cast<std::size_t>(first + c)];
}

/// Components `which` of those from `first` on; of one unit all.
io::Panel state_panel(const ivp::Solution& solution, const std::string& title,
                      const std::string& symbol, int first, const std::vector<int>& which) {
  const int count = static_cast<int>(which.size());
  io::Panel panel{.title = title + drawn_of(count), .x_label = "t"};
  for (int i = 0; i < std::min(count, most_components); ++i) {
    const int c = which[static_cast<std::size_t>(i)];
    panel.series.push_back(series_of(solution.t, solution.states, solution.nz, first + c,
                                     label_of(solution, symbol, first, c)));
    panel.series.back().color = io::component_color(c);
  }
  tell_hidden(panel);
  return panel;
}

/// Which coordinates of the problem are angles: these and lengths have no scale in common.
bool is_angle(const std::string& name, int coordinate) {
  if (name == "chain" || name == "scissors" || name == "slider-crank") return coordinate % 3 == 2;
  if (name == "truck") return coordinate == 2 || coordinate == 5 || coordinate == 8;
  if (name == "wheelset") return coordinate == 3 || coordinate == 4;
  return name.starts_with("two-link-arm") || name == "al2-example6.4" || name == "andrews";
}

/// Coordinates and their rates, `first` being the first of either; lengths and angles apart.
void add_coordinates(const ivp::Solution& solution, const std::string& name, int n,
                     const std::string& symbol, const std::string& rate_symbol, int first_rate,
                     io::Figure& figure) {
  std::vector<int> lengths, angles;
  const std::vector<std::string>& names = solution.state_names;
  const auto turns = [&](int c) {
    return names.empty() ? is_angle(name, c) : names[static_cast<std::size_t>(c)].ends_with(".phi");
  };
  for (int c = 0; c < n; ++c) (turns(c) ? angles : lengths).push_back(c);
  const auto add = [&](const std::string& title, const std::string& of, int first,
                       const std::vector<int>& which) {
    if (!which.empty()) figure.panels.push_back(state_panel(solution, title, of, first, which));
  };
  add("Positions, m", symbol, 0, lengths);
  add("Velocities, m/s", rate_symbol, first_rate, lengths);
  add("Angles, rad", symbol, 0, angles);
  add("Angular velocities, rad/s", rate_symbol, first_rate, angles);
}

/// Where every step is given out and its length was chosen.
io::Panel steps_panel(const ivp::Solution& solution) {
  io::Panel panel{.title = "Lengths of steps", .x_label = "t", .log_y = true};
  io::Series steps{.style = io::Style::points, .color = io::no_component};
  const std::size_t stride = std::max<std::size_t>(1, solution.t.size() / most_points);
  for (std::size_t i = 1; i < solution.t.size(); i += stride) {
    steps.x.push_back(solution.t[i]);
    steps.y.push_back(std::abs(solution.t[i] - solution.t[i - 1]));
  }
  panel.series.push_back(std::move(steps));
  return panel;
}

io::Panel multiplier_panel(const ivp::Solution& solution) {
  const char* symbol = solution.carries_By ? "(By)" : solution.second_order ? "\u03bb" : "y";
  const std::string title = solution.carries_By ? "Multiplier term B y" : "Multiplier";
  io::Panel panel{.title = title + drawn_of(solution.ny), .x_label = "t"};
  // Where iterates begin with y_0 = 0 the first is no value.
  bool unknown = solution.t.size() > 1;
  for (int c = 0; c < solution.ny && unknown; ++c) {
    unknown = solution.multipliers[static_cast<std::size_t>(c)] == 0;
  }
  for (int c = 0; c < std::min(solution.ny, most_components); ++c) {
    panel.series.push_back(series_of(solution.t, solution.multipliers, solution.ny, c,
                                     fmt::format("{}_{{{}}}", symbol, c + 1)));
    if (unknown) panel.series.back().y.front() = NAN;
  }
  tell_hidden(panel);
  return panel;
}

io::Panel error_panel(const ivp::Solution& solution,
                      const catalogue::InitialValueProblem& problem) {
  io::Panel panel{.title = "Error of the state", .x_label = "t", .log_y = true};
  io::Series error{.label = "max over the components", .color = io::no_component};
  const int stride = std::max(1, solution.count() / most_points);
  for (int i = 0; i < solution.count(); i += stride) {
    const double t = solution.t[static_cast<std::size_t>(i)];
    error.x.push_back(t);
    error.y.push_back((solution.state(i) - *problem.reference(t)).cwiseAbs().maxCoeff());
  }
  panel.series.push_back(std::move(error));
  return panel;
}

/// How far this run is from another one.
io::Panel estimate_panel(const ivp::Solution& solution) {
  io::Panel panel{.title = "Estimated error of the state", .x_label = "t", .log_y = true};
  io::Series error{.label = "max over the components", .color = io::no_component};
  for (std::size_t i = 0; i < solution.error_times.size(); ++i) {
    error.x.push_back(solution.error_times[i]);
    error.y.push_back(solution.error(static_cast<int>(i)));
  }
  panel.series.push_back(std::move(error));
  return panel;
}

/// How far states are off the constraints, and from the energy of the first.
void add_monitors(const ivp::Solution& solution, const catalogue::InitialValueProblem& problem,
                  io::Figure& figure) {
  constexpr int most = 400, largest = 200;  // Each look costs a factorization.
  if (solution.nz > largest || solution.count() < 2) return;
  io::Panel drift{.title = "Drift off the constraints", .x_label = "t", .log_y = true};
  io::Series position{.label = solution.second_order ? "position |g|" : "|g|",
                      .color = io::no_component};
  io::Series velocity{
      .label = "velocity |G v + g_{t}|", .style = io::Style::dashed, .color = io::no_component};
  io::Panel change{.title = "Change of energy", .x_label = "t", .log_y = true};
  io::Series energy{.label = "|E - E_{0}|", .color = io::no_component};
  const std::optional<double> first = problem.energy(solution.state(0));
  const int stride = std::max(1, solution.count() / most);
  for (int i = 0; i < solution.count(); i += stride) {
    const double t = solution.t[static_cast<std::size_t>(i)];
    const VecX state = solution.state(i);
    const Consistency at = problem.check(t, state);
    position.x.push_back(t);
    position.y.push_back(at.position);
    velocity.x.push_back(t);
    velocity.y.push_back(at.velocity);
    if (!first) continue;
    energy.x.push_back(t);
    energy.y.push_back(std::abs(*problem.energy(state) - *first));
  }
  drift.series.push_back(std::move(position));
  if (solution.second_order) drift.series.push_back(std::move(velocity));
  // Without constraints there is nothing to drift off.
  if (solution.report.integration.index > 0) figure.panels.push_back(std::move(drift));
  change.series.push_back(std::move(energy));
  if (first) figure.panels.push_back(std::move(change));
}

/// Marks where constraints came next to depend on each other, and where events were.
void add_markers(const ivp::Solution& solution, io::Figure& figure) {
  constexpr double near = 1e-2;
  const IntegrationReport& went = solution.report.integration;
  std::vector<io::Marker> markers;
  if (went.pivot_ratio > 0 && went.pivot_ratio < near) {
    markers.push_back({went.pivot_ratio_at, "nearly dependent"});
  }
  constexpr std::size_t most_named = 4, most = 60;
  const bool named = solution.occurrences.size() <= most_named;
  for (const ivp::Occurrence& event : solution.occurrences) {
    // Words of many would be on top of each other.
    const bool first = &event == &solution.occurrences.front();
    if (markers.size() < most)
      markers.push_back({event.t, named ? "event" : first ? "events" : ""});
  }
  for (io::Panel& panel : figure.panels) {
    if (panel.x_label == "t") panel.markers = markers;
  }
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

std::vector<io::Panel> monitor_panels(const ivp::Solution& solution,
                                      const catalogue::InitialValueProblem& problem) {
  io::Figure figure;
  const bool known = solution.count() > 1 && problem.reference(solution.t.front()).has_value();
  if (known) figure.panels.push_back(error_panel(solution, problem));
  if (!solution.error_times.empty()) figure.panels.push_back(estimate_panel(solution));
  const IntegrationReport& went = solution.report.integration;
  add_monitors(solution, problem, figure);
  const bool each = solution.count() == went.steps + 1;
  if (each && went.largest_step > 1.01 * went.smallest_step) {
    figure.panels.push_back(steps_panel(solution));
  }
  return std::move(figure.panels);
}

io::Figure motion_figure(const ivp::Solution& solution, const ivp::Solution& drawn,
                         const catalogue::InitialValueProblem& problem) {
  io::Figure figure;
  figure.title = problem.name();
  figure.subtitle = solution.report.message;
  figure.columns = 2;
  if (solution.second_order) {
    const int n = solution.nz / 2;
    add_coordinates(drawn, problem.name(), n, "q", "v", n, figure);
  } else if (problem.name() == "wheelset") {
    constexpr int n = 5, spin = 10;
    add_coordinates(drawn, problem.name(), n, "z", "z'", n, figure);
    figure.panels.push_back(state_panel(drawn, "Spin beside rolling, rad/s", "z", 0, {spin}));
  } else {
    std::vector<int> all(static_cast<std::size_t>(solution.nz));
    std::iota(all.begin(), all.end(), 0);
    figure.panels.push_back(state_panel(drawn, "Solution x", "x", 0, all));
  }
  if (solution.ny > 0) figure.panels.push_back(multiplier_panel(drawn.ny > 0 ? drawn : solution));
  for (io::Panel& panel : monitor_panels(solution, problem)) {
    figure.panels.push_back(std::move(panel));
  }
  add_markers(solution, figure);
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
  angles.series[0].color = phi1;
  angles.series.push_back(series_of(solution.t, solution.states, solution.nz, phi2, "\u03b8_{2}"));
  for (double& angle : angles.series[1].y) angle += 0.5 * pi;
  bring_about(pi, angles.series[1].y);
  angles.series[1].color = phi2;
  rates.series.push_back(
      series_of(solution.t, solution.states, solution.nz, nq + phi1, "\u03b8'_{1}"));
  rates.series.push_back(
      series_of(solution.t, solution.states, solution.nz, nq + phi2, "\u03b8'_{2}"));
  rates.series[0].color = phi1;
  rates.series[1].color = phi2;
  figure.panels.push_back(std::move(angles));
  figure.panels.push_back(std::move(rates));

  // The slider is at 4/3 of the second centre of mass: x = 2 L cos phi1, x2 = 3/2 L cos phi1; its
  // acceleration by central differences of the velocities given out.
  io::Panel slider{.title = "Acceleration of the slider", .x_label = "t"};
  io::Series acceleration{.label = "x''", .color = io::no_component};
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
