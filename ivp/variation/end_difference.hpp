#pragma once
// How the end of a run moves along a direction, by differences of runs.

#include <cmath>
#include <functional>
#include <optional>

#include "core/types.hpp"

namespace daewave::ivp {

/// Where the run ends that starts so far along the direction; empty where it does not come through,
/// or does not pass the same events.
using EndAlong = std::function<std::optional<VecX>(double)>;

struct EndDifference {
  VecX value;               ///< Empty where no two differences could be taken.
  double apart = INFINITY;  ///< From another one, in the measure of largest_of().
};

/// max |x_k| / unit_k.
double largest_of(const VecX& x, const VecX& unit);

/// By four points of shorter and shorter steps, until two agree; then rounding makes it worse.
/// @param size  of what is moved.
/// @param unit  what counts as a move of one of each entry of the end: a difference that is nothing
///              beside it is measured by a thousandth of that.
/// @param enough  where two agree to that, no shorter steps are tried; 1e-9 at least.
EndDifference end_difference(const EndAlong& end, double size, const VecX& unit, double enough);

/// Four points from -2 to 2 and their weights: sum of weight_i f(point_i d) / d is f'(0) + O(d^4).
inline constexpr double difference_point[4] = {-2, -1, 1, 2};
inline constexpr double difference_weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};

}  // namespace daewave::ivp
