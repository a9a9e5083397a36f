#pragma once
// The axes a panel needs to show all of its data.

#include "io/axis.hpp"
#include "io/figure.hpp"

namespace daewave::io {

struct PanelAxes {
  Axis x;
  Axis y;
  bool empty = true;  ///< No series has a point that can be shown.
};

/// Axes around the data: lines reach from frame to frame in x, everything has a margin in y. Ranges
/// given in the panel are kept as they are.
PanelAxes axes_of(const Panel& panel, int most_x_ticks, int most_y_ticks);

}  // namespace daewave::io
