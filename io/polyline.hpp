#pragma once
// Lines in pixels: broken where data is missing, thinned to what can be seen, cut at the frame.

#include <vector>

namespace daewave::io {

/// A point in pixels, y downwards.
struct Point {
  double x = 0;
  double y = 0;
};

using Polyline = std::vector<Point>;

/// A rectangle in pixels.
struct Box {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;

  double width() const { return right - left; }
  double height() const { return bottom - top; }

  bool contains(const Point& p) const {
    return p.x >= left && p.x <= right && p.y >= top && p.y <= bottom;
  }
};

/// The runs of finite points.
std::vector<Polyline> split_at_gaps(const Polyline& points);

/// At most four points of each run within one pixel column: the first, lowest, highest and last, in
/// their order. The picture is that of the whole line, every peak included.
Polyline decimate(const Polyline& line);

/// The parts of the line inside the box.
std::vector<Polyline> clip(const Polyline& line, const Box& box);

/// Lines to be drawn with a pen of that width.
struct Drawing {
  std::vector<Polyline> lines;
  double pen = 1.6;
};

/// For lines inside `box` that pass the same places again and again, such as an orbit: leaves out
/// what is drawn already. Few points remain as they are; many move to half or whole pixels, each
/// segment once; where at most `most` are still exceeded, the area the lines cover is hatched.
Drawing without_repeats(const std::vector<Polyline>& lines, const Box& box, std::size_t most);

/// One point for each pixel that has any.
Polyline one_per_pixel(const Polyline& points);

}  // namespace daewave::io
