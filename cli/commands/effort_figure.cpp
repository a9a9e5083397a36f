#include "cli/commands/effort_figure.hpp"

namespace daewave::cli {

io::Figure effort_figure(const std::string& title,
                         const std::vector<reproduce::ErrorPanel>& panels) {
  io::Figure figure;
  figure.title = title;
  figure.columns = 2;
  for (const reproduce::ErrorPanel& one : panels) {
    io::Panel panel;
    panel.title = one.title;
    panel.x_label = "h";
    panel.y_label = "error";
    panel.log_x = panel.log_y = true;
    for (const reproduce::ErrorCurve& curve : one.curves) {
      panel.series.push_back({.label = curve.label,
                              .x = curve.h,
                              .y = curve.error,
                              .style = io::Style::line_and_points});
    }
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

}  // namespace daewave::cli
