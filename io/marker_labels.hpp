#pragma once
// Labels of vertical markers in rows above the frame, none over another.

#include <string>
#include <vector>

#include "io/axis.hpp"
#include "io/figure.hpp"

namespace daewave::io {

/// A label that is shown; those that find no room in three rows are left out.
struct MarkerLabel {
  std::string text;
  double center = 0;  ///< Pixels from the left end of the frame.
  int row = 0;        ///< 0 is next to the frame.
};

/// The labels of the markers inside the axis, for a frame of `width` pixels.
std::vector<MarkerLabel> place_marker_labels(const std::vector<Marker>& markers, const Axis& axis,
                                             double width, double text_size);

}  // namespace daewave::io
