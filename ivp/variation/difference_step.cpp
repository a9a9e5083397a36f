#include "ivp/variation/difference_step.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "ivp/variation/end_difference.hpp"

namespace daewave::ivp {
namespace {

std::optional<VecX> difference(const MovedSlope& moved, const StateAt& at, double part) {
  VecX difference = VecX::Zero(at.z.size()), slope = difference;
  for (int i = 0; i < 4; ++i) {
    if (!moved(at, difference_point[i] * part, slope)) return {};
    difference += (difference_weight[i] / part) * slope;
  }
  return difference;
}

/// DifferenceStep::apart of steps of that part; not finite where F cannot be evaluated.
double apart_of(const std::vector<MovedSlope>& moved, const std::vector<StateAt>& states,
                const VecX& unit, double longest, double part) {
  constexpr double shorter = 1 / 1.5;
  double apart = 0;
  for (const StateAt& at : states) {
    for (const MovedSlope& along : moved) {
      const auto one = difference(along, at, part), other = difference(along, at, part * shorter);
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

DifferenceStep difference_step(const std::vector<MovedSlope>& moved,
                               const std::vector<StateAt>& states, const VecX& unit,
                               double longest) {
  constexpr double good_enough = 1e-10;
  DifferenceStep best{DifferenceStep().part, INFINITY};
  for (const double part : {1e-4, 1e-3, 1e-2}) {
    const DifferenceStep one{part, apart_of(moved, states, unit, longest, part)};
    if (one.apart < best.apart) best = one;
    if (best.apart <= good_enough) break;
  }
  return std::isfinite(best.apart) ? best : DifferenceStep();
}

DifferenceStep difference_step(OdeSystem& system, const std::vector<StateAt>& states,
                               const VecX& unit, double longest) {
  constexpr int mixtures = 2;
  std::vector<MovedSlope> moved;
  for (int k = 0; k < mixtures; ++k) {
    VecX direction(unit.size());
    for (Eigen::Index i = 0; i < unit.size(); ++i) {
      direction[i] = unit[i] * std::cos(1.0 + 2.4 * static_cast<double>(i) + 1.7 * k);
    }
    moved.push_back([&system, direction](const StateAt& at, double far, VecX& slope) {
      return system.rhs(at.t, at.z + far * direction, slope);
    });
  }
  return difference_step(moved, states, unit, longest);
}

}  // namespace daewave::ivp
