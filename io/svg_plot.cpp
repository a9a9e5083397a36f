#include "io/svg_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/svg_panel.hpp"
#include "io/svg_text.hpp"

namespace daewave::io {

namespace {

constexpr double kTitleSize = 17;
constexpr double kSubtitleSize = 13;
constexpr double kRight = 26;  // half of the last number of x stands there
constexpr double kMargin = 8;

struct FrameSize {
  double width;
  double height;
};

FrameSize frame_size(int columns) {
  if (columns == 1) return {640, 340};
  if (columns == 2) return {400, 260};
  return {310, 210};
}

void check(const Figure& figure) {
  if (figure.columns < 1) {
    throw InvalidOption(fmt::format("columns = {}: must be at least 1", figure.columns));
  }
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) {
      if (series.x.size() == series.y.size()) continue;
      throw Error(fmt::format("series \"{}\" of panel \"{}\" has {} x and {} y: give as many",
                              series.label, panel.title, series.x.size(), series.y.size()));
    }
  }
}

// What a picture says, for those who hear it.
std::string description(const Figure& figure) {
  std::string text = figure.subtitle;
  for (const Panel& panel : figure.panels) {
    if (!text.empty()) text += " ";
    text += fmt::format("Panel \"{}\": {} against {}{};", panel.title,
                        panel.y_label.empty() ? "values" : panel.y_label,
                        panel.x_label.empty() ? "x" : panel.x_label,
                        panel.log_y ? ", logarithmic" : "");
    for (const Series& series : panel.series) {
      if (!series.label.empty())
        text += fmt::format(" {} ({} points),", series.label, series.x.size());
    }
    text.back() = '.';
  }
  return plain_text(text);
}

// Rows and columns of panels, each as wide or high as its largest.
struct Grid {
  int columns = 1;
  FrameSize frame{};
  double left = 0;              // room left of every frame
  std::vector<PanelRoom> rows;  // room of each row
  std::vector<PanelPlan> panels;

  double panel_width() const { return left + frame.width + kRight; }
};

Grid arrange(const Figure& figure) {
  Grid grid;
  grid.columns = std::clamp(static_cast<int>(figure.panels.size()), 1, figure.columns);
  grid.frame = frame_size(grid.columns);
  for (const Panel& panel : figure.panels) {
    grid.panels.push_back(plan_panel(panel, grid.frame.width, grid.frame.height));
  }
  for (std::size_t i = 0; i < grid.panels.size(); ++i) {
    const PanelRoom& room = grid.panels[i].room;
    grid.left = std::max(grid.left, room.left);
    if (i % grid.columns == 0) grid.rows.emplace_back();
    PanelRoom& row = grid.rows.back();
    row.above = std::max(row.above, room.above);
    row.below = std::max(row.below, room.below);
  }
  return grid;
}

double draw_titles(std::string& svg, const Figure& figure, double width) {
  double y = kMargin;
  if (!figure.title.empty()) {
    y += 22;
    draw_text(svg, width / 2, y, fit_text(figure.title, width - 2 * kMargin, kTitleSize),
              {.size = kTitleSize, .bold = true});
  }
  if (!figure.subtitle.empty()) {
    y += 20;
    draw_text(svg, width / 2, y, fit_text(figure.subtitle, width - 2 * kMargin, kSubtitleSize),
              {.size = kSubtitleSize, .color = "#555555"});
  }
  return y + kMargin;
}

double draw_panels(std::string& svg, Grid& grid, double top) {
  for (std::size_t i = 0; i < grid.panels.size(); ++i) {
    const int column = static_cast<int>(i) % grid.columns;
    const PanelRoom& row = grid.rows[i / grid.columns];
    const double left = kMargin + column * grid.panel_width() + grid.left;
    const double frame_top = top + row.above;
    draw_panel(svg, grid.panels[i],
               {left, frame_top, left + grid.frame.width, frame_top + grid.frame.height});
    const bool ends_row = column + 1 == grid.columns || i + 1 == grid.panels.size();
    if (ends_row) top += row.above + grid.frame.height + row.below;
  }
  return top;
}

}  // namespace

std::string render_svg(const Figure& figure) {
  check(figure);
  Grid grid = arrange(figure);
  const double width = 2 * kMargin + grid.columns * grid.panel_width();
  std::string body;
  double height = draw_titles(body, figure, width);
  height = draw_panels(body, grid, height);
  if (figure.panels.empty()) {
    height += 60;
    draw_text(body, width / 2, height - 30, "no panels", {.size = 14, .color = "#888888"});
  }
  height += kMargin;

  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" xml:space=\"preserve\" "
             "aria-labelledby=\"title description\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
             "viewBox=\"0 0 {0:.0f} {1:.0f}\" "
             "font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n"
             "<title id=\"title\">{2}</title>\n<desc id=\"description\">{3}</desc>\n"
             "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
             width, height, escape_xml(plain_text(figure.title)), escape_xml(description(figure))) +
         body + "</svg>\n";
}

void write_svg(const std::string& path, const Figure& figure) {
  write_file(path, render_svg(figure));
}

}  // namespace daewave::io
