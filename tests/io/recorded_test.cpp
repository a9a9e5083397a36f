// Pictures, axes and tables to the last digit, as they were looked at: expected/NAME beside this
// file. What is drawn here has no rounding in it that another machine could do otherwise.
//
// After a change that is meant, DAEWAVE_RECORD=1 daewave_test_io writes them anew, to be looked at.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "io/atomic_file.hpp"
#include "io/axis.hpp"
#include "io/checksum.hpp"
#include "io/svg_plot.hpp"
#include "io/text_table.hpp"
#include "io/utf8.hpp"
#include "tests/catch.hpp"
#include "tests/io/scratch_directory.hpp"
#include "tests/source_folder.hpp"

namespace daewave::io {
namespace {

const std::filesystem::path folder = testing::in_source("tests/io/expected");

/// A parabola of whole numbers.
Series parabola(std::string label, Style style, int count, double by) {
  Series series{.label = std::move(label), .style = style};
  for (int i = 0; i < count; ++i) {
    series.x.push_back(i);
    series.y.push_back(by * i * (count - 1 - i));
  }
  return series;
}

std::string every_style() {
  Panel panel{.title = "styles & <names>", .x_label = "t [s]", .y_label = "x_{1}, 10^{-3} m"};
  const Style styles[] = {Style::line, Style::dashed, Style::dotted, Style::points,
                          Style::line_and_points};
  for (int i = 0; i < 18; ++i) {
    panel.series.push_back(parabola(i % 4 == 3 ? "" : fmt::format("series {}", i), styles[i % 5],
                                    5 + i % 3, i % 2 == 0 ? i + 1 : -i));
  }
  panel.markers = {{1, "t*"}, {1.05, "close by"}, {3, "\u03b1 \"quoted\""}, {3.5, ""}};
  Panel gaps{.title = "gaps"};
  gaps.series = {{"broken", {0, 1, 2, 3, 4, 5, 6}, {1, NAN, 3, 2, INFINITY, 4, 4}},
                 {"lone", {0.5}, {2}},
                 {"far outside", {-100, 3, 100}, {-1000, 2, 1000}, Style::line, 5}};
  gaps.x_range = Range{0, 6};
  gaps.y_range = Range{0, 5};
  Panel plane{.title = "plane", .equal_scale = true};
  plane.series = {{"path", {0, 4, 4, 0, 0}, {0, 0, 1, 1, 0}}};
  Panel whole{.title = "iterates", .log_y = true, .integer_x = true};
  whole.series = {{"change", {1, 2, 3}, {0.5, 0.0625, 0}, Style::line_and_points}};
  Panel empty{.title = "nothing"};
  return render_svg({"every style", "and what is below it", 2, {panel, gaps, plane, whole, empty}});
}

std::string every_scale() {
  Figure figure{.title = "scales", .columns = 3};
  for (const double low : {-2.5, 0.0, 1e6, 3e-7, -4e12}) {
    for (const double length : {0.25, 100.0}) {
      Panel panel{.title = fmt::format("{}", low)};
      panel.series = {{"", {low, low + length}, {length, low}}};
      figure.panels.push_back(panel);
    }
  }
  for (const double low : {1e-9, 0.5}) {
    for (const double factor : {1.5, 8.0, 1e3, 1e12}) {
      Panel panel{.title = fmt::format("{} times {}", low, factor), .log_x = true, .log_y = true};
      panel.series = {{"", {low, low * factor, -1}, {low * factor, low, 2}}};
      figure.panels.push_back(panel);
    }
  }
  return render_svg(figure);
}

/// Of long series the sum of all that is drawn, and how much it is.
std::string long_series() {
  std::uint32_t random = 1;
  const auto next = [&random] { return (random = random * 1664525U + 1013904223U) >> 20; };
  std::string text;
  for (const int count : {1999, 2001, 50000}) {
    for (const Style style : {Style::line, Style::points}) {
      for (const int returns : {1, 40}) {
        Series series{.style = style};
        for (int i = 0; i < count; ++i) {
          series.x.push_back(i % (count / returns));
          series.y.push_back(next());
        }
        Panel panel;
        panel.series = {series};
        const std::string svg = render_svg({"long", "", 1, {panel}});
        Checksum sum;
        sum.add(svg);
        text += fmt::format("{} points, {} times over, style {}: {} bytes, {}\n", count, returns,
                            static_cast<int>(style), svg.size(), sum.text());
      }
    }
  }
  return text;
}

std::string axes() {
  std::string text;
  const auto add = [&text](const Axis& axis) {
    text += fmt::format("  [{}, {}] scale \"{}\":", axis.range.low, axis.range.high, axis.scale);
    for (const Tick& tick : axis.ticks) text += fmt::format(" {} \"{}\"", tick.value, tick.label);
    text += fmt::format("; {} small\n", axis.minor.size());
  };
  for (const double low : {-1e5, -123.0, -1e-7, 0.0, 2e-12, 0.7, 99999.0, 123456.0, 1e15}) {
    for (const double length : {0.0, 1e-9, 0.03, 2.0, 777.0, 1e6, 5e9}) {
      for (const int most : {4, 8}) {
        text += fmt::format("{} to {}, {}\n", low, low + length, most);
        add(linear_axis({low, low + length}, most));
        add(log_axis({low, low + length}, most));
      }
    }
  }
  add(linear_axis({3, -2}, 6));
  add(linear_axis({NAN, 1}, 6));
  add(log_axis({1e-300, 1e300}, 6));
  add(linear_axis({-std::numeric_limits<double>::max(), std::numeric_limits<double>::max()}, 6));
  return text;
}

std::string tables() {
  TextTable table{{{"name", Align::left}, {"value"}, {"pair", Align::slash}}, {}};
  table.add({"e", "1", "6.6e-04 / 6.5e-04"});
  table.add({"\u00e9\u0301 accents", "-12.5", "1 / 100"});
  table.add_rule();
  table.add({"\u6f22\u5b57 wide", "", "none"});
  table.add({"", "1000000", "/"});
  std::string text = render_text(table);
  // Around both ends of what is wide, and of what takes no place.
  for (const char32_t begin :
       {0x1eU,   0x7eU,   0x9eU,   0x2feU,  0x36eU,  0x10feU,  0x115eU,  0x200aU,  0x200eU, 0x20ceU,
        0x20feU, 0x2e7eU, 0xa4ceU, 0xabfeU, 0xd7a2U, 0xf8feU,  0xfafeU,  0xfdfeU,  0xfe0eU, 0xfe2eU,
        0xfe6eU, 0xfefeU, 0xff5fU, 0xffdeU, 0xffe5U, 0x1f2feU, 0x1fafeU, 0x1fffeU, 0x3fffcU}) {
    text += fmt::format("U+{:04X}:", static_cast<unsigned>(begin));
    for (char32_t point = begin; point < begin + 4; ++point) {
      std::string letter;
      append_utf8(letter, point);
      text += fmt::format(" {}", display_width(letter));
    }
    text += '\n';
  }
  return text;
}

const std::map<std::string, std::function<std::string()>>& recorded() {
  static const std::map<std::string, std::function<std::string()>> all{
      {"styles.svg", every_style},
      {"scales.svg", every_scale},
      {"long_series.txt", long_series},
      {"axes.txt", axes},
      {"tables.txt", tables}};
  return all;
}

}  // namespace

TEST_CASE("pictures, axes and tables are to the last digit what they were", "[io]") {
  for (const auto& [name, make] : recorded()) {
    const std::string path = (folder / name).string(), now = make();
    if (std::getenv("DAEWAVE_RECORD") != nullptr) write_file(path, now);
    const std::string then = contents_of(path);
    const auto apart = std::mismatch(now.begin(), now.end(), then.begin(), then.end()).first;
    INFO(name << " from here on: "
              << now.substr(static_cast<std::size_t>(apart - now.begin())).substr(0, 200));
    CHECK((now == then));
  }
}

}  // namespace daewave::io
