#include "ivp/variation/difference_step.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "ivp/variation/end_difference.hpp"

namespace daewave::ivp {
namespace {

/// Of F along a direction; empty where it cannot be evaluated.
std::optional<VecX> slope_along(OdeSystem& system, const StateAt& at, const VecX& direction,
                                double d) {
  VecX moved = VecX::Zero(at.z.size()), slope = moved;
  for (int i = 0; i < 4; ++i) {
    if (!system.rhs(at.t, at.z + (difference_point[i] * d) * direction, slope)) return {};
    moved += (difference_weight[i] / d) * slope;
  }
  return moved;
}

/// DifferenceStep::apart of steps of that part; not finite where F cannot be evaluated.
double apart_of(OdeSystem& system, const std::vector<StateAt>& states, const VecX& unit,
                double longest, double part) {
  constexpr int mixtures = 2;
  constexpr double shorter = 1 / 1.5;
  double apart = 0;
  for (const StateAt& at : states) {
    for (int k = 0; k < mixtures; ++k) {
      VecX direction(unit.size());
      for (Eigen::Index i = 0; i < unit.size(); ++i) {
        direction[i] = unit[i] * std::cos(1.0 + 2.4 * static_cast<double>(i) + 1.7 * k);
      }
      const auto one = slope_along(system, at, direction, part);
      const auto other = slope_along(system, at, direction, part * shorter);
      if (!one || !other) return INFINITY;
      const double measure = std::max(largest_of(*one, unit), 1 / longest);
      const double here = largest_of(*one - *other, unit) / measure;
      if (!std::isfinite(here)) return INFINITY;
      apart = std::max(apart, here);
    }
  }
  return apart;
}

}  // namespace

DifferenceStep difference_step(OdeSystem& system, const std::vector<StateAt>& states,
                               const VecX& unit, double longest) {
  constexpr double good_enough = 1e-10;
  DifferenceStep best{DifferenceStep().part, INFINITY};
  for (const double part : {1e-4, 1e-3, 1e-2}) {
    const DifferenceStep one{part, apart_of(system, states, unit, longest, part)};
    if (one.apart < best.apart) best = one;
    if (best.apart <= good_enough) break;
  }
  return std::isfinite(best.apart) ? best : DifferenceStep();
}

}  // namespace daewave::ivp
