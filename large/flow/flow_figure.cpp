#include "large/flow/flow_figure.hpp"

#include <algorithm>

namespace daewave::flow {

std::vector<Contour> stream_lines(const CornerField& psi) {
  const auto [low, high] = std::minmax_element(psi.values.begin(), psi.values.end());
  const double largest = std::max(std::abs(*low), std::abs(*high));
  std::vector<Contour> lines;
  for (const double extreme : {*low, *high}) {
    for (const double part : {1e-4, 1e-3, 1e-2, 0.1, 0.25, 0.4, 0.55, 0.7, 0.85, 0.97}) {
      // Of what is a thousandth of the whole and less rounding draws the lines.
      if (std::abs(extreme) * part < 1e-6 * largest) continue;
      Contour line = contour(psi, extreme * part);
      if (!line.x.empty()) lines.push_back(std::move(line));
    }
  }
  return lines;
}

std::vector<Contour> vorticity_lines(const CornerField& vorticity, double unit) {
  std::vector<Contour> lines;
  for (const double level :
       {-5.0, -4.0, -3.0, -2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0}) {
    Contour line = contour(vorticity, level * unit);
    if (!line.x.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace daewave::flow
