#include "io/svg_plot.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/svg_text.hpp"
#include "tests/catch.hpp"
#include "tests/io/scratch_directory.hpp"
#include "tests/source_folder.hpp"

namespace daewave::io {

namespace {

int occurrences(const std::string& text, const std::string& part) {
  int count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// Tags nest, attributes are quoted, entities are known: enough to find what a parser would refuse.
bool well_formed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t i = 0; i < xml.size(); ++i) {
    if (xml[i] == '&') {
      const std::string entity = xml.substr(i, xml.find(';', i) - i + 1);
      if (entity != "&amp;" && entity != "&lt;" && entity != "&gt;" && entity != "&quot;" &&
          entity != "&apos;") {
        return false;
      }
    }
    if (xml[i] != '<') continue;
    const std::size_t close = xml.find('>', i);
    if (close == std::string::npos) return false;
    const std::string tag = xml.substr(i + 1, close - i - 1);
    if (tag.find('<') != std::string::npos || occurrences(tag, "\"") % 2 != 0) return false;
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.push_back(tag.substr(0, tag.find_first_of(" \n")));
    }
    i = close;
  }
  return open.empty();
}

Figure figure_of(Series series, bool log = false) {
  Panel panel;
  panel.title = "panel";
  panel.log_x = log;
  panel.log_y = log;
  panel.series = {std::move(series)};
  return {"figure", "", 1, {panel}};
}

// The picture holds no number that a viewer could not place.
void check_picture(const std::string& svg) {
  CHECK(well_formed(svg));
  CHECK(svg.starts_with("<svg "));
  CHECK(svg.ends_with("</svg>\n"));
  CHECK(occurrences(svg, "nan") == 0);
  CHECK(occurrences(svg, "inf") == 0);
}

}  // namespace

TEST_CASE("a picture has titles, axes, a legend and a description", "[io]") {
  Figure figure = figure_of({"x_{1} of t", {0, 1, 2}, {0, 1, 4}});
  figure.subtitle = "three points";
  figure.panels[0].x_label = "t [s]";
  figure.panels[0].markers = {{1, "t*"}};
  const std::string svg = render_svg(figure);
  check_picture(svg);
  for (const char* text : {">figure<", ">three points", ">panel<", ">t [s]<", ">t*<", "#0072b2",
                           "fill=\"#ffffff\"", "x1 of t (3 points)"}) {
    CHECK_THAT(svg, contains_text(text));
  }
}

TEST_CASE("empty figures, panels and series make pictures", "[io]") {
  check_picture(render_svg({}));
  CHECK_THAT(render_svg({}), contains_text("no panels"));
  for (const bool log : {false, true}) {
    check_picture(render_svg({"", "", 3, {Panel{.log_y = log}}}));
    for (const Series& series :
         {Series{"none", {}, {}}, Series{"one", {1}, {2}}, Series{"constant", {1, 2}, {3, 3}},
          Series{"zero", {0, 0}, {0, 0}}, Series{"nothing finite", {NAN, 1}, {1, INFINITY}},
          Series{"huge", {-1e308, 1e308}, {1e308, -1e308}}}) {
      check_picture(render_svg(figure_of(series, log)));
    }
  }
  CHECK_THAT(render_svg(figure_of({"", {}, {}})), contains_text("no data"));
}

TEST_CASE("texts cannot break the picture", "[io]") {
  Figure figure = figure_of({"<b> & \"c\" 'd' _{ ^{x", {0, 1}, {0, 1}});
  figure.title = "a < b && c > d \x01 \xff";
  figure.panels[0].markers = {{0.5, "<m&>"}};
  figure.panels[0].y_label = std::string(500, 'W');
  check_picture(render_svg(figure));
  CHECK(escape_xml("<&>\"'\x01") == "&lt;&amp;&gt;&quot;&apos;\uFFFD");
}

TEST_CASE("subscripts and superscripts are set, and read without marks", "[io]") {
  std::string svg;
  draw_text(svg, 0, 0, "10^{-3} x_{1}");
  CHECK(occurrences(svg, "<tspan") >= 2);
  CHECK(plain_text("10^{-3} x_{1}") == "10-3 x1");
  CHECK(plain_text("x_1 {a} ^{") == "x_1 {a} ^{");
}

TEST_CASE("NaN breaks the line, a log axis breaks it at zero too", "[io]") {
  const auto moves = [](const std::string& svg) {
    const std::size_t path = svg.find("<path d=\"");
    return occurrences(svg.substr(path, svg.find('/', path) - path), "M");
  };
  const std::vector<double> x{1, 2, 3, 4, 5};
  CHECK(moves(render_svg(figure_of({"", x, {1, 2, 3, 2, 1}}))) == 1);
  CHECK(moves(render_svg(figure_of({"", x, {1, 2, NAN, 2, 1}}))) == 2);
  CHECK(moves(render_svg(figure_of({"", x, {1, 2, 0, 2, 1}}, true))) == 2);
  CHECK(moves(render_svg(figure_of({"", x, {1, 2, -1, 2, 1}}, true))) == 2);
}

