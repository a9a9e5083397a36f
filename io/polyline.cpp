#include "io/polyline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_set>

namespace daewave::io {

namespace {

// Coordinates of points near the picture fit 16 bits; others are never repeated anyway.
std::uint32_t cell_of(const Point& p, double size) {
  const auto index = [&](double c) {
    return static_cast<std::uint32_t>(std::clamp(std::round(c / size), -32000.0, 32000.0) + 32768);
  };
  return index(p.x) << 16 | index(p.y);
}

Point center_of(const Point& p, double size) {
  return {std::round(p.x / size) * size, std::round(p.y / size) * size};
}

void append_extremes(const Polyline& line, std::size_t begin, std::size_t end, Polyline& out) {
  const auto above = [&](std::size_t a, std::size_t b) { return line[a].y < line[b].y; };
  std::size_t low = begin;
  std::size_t high = begin;
  for (std::size_t i = begin; i < end; ++i) {
    if (above(i, low)) low = i;
    if (above(high, i)) high = i;
  }
  std::array<std::size_t, 4> kept{begin, low, high, end - 1};
  std::sort(kept.begin(), kept.end());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    if (i == 0 || kept[i] != kept[i - 1]) out.push_back(line[kept[i]]);
  }
}

std::vector<Polyline> on_grid_once(const std::vector<Polyline>& lines, double size) {
  std::unordered_set<std::uint64_t> drawn;
  std::vector<Polyline> out;
  for (const Polyline& line : lines) {
    bool pen_down = false;
    for (std::size_t i = 1; i < line.size(); ++i) {
      const std::uint64_t a = cell_of(line[i - 1], size);
      const std::uint64_t b = cell_of(line[i], size);
      if (a == b) continue;
      const bool is_new = drawn.insert(std::min(a, b) << 32 | std::max(a, b)).second;
      if (is_new && !pen_down) out.push_back({center_of(line[i - 1], size)});
      if (is_new) out.back().push_back(center_of(line[i], size));
      pen_down = is_new;
    }
    if (line.size() == 1) out.push_back(line);
  }
  return out;
}

std::size_t count_points(const std::vector<Polyline>& lines) {
  std::size_t count = 0;
  for (const Polyline& line : lines) count += line.size();
  return count;
}

}  // namespace

std::vector<Polyline> split_at_gaps(const Polyline& points) {
  std::vector<Polyline> runs;
  bool in_run = false;
  for (const Point& p : points) {
    const bool finite = std::isfinite(p.x) && std::isfinite(p.y);
    if (finite && !in_run) runs.emplace_back();
    if (finite) runs.back().push_back(p);
    in_run = finite;
  }
  return runs;
}

Polyline decimate(const Polyline& line) {
  Polyline out;
  for (std::size_t begin = 0; begin < line.size();) {
    const double column = std::floor(line[begin].x);
    std::size_t end = begin + 1;
    while (end < line.size() && std::floor(line[end].x) == column) ++end;
    append_extremes(line, begin, end, out);
    begin = end;
  }
  return out;
}

std::vector<Polyline> without_repeats(const std::vector<Polyline>& lines, std::size_t most) {
  std::vector<Polyline> kept = lines;
  for (double size = 1; count_points(kept) > most && size <= 64; size *= 2) {
    kept = on_grid_once(lines, size);
  }
  return kept;
}

Polyline one_per_pixel(const Polyline& points) {
  std::unordered_set<std::uint32_t> seen;
  Polyline out;
  for (const Point& p : points) {
    if (seen.insert(cell_of(p, 1)).second) out.push_back(p);
  }
  return out;
}

}  // namespace daewave::io
