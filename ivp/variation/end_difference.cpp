#include "ivp/variation/end_difference.hpp"

#include <algorithm>
#include <cmath>

namespace daewave::ivp {

double largest_of(const VecX& x, const VecX& unit) {
  return (x.array() / unit.array()).abs().maxCoeff();
}

EndDifference end_difference(const EndAlong& end, double size, const VecX& unit, double enough) {
  constexpr double first = 1e-2, shorter = 0.25, nothing = 1e-3;
  constexpr int most = 12;
  EndDifference best;
  VecX before;
  for (int k = 0; k < most; ++k) {
    const double d = first * std::pow(shorter, k) * size;
    VecX value = VecX::Zero(unit.size());
    bool through = true;
    // The farthest first: where they do not come through the others need not be tried.
    for (const int i : {0, 3, 1, 2}) {
      const std::optional<VecX> there = end(difference_point[i] * d);
      through = there.has_value();
      if (!through) break;
      value += (difference_weight[i] / d) * *there;
    }
    if (!through) continue;
    if (before.size() > 0) {
      const double measure = std::max(largest_of(value, unit), nothing / size);
      const double apart = largest_of(value - before, unit) / measure;
      if (apart < best.apart) best = {value, apart};
      if (best.apart < std::max(enough, 1e-9) || apart > 100 * best.apart) break;
    }
    before = value;
  }
  return best;
}

}  // namespace daewave::ivp
