// What figures and tables are before anything is said of them.

#include "core/types.hpp"
#include "io/axis.hpp"
#include "io/csv.hpp"
#include "io/figure.hpp"
#include "io/marker_labels.hpp"
#include "io/panel_axes.hpp"
#include "io/polyline.hpp"
#include "io/svg_panel.hpp"
#include "io/svg_text.hpp"
#include "io/text_table.hpp"
#include "tests/catch.hpp"

namespace daewave::io {

TEST_CASE(
    "figures have one column of panels with linear axes, and lines in the colours of their order",
    "[io]") {
  CHECK(Figure{}.columns == 1);
  CHECK(Figure{}.panels.empty());
  const Panel panel;
  CHECK_FALSE(panel.log_x);
  CHECK_FALSE(panel.log_y);
  CHECK_FALSE(panel.equal_scale);
  CHECK_FALSE(panel.integer_x);
  CHECK(Series{}.style == Style::line);
  CHECK(Series{}.color == -1);
  CHECK(Marker{}.x == 0);
  CHECK(Range{}.low == 0);
  CHECK(Range{}.high == 1);
  CHECK_FALSE(Axis{}.log);
  CHECK(Tick{}.value == 0);
  CHECK(PanelAxes{}.empty);
  CHECK(MarkerLabel{}.center == 0);
  CHECK(MarkerLabel{}.row == 0);
}

TEST_CASE("what is drawn begins in the corner, in thin lines and dark letters", "[io]") {
  const Box box;
  CHECK(box.left == 0);
  CHECK(box.top == 0);
  CHECK(box.right == 0);
  CHECK(box.bottom == 0);
  CHECK(Point{}.x == 0);
  CHECK(Point{}.y == 0);
  CHECK(Drawing{}.pen == 1.6);
  CHECK(PanelPlan{}.panel == nullptr);
  CHECK(PanelRoom{}.above == 0);
  CHECK(PanelRoom{}.left == 0);
  CHECK(PanelRoom{}.below == 0);
  const TextStyle style;
  CHECK(style.size == 12);
  CHECK(style.anchor == Anchor::middle);
  CHECK(std::string(style.color) == "#222222");
  CHECK_FALSE(style.bold);
  CHECK_FALSE(style.upwards);
}

TEST_CASE("tables have all digits and rows, and numbers to the right", "[io]") {
  CHECK(CsvOptions{}.digits == 17);
  CHECK(CsvOptions{}.every == 1);
  CHECK(TextColumn{}.align == Align::right);
}

}  // namespace daewave::io
