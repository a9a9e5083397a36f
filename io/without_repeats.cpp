// A line that keeps returning, such as an orbit over a long time, has more points than a picture
// has pixels: what is drawn once is enough.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_set>

#include "io/polyline.hpp"

namespace daewave::io {

namespace {

std::size_t count_points(const std::vector<Polyline>& lines) {
  std::size_t count = 0;
  for (const Polyline& line : lines) count += line.size();
  return count;
}

// The points of a grid over a box, numbered.
struct Lattice {
  Box box;
  double size = 1;

  std::uint64_t columns() const { return static_cast<std::uint64_t>(box.width() / size) + 2; }

  std::uint64_t number(const Point& p) const {
    return static_cast<std::uint64_t>(std::lround((p.y - box.top) / size)) * columns() +
           static_cast<std::uint64_t>(std::lround((p.x - box.left) / size));
  }

  Point point(std::uint64_t number) const {
    return {std::min(box.left + static_cast<double>(number % columns()) * size, box.right),
            std::min(box.top + static_cast<double>(number / columns()) * size, box.bottom)};
  }
};

std::vector<Polyline> segments_once(const std::vector<Polyline>& lines, const Lattice& lattice) {
  std::unordered_set<std::uint64_t> drawn;
  std::vector<Polyline> out;
  for (const Polyline& line : lines) {
    if (line.size() == 1) out.push_back(line);
    bool pen_down = false;
    for (std::size_t i = 1; i < line.size(); ++i) {
      const std::uint64_t a = lattice.number(line[i - 1]);
      const std::uint64_t b = lattice.number(line[i]);
      if (a == b) continue;
      const bool is_new = drawn.insert(std::min(a, b) << 32 | std::max(a, b)).second;
      if (is_new && !pen_down) out.push_back({lattice.point(a)});
      if (is_new) out.back().push_back(lattice.point(b));
      pen_down = is_new;
    }
  }
  return out;
}

// One horizontal stroke over each run of lattice points that a line passes.
std::vector<Polyline> hatched(const std::vector<Polyline>& lines, const Lattice& lattice) {
  const std::uint64_t columns = lattice.columns();
  const auto rows = static_cast<std::size_t>(lattice.box.height() / lattice.size) + 2;
  std::vector<bool> passed(rows * columns);
  for (const Polyline& line : lines) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const Point p = line[i == 0 ? 0 : i - 1];
      const Point q = line[i];
      const double length = std::max(std::abs(q.x - p.x), std::abs(q.y - p.y));
      const int steps = 1 + static_cast<int>(2 * length / lattice.size);
      for (int k = 0; k <= steps; ++k) {
        const double s = static_cast<double>(k) / steps;
        passed[lattice.number({p.x + s * (q.x - p.x), p.y + s * (q.y - p.y)})] = true;
      }
    }
  }
  std::vector<Polyline> strokes;
  const Box& box = lattice.box;
  for (std::size_t i = 0; i < passed.size(); ++i) {
    if (!passed[i]) continue;
    const bool extends = i % columns != 0 && passed[i - 1];
    const Point p = lattice.point(i);
    if (!extends) strokes.push_back({{std::max(p.x - lattice.size / 2, box.left), p.y}, p});
    strokes.back().back() = {std::min(p.x + lattice.size / 2, box.right), p.y};
  }
  return strokes;
}

}  // namespace

Drawing without_repeats(const std::vector<Polyline>& lines, const Box& box, std::size_t most) {
  Drawing drawing{lines};
  for (const double size : {0.5, 1.0}) {
    if (count_points(drawing.lines) <= most) return drawing;
    drawing.lines = segments_once(lines, {box, size});
  }
  for (double size = 1.5; count_points(drawing.lines) > most && size < 100; size *= 1.5) {
    drawing = {hatched(lines, {box, size}), size + 0.1};
  }
  return drawing;
}

}  // namespace daewave::io
