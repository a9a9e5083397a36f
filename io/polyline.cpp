#include "io/polyline.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace daewave::io {

namespace {

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

Polyline one_per_pixel(const Polyline& points) {
  std::set<std::pair<long, long>> seen;
  Polyline out;
  for (const Point& p : points) {
    if (seen.emplace(std::lround(p.x), std::lround(p.y)).second) out.push_back(p);
  }
  return out;
}

}  // namespace daewave::io
