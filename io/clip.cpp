// Liang and Barsky: the part p + s (q - p), 0 <= s <= 1, of a segment inside a box.

#include <algorithm>

#include "io/polyline.hpp"

namespace daewave::io {

namespace {

struct Part {
  double begin = 0;
  double end = 1;
};

// Keeps what satisfies s * slope <= room. @return false when nothing is left.
bool cut(double slope, double room, Part& part) {
  if (slope == 0) return room >= 0;
  const double s = room / slope;
  if (slope > 0) {
    part.end = std::min(part.end, s);
  } else {
    part.begin = std::max(part.begin, s);
  }
  return part.begin <= part.end;
}

bool cut(const Point& p, const Point& q, const Box& box, Part& part) {
  const double dx = q.x - p.x;
  const double dy = q.y - p.y;
  return cut(dx, box.right - p.x, part) && cut(-dx, p.x - box.left, part) &&
         cut(dy, box.bottom - p.y, part) && cut(-dy, p.y - box.top, part);
}

}  // namespace

std::vector<Polyline> clip(const Polyline& line, const Box& box) {
  std::vector<Polyline> parts;
  if (line.size() == 1 && box.contains(line.front())) parts.push_back(line);
  bool pen_down = false;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const Point& p = line[i - 1];
    const Point& q = line[i];
    const auto at = [&](double s) {
      // Rounding must not lead out of the box.
      return Point{std::clamp(p.x + s * (q.x - p.x), box.left, box.right),
                   std::clamp(p.y + s * (q.y - p.y), box.top, box.bottom)};
    };
    Part part;
    if (!cut(p, q, box, part)) {
      pen_down = false;
      continue;
    }
    if (!pen_down || part.begin > 0) parts.push_back({at(part.begin)});
    parts.back().push_back(at(part.end));
    pen_down = part.end == 1;
  }
  return parts;
}

}  // namespace daewave::io
