#pragma once
// One panel: title, markers, frame with grid and ticks, series, axis labels, legend.

#include <string>

#include "io/figure.hpp"
#include "io/legend.hpp"
#include "io/panel_axes.hpp"
#include "io/polyline.hpp"

namespace daewave::io {

/// The room each part of a panel takes, in pixels; panels in one row share the largest of each.
struct PanelRoom {
  double above = 0;  ///< Title, scale of y, labels of markers.
  double left = 0;   ///< Label and numbers of y.
  double below = 0;  ///< Numbers and label of x, and the legend.
};

/// A panel with all that is decided before anything is drawn.
struct PanelPlan {
  const Panel* panel = nullptr;
  PanelAxes axes;
  Legend legend;
  PanelRoom room;
};

/// Decides axes, legend and room for a frame of that size.
PanelPlan plan_panel(const Panel& panel, double frame_width, double frame_height);

/// Appends the panel around the frame `room`, or one in it where scales are equal.
void draw_panel(std::string& svg, const PanelPlan& plan, const Box& room);

}  // namespace daewave::io
