#pragma once
// What a picture shows, without how it is drawn.
//
// Texts are UTF-8; "x_{1}" and "10^{-3}" are set as subscript and superscript. Every member has an
// initializer so that designated initializers may name any of them without a warning.

#include <optional>
#include <string>
#include <vector>

namespace daewave::io {

enum class Style { line, dashed, dotted, points, line_and_points };

/// Points (x[i], y[i]) in order; an entry that is NaN or infinite breaks the line.
struct Series {
  std::string label{};  ///< Empty: no entry in the legend.
  std::vector<double> x{};
  std::vector<double> y{};  ///< As many as x.
  Style style = Style::line;
  int color = -1;  ///< Index into the palette; -1: the position in the panel.
};

/// A vertical line at x with a label above the frame.
struct Marker {
  double x = 0;
  std::string label{};
};

/// Ends of an axis.
struct Range {
  double low = 0;
  double high = 1;
};

/// One pair of axes.
struct Panel {
  std::string title{};
  std::string x_label{};
  std::string y_label{};
  bool log_x = false;  ///< Entries that are not positive break the line.
  bool log_y = false;
  bool equal_scale = false;  ///< A unit of x is as long as one of y: for places in a plane.
  bool integer_x = false;  ///< Ticks at whole numbers alone.
  std::vector<Series> series{};
  std::vector<Marker> markers{};
  std::optional<Range> x_range{};  ///< Default: what the series and markers need.
  std::optional<Range> y_range{};  ///< Default: what the series need, and a margin.
};

/// Panels in reading order on a grid.
struct Figure {
  std::string title{};
  std::string subtitle{};
  int columns = 1;  ///< Panels side by side, at least 1.
  std::vector<Panel> panels{};
};

}  // namespace daewave::io
