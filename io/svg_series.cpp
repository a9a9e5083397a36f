#include "io/svg_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "io/palette.hpp"

namespace daewave::io {

namespace {

constexpr std::size_t kLong = 2000;       // longer series are thinned
constexpr std::size_t kMostDrawn = 6000;  // points of one series in the file

struct Ink {
  std::string color;
  std::string dashes;
  int symbol = 0;
};

Ink ink_of(const Series& series, int position) {
  const int index = series.color >= 0 ? series.color : position;
  // Rounds through the palette differ by their dashes.
  const int round = index / static_cast<int>(palette.size());
  const bool again = round > 0;
  std::string dashes = round == 0 ? "" : round == 1 ? "9 3 2 3" : "3 2";
  if (series.style == Style::dashed) dashes = again ? "12 4" : "6 4";
  if (series.style == Style::dotted) dashes = again ? "1 6" : "1.5 3.5";
  return {palette_color(index), dashes, index % 4};
}

bool has_line(Style style) { return style != Style::points; }

bool has_symbols(Style style) { return style == Style::points || style == Style::line_and_points; }

void append_path(std::string& path, const Polyline& line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    fmt::format_to(std::back_inserter(path), "{}{:.2f},{:.2f}",
                   i == 0   ? 'M'
                   : i == 1 ? 'L'
                            : ' ',
                   line[i].x, line[i].y);
  }
}

void draw_path(std::string& svg, const std::string& path, const Ink& ink, double pen = 1.6) {
  if (path.empty()) return;
  fmt::format_to(std::back_inserter(svg),
                 "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:.1f}\" "
                 "stroke-linejoin=\"round\"",
                 path, ink.color, pen);
  if (!ink.dashes.empty()) svg += fmt::format(" stroke-dasharray=\"{}\"", ink.dashes);
  svg += "/>\n";
}

// Circle, square, triangle, diamond: the shape tells series apart where the colour does not.
void append_symbol(std::string& path, const Point& p, int symbol) {
  auto out = std::back_inserter(path);
  switch (symbol) {
    case 0:
      fmt::format_to(out, "M{:.2f},{:.2f}a3,3 0 1 0 6,0a3,3 0 1 0 -6,0z", p.x - 3, p.y);
      break;
    case 1:
      fmt::format_to(out, "M{:.2f},{:.2f}h5.4v5.4h-5.4z", p.x - 2.7, p.y - 2.7);
      break;
    case 2:
      fmt::format_to(out, "M{:.2f},{:.2f}l3.4,6h-6.8z", p.x, p.y - 3.6);
      break;
    default:
      fmt::format_to(out, "M{:.2f},{:.2f}l3.6,3.6l-3.6,3.6l-3.6,-3.6z", p.x, p.y - 3.6);
  }
}

void draw_symbols(std::string& svg, const Polyline& points, const Ink& ink) {
  std::string path;
  for (const Point& p : points) append_symbol(path, p, ink.symbol);
  if (path.empty()) return;
  fmt::format_to(std::back_inserter(svg), "<path d=\"{}\" fill=\"{}\"/>\n", path, ink.color);
}

Drawing visible_lines(const Polyline& points, const Box& box) {
  std::vector<Polyline> visible;
  for (Polyline& run : split_at_gaps(points)) {
    if (points.size() > kLong) run = decimate(run);
    for (Polyline& part : clip(run, box)) visible.push_back(std::move(part));
  }
  return without_repeats(visible, box, kMostDrawn);
}

Polyline visible_points(const Polyline& points, const Box& box) {
  const Box wider{box.left - 0.5, box.top - 0.5, box.right + 0.5, box.bottom + 0.5};
  Polyline visible;
  for (const Point& p : points) {
    if (wider.contains(p)) visible.push_back(p);
  }
  return visible.size() > kLong ? one_per_pixel(visible) : visible;
}

}  // namespace

Point Frame::at(double x_value, double y_value) const {
  // Far outside, only the direction matters; the bound keeps the arithmetic of clipping finite.
  const auto bounded = [](double f) { return std::isnan(f) ? f : std::clamp(f, -1e4, 1e4); };
  return {box.left + bounded(x.fraction(x_value)) * box.width(),
          box.bottom - bounded(y.fraction(y_value)) * box.height()};
}

void draw_series(std::string& svg, const Frame& frame, const Series& series, int position) {
  Polyline points;
  points.reserve(series.x.size());
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    const bool finite = std::isfinite(series.x[i]) && std::isfinite(series.y[i]);
    points.push_back(finite ? frame.at(series.x[i], series.y[i]) : Point{NAN, NAN});
  }
  const Ink ink = ink_of(series, position);
  if (has_symbols(series.style)) draw_symbols(svg, visible_points(points, frame.box), ink);
  if (!has_line(series.style)) return;

  std::string path;
  Polyline lone;  // a line through one point has no length
  const Drawing drawing = visible_lines(points, frame.box);
  for (const Polyline& line : drawing.lines) {
    if (line.size() > 1) {
      append_path(path, line);
    } else {
      lone.push_back(line.front());
    }
  }
  draw_path(svg, path, ink, drawing.pen);
  if (!has_symbols(series.style)) draw_symbols(svg, lone, {ink.color, "", 0});
}

void draw_sample(std::string& svg, double left, double y, double width, const Series& series,
                 int position) {
  const Ink ink = ink_of(series, position);
  std::string path;
  if (has_line(series.style)) append_path(path, {{left, y}, {left + width, y}});
  draw_path(svg, path, ink);
  if (has_symbols(series.style)) draw_symbols(svg, {{left + width / 2, y}}, ink);
}

}  // namespace daewave::io
