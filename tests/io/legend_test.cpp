// Where the entries of a legend go, pixel by pixel.

#include "io/legend.hpp"

#include <string>
#include <vector>

#include "io/svg_text.hpp"
#include "tests/catch.hpp"

namespace daewave::io::of_legend {
namespace {

/// The line shown, and what is between it and its label; between entries; height of a row.
constexpr double sample = 32, between = 18, row = 18, size = 12;

Panel with_labels(const std::vector<std::string>& labels) {
  Panel panel;
  for (const std::string& label : labels) panel.series.push_back({.label = label});
  return panel;
}

double needed(const std::string& label) { return sample + text_width(label, size); }

}  // namespace

TEST_CASE("entries of a legend stand beside each other as far as they fit", "[io]") {
  const Panel panel = with_labels({"first", "", "second one", "x"});
  const double first = needed("first"), second = needed("second one"), x = needed("x");
  const double two = first + between + second;
  // One pixel decides; what just fits stays in the row.
  const Legend beside = arrange_legend(panel, two);
  REQUIRE(beside.entries.size() == 3);
  CHECK(beside.entries[0].series == 0);
  CHECK(beside.entries[1].series == 2);
  CHECK(beside.entries[2].series == 3);
  CHECK(beside.entries[1].label == "second one");
  CHECK(beside.entries[0].row == 0);
  CHECK(beside.entries[1].row == 0);
  CHECK(beside.entries[2].row == 1);
  CHECK(beside.entries[0].left == 0);
  CHECK(beside.entries[1].left == Approx(first + between));
  CHECK(beside.entries[2].left == 0);
  REQUIRE(beside.row_widths.size() == 2);
  CHECK(beside.row_widths[0] == Approx(two));
  CHECK(beside.row_widths[1] == Approx(x));
  CHECK(beside.height() == 2 * row);
  const Legend below = arrange_legend(panel, two - 1);
  CHECK(below.entries[1].row == 1);
  CHECK(below.entries[2].row == 1);
  CHECK(below.row_widths[1] == Approx(second + between + x));
}

TEST_CASE("a legend shortens a label that is wider than a row, and needs no height without labels",
          "[io]") {
  const std::string longer(80, 'w');
  const Legend legend = arrange_legend(with_labels({longer}), 200);
  REQUIRE(legend.entries.size() == 1);
  CHECK(legend.entries[0].label.size() < longer.size());
  CHECK(legend.row_widths[0] <= 200);
  CHECK(legend.row_widths[0] > 150);
  CHECK(arrange_legend(with_labels({"", ""}), 200).height() == 0);
}

TEST_CASE("rows of a legend are drawn in the middle of what is beneath the panel", "[io]") {
  const Panel panel = with_labels({"a", "b"});
  const Legend legend = arrange_legend(panel, needed("a"));
  REQUIRE(legend.row_widths.size() == 2);
  std::string svg, expected;
  draw_legend(svg, panel, legend, 100, 50, 300);
  const double left = 100 + (300 - needed("a")) / 2;
  // Labels stand behind their samples, 4 pixels below the middle of their row.
  for (int i = 0; i < 2; ++i) {
    std::string label;
    const double middle = 50 + row * (i + 0.5);
    draw_text(label, left + sample, middle + 4, legend.entries[static_cast<std::size_t>(i)].label,
              {.size = size, .anchor = Anchor::start});
    CAPTURE(svg, label);
    CHECK(svg.find(label) != std::string::npos);
  }
}

}  // namespace daewave::io::of_legend
