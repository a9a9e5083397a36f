#include "io/panel_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace daewave::io {

namespace {

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

bool shown(double value, bool log) { return std::isfinite(value) && (!log || value > 0); }

Range with_margin(const Extent& extent, bool log, double margin) {
  const Range range = usable_range({extent.low, extent.high}, log);
  if (log) {
    const double factor = std::pow(range.high / range.low, margin);
    return {range.low / factor, range.high * factor};
  }
  const double length = range.high - range.low;
  return {range.low - margin * length, range.high + margin * length};
}

Axis axis_for(const std::optional<Range>& given, const Extent& extent, bool log, double margin,
              int most) {
  const Range range = given ? *given : with_margin(extent, log, margin);
  return log ? log_axis(range, most) : linear_axis(range, most);
}

/// Between whole numbers there is nothing.
void keep_whole_numbers(Axis& axis) {
  std::erase_if(axis.ticks, [](const Tick& tick) {
    return std::abs(tick.value - std::round(tick.value)) > 1e-9;
  });
  if (!axis.scale.empty()) return;
  for (Tick& tick : axis.ticks) tick.label = fmt::format("{:.0f}", tick.value);
}

}  // namespace

PanelAxes axes_of(const Panel& panel, int most_x_ticks, int most_y_ticks) {
  Extent x;
  Extent y;
  bool empty = true;
  bool symbols = false;
  for (const Series& series : panel.series) {
    symbols |= series.style == Style::points || series.style == Style::line_and_points;
    for (std::size_t i = 0; i < series.x.size(); ++i) {
      if (!shown(series.x[i], panel.log_x) || !shown(series.y[i], panel.log_y)) continue;
      x.include(series.x[i]);
      y.include(series.y[i]);
      empty = false;
    }
  }
  for (const Marker& marker : panel.markers) {
    if (shown(marker.x, panel.log_x)) x.include(marker.x);
  }
  // Symbols on the frame would be cut in half.
  const double x_margin = symbols ? 0.03 : 0;
  Axis x_axis = axis_for(panel.x_range, x, panel.log_x, x_margin, most_x_ticks);
  if (panel.integer_x) keep_whole_numbers(x_axis);
  return {std::move(x_axis), axis_for(panel.y_range, y, panel.log_y, 0.05, most_y_ticks), empty};
}

}  // namespace daewave::io
