#include "io/marker_labels.hpp"

#include <algorithm>
#include <array>

#include "io/svg_text.hpp"

namespace daewave::io {

std::vector<MarkerLabel> place_marker_labels(const std::vector<Marker>& markers, const Axis& axis,
                                             double width, double text_size) {
  std::vector<Marker> inside;
  for (const Marker& marker : markers) {
    const double f = axis.fraction(marker.x);
    if (f >= 0 && f <= 1 && !marker.label.empty()) inside.push_back(marker);
  }
  std::stable_sort(inside.begin(), inside.end(),
                   [](const Marker& a, const Marker& b) { return a.x < b.x; });

  constexpr double gap = 8;
  std::array<double, 3> used{-gap, -gap, -gap};  // right end of the last label of each row
  std::vector<MarkerLabel> placed;
  for (const Marker& marker : inside) {
    const std::string text = fit_text(marker.label, width, text_size);
    const double half = text_width(text, text_size) / 2;
    // Near the ends of the frame a label moves inwards.
    const double center = std::max(half, std::min(axis.fraction(marker.x) * width, width - half));
    for (std::size_t row = 0; row < used.size(); ++row) {
      if (center - half < used[row] + gap) continue;
      used[row] = center + half;
      placed.push_back({text, center, static_cast<int>(row)});
      break;
    }
  }
  return placed;
}

}  // namespace daewave::io