TEST_CASE("a million points make a small file in which the spike is seen", "[io]") {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> noise(-1, 1);
  Series series{"noise", {}, {}};
  for (int i = 0; i < 1000000; ++i) {
    series.x.push_back(i);
    series.y.push_back(i == 654321 ? 20 : noise(random));
  }
  for (const Style style : {Style::line, Style::dashed, Style::points}) {
    series.style = style;
    const std::string svg = render_svg(figure_of(series));
    check_picture(svg);
    CHECK(svg.size() < 200000 * (style == Style::points ? 10 : 1));
  }
  series.style = Style::line;
  Figure figure = figure_of(series);
  figure.panels[0].y_range = Range{-2, 20};
  // The spike ends on the upper edge of the frame.
  const std::string svg = render_svg(figure);
  const std::size_t frame = svg.find("<rect x=");
  const std::string top = svg.substr(svg.find(" y=\"", frame) + 4, 8);
  const std::string edge = "," + top.substr(0, top.find('"')) + "0";
  CHECK_THAT(svg, contains_text(edge));
}

TEST_CASE("unequal series and no columns are refused", "[io]") {
  CHECK_THROWS_WITH(render_svg(figure_of({"a", {1, 2}, {1}})),
                    contains_text("\"a\"") && contains_text("2 x and 1 y"));
  CHECK_THROWS_AS(render_svg({"", "", 0, {}}), InvalidOption);
}

TEST_CASE("panels stand on a grid without covering each other", "[io]") {
  Figure figure{"grid", "", 2, std::vector<Panel>(5)};
  const std::string svg = render_svg(figure);
  CHECK(occurrences(svg, "<rect x=") == 5);
  figure.columns = 100;
  check_picture(render_svg(figure));
}

TEST_CASE("a picture with all that one can have is drawn as it was looked at", "[io]") {
  const std::vector<double> x{0, 1, 2, 3, 4};
  Figure all{"Everything", "two columns, three panels", 2, {}};
  all.panels.push_back(
      {.title = "Styles",
       .x_label = "t, s",
       .y_label = "q_{1}",
       .series =
           {{"a line", x, {0, 1, 0, -1, 0.5}},
            {"dashed, broken", x, {1, 1, NAN, 2, 2}, Style::dashed},
            {"dotted", x, {-1, -0.5, 0, 0.5, 1}, Style::dotted},
            {"points", x, {2, 1.5, 1, 0.5, 0}, Style::points},
            {"line and points of a long name", x, {0, 0.1, 0.2, 0.3, 0.4}, Style::line_and_points},
            {"second round", x, {0.3, 0.3, 0.4, 0.4, 0.3}, Style::line, 9},
            {"third round", x, {0.5, 0.6, 0.6, 0.5, 0.5}, Style::line, 19}},
       .markers = {{1, "t_{1}"}, {1.05, "close to it"}, {3, "t_{2}"}}});
  all.panels.push_back(
      {.title = "Logarithms",
       .x_label = "h",
       .log_x = true,
       .log_y = true,
       .series = {{"h^{2}", {1e-3, 1e-2, 0.1, 1}, {1e-6, 1e-4, 1e-2, 1}},
                  {"falls to nothing", {1e-3, 1e-2, 0.1, 1}, {1e-2, 1e-3, 0, 1}}}});
  all.panels.push_back(
      {.title = "Large numbers, whole numbers",
       .integer_x = true,
       .series = {{"far from zero", {1, 2, 3}, {1000000.25, 1000000.5, 1000000.75}}},
       .x_range = Range{1, 3}});
  const std::string svg = render_svg(all);
  check_picture(svg);
  const std::string path = testing::in_source("tests/io/everything.svg");
  if (std::getenv("DAEWAVE_RECORD") != nullptr) write_file(path, svg);
  const std::string looked_at = contents_of(path);
  const auto apart =
      std::mismatch(svg.begin(), svg.end(), looked_at.begin(), looked_at.end()).first;
  INFO(
      "from here on: " << svg.substr(static_cast<std::size_t>(apart - svg.begin())).substr(0, 200));
  CHECK((svg == looked_at));
}

TEST_CASE("a picture is written whole or not at all", "[io]") {
  const ScratchDirectory scratch;
  const Figure figure = figure_of({"a", {0, 1}, {0, 1}});
  write_svg(scratch.file("a.svg"), figure);
  CHECK(contents_of(scratch.file("a.svg")) == render_svg(figure));
  CHECK_THROWS_AS(write_svg(scratch.file("no/a.svg"), figure), FileError);
  CHECK(scratch.entries() == 1);
}

}  // namespace daewave::io
