#include "io/axis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace daewave::io {

namespace {

// Differences and margins of numbers below this bound do not overflow.
constexpr double kLargest = 1e300;
// Shorter ranges have ticks that rounding makes equal.
constexpr double kShortest = 1e-12;
// Powers of ten below this are no longer accurate.
constexpr double kSmallest = 1e-290;

}  // namespace

double Axis::fraction(double value) const {
  if (!log) return (value - range.low) / (range.high - range.low);
  if (!(value > 0)) return std::numeric_limits<double>::quiet_NaN();
  return std::log10(value / range.low) / std::log10(range.high / range.low);
}

Range usable_range(Range range, bool log) {
  auto [low, high] = range;
  if (low > high) std::swap(low, high);
  if (log) {
    if (!(low > 0) || !(high > 0) || !std::isfinite(low) || !std::isfinite(high)) return {1, 10};
    // Half of the range of exponents, so that high / low does not overflow either.
    low = std::clamp(low, 1e-150, 1e150);
    high = std::clamp(high, 1e-150, 1e150);
    if (high > low * (1 + kShortest)) return {low, high};
    return {low / std::sqrt(10.0), high * std::sqrt(10.0)};
  }
  if (!std::isfinite(low) || !std::isfinite(high)) return {0, 1};
  low = std::clamp(low, -kLargest, kLargest);
  high = std::clamp(high, -kLargest, kLargest);
  const double size = std::max(std::abs(low), std::abs(high));
  if (size < kSmallest) return {-1, 1};
  if (high - low > kShortest * size) return {low, high};
  return {low - 0.1 * size, high + 0.1 * size};
}

}  // namespace daewave::io
