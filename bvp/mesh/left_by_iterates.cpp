#include "bvp/mesh/left_by_iterates.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace daewave::bvp {

double open_over_change(int iterates) {
  return std::numbers::e * std::pow(std::max(1, iterates - 1), 0.75);
}

double open_over_change(const Collocation& scheme, double width, double first_step, int iterates) {
  const double open = open_over_change(iterates);
  if (!scheme.damps()) return open;
  // The slope at 0 of the polynomial that is 1 there and 0 at the stages; three times as much where
  // what is off is no constant.
  double slope = 0;
  for (int j = 0; j < scheme.stages; ++j) slope += 1 / scheme.c[j];
  const double part = 3 * slope * width / first_step;
  return part < 0.5 ? std::min(open, 1 / (1 - part)) : open;
}

double left_over_change(double change, double before) {
  constexpr double slowest = 20, at_level = 2;
  if (!(change > 0)) return 1;
  return change < before ? std::min(slowest, 1 / (1 - change / before)) : at_level;
}

}  // namespace daewave::bvp
