#pragma once
// The legend of a panel: rows of samples and labels beneath it, so that no data is covered.

#include <string>
#include <vector>

#include "io/figure.hpp"

namespace daewave::io {

/// Where each entry goes; made first, as its height decides the height of the panel.
struct Legend {
  struct Entry {
    int series = 0;     ///< Position in the panel.
    std::string label;  ///< Shortened where it would not fit.
    int row = 0;
    double left = 0;  ///< Pixels from the left end of the legend.
  };
  std::vector<Entry> entries;
  std::vector<double> row_widths;

  double height() const;
};

/// Fills rows of `width` pixels with the labelled series, in order.
Legend arrange_legend(const Panel& panel, double width);

/// Appends the legend, its rows centred between `left` and `left + width`.
void draw_legend(std::string& svg, const Panel& panel, const Legend& legend, double left,
                 double top, double width);

}  // namespace daewave::io
