#include "io/legend.hpp"

#include "io/svg_series.hpp"
#include "io/svg_text.hpp"

namespace daewave::io {

namespace {

constexpr double kRowHeight = 18;
constexpr double kSample = 26;  // length of the line shown
constexpr double kGap = 6;      // between it and the label
constexpr double kBetween = 18;
constexpr double kTextSize = 12;

}  // namespace

double Legend::height() const { return kRowHeight * static_cast<double>(row_widths.size()); }

Legend arrange_legend(const Panel& panel, double width) {
  Legend legend;
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    if (panel.series[i].label.empty()) continue;
    const std::string label = fit_text(panel.series[i].label, width - kSample - kGap, kTextSize);
    const double needed = kSample + kGap + text_width(label, kTextSize);
    const bool fits =
        !legend.row_widths.empty() && legend.row_widths.back() + kBetween + needed <= width;
    if (!fits) legend.row_widths.push_back(0);
    double& used = legend.row_widths.back();
    const double left = used > 0 ? used + kBetween : 0;
    legend.entries.push_back(
        {static_cast<int>(i), label, static_cast<int>(legend.row_widths.size()) - 1, left});
    used = left + needed;
  }
  return legend;
}

void draw_legend(std::string& svg, const Panel& panel, const Legend& legend, double left,
                 double top, double width) {
  for (const Legend::Entry& entry : legend.entries) {
    const double x = left + (width - legend.row_widths[entry.row]) / 2 + entry.left;
    const double y = top + kRowHeight * (entry.row + 0.5);
    draw_sample(svg, x, y, kSample, panel.series[entry.series], entry.series);
    draw_text(svg, x + kSample + kGap, y + 4, entry.label,
              {.size = kTextSize, .anchor = Anchor::start});
  }
}

}  // namespace daewave::io
