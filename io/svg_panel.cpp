#include "io/svg_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "io/marker_labels.hpp"
#include "io/svg_series.hpp"
#include "io/svg_text.hpp"

namespace daewave::io {

namespace {

constexpr double kTickSize = 12;
constexpr double kLabelSize = 13;
constexpr double kPanelTitleSize = 14;
constexpr double kRow = 16;  // height of a line of small text
constexpr const char* kGrid = "#e3e3e3";
constexpr const char* kInk = "#444444";

void draw_line(std::string& svg, Point a, Point b, const char* attributes) {
  fmt::format_to(std::back_inserter(svg),
                 "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", a.x, a.y,
                 b.x, b.y, attributes);
}

int marker_rows(const std::vector<MarkerLabel>& labels) {
  int rows = 0;
  for (const MarkerLabel& label : labels) rows = std::max(rows, label.row + 1);
  return rows;
}

void draw_grid(std::string& svg, const Frame& frame) {
  const Box& box = frame.box;
  const std::string style = fmt::format("stroke=\"{}\" stroke-width=\"1\"", kGrid);
  for (const Tick& tick : frame.x.ticks) {
    const double x = box.left + frame.x.fraction(tick.value) * box.width();
    draw_line(svg, {x, box.top}, {x, box.bottom}, style.c_str());
  }
  for (const Tick& tick : frame.y.ticks) {
    const double y = box.bottom - frame.y.fraction(tick.value) * box.height();
    draw_line(svg, {box.left, y}, {box.right, y}, style.c_str());
  }
}

// Labels that would touch the one before are left out, their ticks stay.
void draw_x_axis(std::string& svg, const Frame& frame) {
  const Box& box = frame.box;
  const std::string style = fmt::format("stroke=\"{}\"", kInk);
  double used = -1e9;
  for (const Tick& tick : frame.x.ticks) {
    const double x = box.left + frame.x.fraction(tick.value) * box.width();
    draw_line(svg, {x, box.bottom}, {x, box.bottom + 5}, style.c_str());
    const double half = text_width(tick.label, kTickSize) / 2;
    if (x - half < used + 4) continue;
    used = x + half;
    draw_text(svg, x, box.bottom + 19, tick.label, {.size = kTickSize});
  }
  for (const double value : frame.x.minor) {
    const double x = box.left + frame.x.fraction(value) * box.width();
    draw_line(svg, {x, box.bottom}, {x, box.bottom + 3}, style.c_str());
  }
  draw_text(svg, box.right, box.bottom + 37, frame.x.scale,
            {.size = kTickSize, .anchor = Anchor::end});
}

void draw_y_axis(std::string& svg, const Frame& frame) {
  const Box& box = frame.box;
  const std::string style = fmt::format("stroke=\"{}\"", kInk);
  for (const Tick& tick : frame.y.ticks) {
    const double y = box.bottom - frame.y.fraction(tick.value) * box.height();
    draw_line(svg, {box.left - 5, y}, {box.left, y}, style.c_str());
    draw_text(svg, box.left - 8, y + 4, tick.label, {.size = kTickSize, .anchor = Anchor::end});
  }
  for (const double value : frame.y.minor) {
    const double y = box.bottom - frame.y.fraction(value) * box.height();
    draw_line(svg, {box.left - 3, y}, {box.left, y}, style.c_str());
  }
  draw_text(svg, box.left, box.top - 6, frame.y.scale,
            {.size = kTickSize, .anchor = Anchor::start});
}

void draw_marker_lines(std::string& svg, const Frame& frame, const std::vector<Marker>& markers) {
  for (const Marker& marker : markers) {
    const double f = frame.x.fraction(marker.x);
    if (!(f >= 0 && f <= 1)) continue;
    const double x = frame.box.left + f * frame.box.width();
    draw_line(svg, {x, frame.box.top}, {x, frame.box.bottom},
              "stroke=\"#777777\" stroke-dasharray=\"3 3\"");
  }
}

void draw_marker_labels(std::string& svg, const PanelPlan& plan, const Box& box) {
  const double lift = plan.axes.y.scale.empty() ? 0 : kRow;  // the scale of y stands below them
  for (const MarkerLabel& label :
       place_marker_labels(plan.panel->markers, plan.axes.x, box.width(), kTickSize)) {
    draw_text(svg, box.left + label.center, box.top - 6 - lift - kRow * label.row, label.text,
              {.size = kTickSize, .color = "#555555"});
  }
}

void draw_frame(std::string& svg, const Box& box) {
  fmt::format_to(std::back_inserter(svg),
                 "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
                 "fill=\"none\" stroke=\"{}\"/>\n",
                 box.left, box.top, box.width(), box.height(), kInk);
}

void draw_labels(std::string& svg, const PanelPlan& plan, const Box& box) {
  const Panel& panel = *plan.panel;
  const double center = (box.left + box.right) / 2;
  draw_text(svg, center, box.top - plan.room.above + 18,
            fit_text(panel.title, box.width() + 40, kPanelTitleSize),
            {.size = kPanelTitleSize, .bold = true});
  // The scale of x, where there is one, ends the same line.
  const double reserved = 2 * text_width(plan.axes.x.scale, kTickSize);
  draw_text(svg, center, box.bottom + 38,
            fit_text(panel.x_label, box.width() - reserved, kLabelSize), {.size = kLabelSize});
  draw_text(svg, box.left - plan.room.left + 16, (box.top + box.bottom) / 2,
            fit_text(panel.y_label, box.height(), kLabelSize),
            {.size = kLabelSize, .upwards = true});
}

}  // namespace

namespace {

/// The largest box in the middle of `box` in which a unit is as long both ways.
Box with_equal_scale(const Box& box, const PanelAxes& axes) {
  const double units_x = axes.x.range.high - axes.x.range.low;
  const double units_y = axes.y.range.high - axes.y.range.low;
  const double pixels = std::min(box.width() / units_x, box.height() / units_y);
  const double spare_x = (box.width() - pixels * units_x) / 2;
  const double spare_y = box.height() - pixels * units_y;
  return {box.left + spare_x, box.top + spare_y, box.right - spare_x, box.bottom};
}

}  // namespace

PanelPlan plan_panel(const Panel& panel, double frame_width, double frame_height) {
  PanelPlan plan;
  plan.panel = &panel;
  plan.axes =
      axes_of(panel, static_cast<int>(frame_width / 70), static_cast<int>(frame_height / 40));
  plan.legend = arrange_legend(panel, frame_width);
  const auto markers = place_marker_labels(panel.markers, plan.axes.x, frame_width, kTickSize);

  plan.room.above = 10 + (panel.title.empty() ? 0 : 20) + kRow * marker_rows(markers) +
                    (plan.axes.y.scale.empty() ? 0 : kRow);
  double numbers = 0;
  for (const Tick& tick : plan.axes.y.ticks) {
    numbers = std::max(numbers, text_width(tick.label, kTickSize));
  }
  plan.room.left = numbers + 12 + (panel.y_label.empty() ? 4 : 24);
  const bool has_x_line = !panel.x_label.empty() || !plan.axes.x.scale.empty();
  plan.room.below = 26 + (has_x_line ? 20 : 0) + plan.legend.height() + 6;
  return plan;
}

void draw_panel(std::string& svg, const PanelPlan& plan, const Box& room) {
  const Panel& panel = *plan.panel;
  const Box box = panel.equal_scale ? with_equal_scale(room, plan.axes) : room;
  const Frame frame{box, plan.axes.x, plan.axes.y};
  svg += "<g>\n";
  draw_grid(svg, frame);
  draw_marker_lines(svg, frame, panel.markers);
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    draw_series(svg, frame, panel.series[i], static_cast<int>(i));
  }
  draw_frame(svg, box);
  draw_x_axis(svg, frame);
  draw_y_axis(svg, frame);
  draw_marker_labels(svg, plan, box);
  draw_labels(svg, plan, box);
  if (plan.axes.empty) {
    draw_text(svg, (box.left + box.right) / 2, (box.top + box.bottom) / 2, "no data",
              {.size = kPanelTitleSize, .color = "#888888"});
  }
  const bool has_x_line = !panel.x_label.empty() || !plan.axes.x.scale.empty();
  draw_legend(svg, panel, plan.legend, box.left, box.bottom + 26 + (has_x_line ? 20 : 0),
              box.width());
  svg += "</g>\n";
}

}  // namespace daewave::io
