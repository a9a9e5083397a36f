#pragma once
// One series inside the frame of a panel, and its sample in the legend.

#include <string>

#include "io/axis.hpp"
#include "io/figure.hpp"
#include "io/polyline.hpp"

namespace daewave::io {

/// Where values lie in the picture.
struct Frame {
  Box box;
  Axis x;
  Axis y;

  Point at(double x_value, double y_value) const;
};

/// Appends the series. Long ones are thinned to what can be seen: about 20 kB at most, a few times
/// that where a line keeps returning. @param position  of the series in its panel, for its colour.
void draw_series(std::string& svg, const Frame& frame, const Series& series, int position);

/// Appends a sample of the line and symbol, `width` pixels from `left` around height y.
void draw_sample(std::string& svg, double left, double y, double width, const Series& series,
                 int position);

}  // namespace daewave::io
