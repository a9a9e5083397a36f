// Ticks at powers of ten where the range holds two of them, else at 1, 2, 5 times them, else as on
// a linear axis.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/axis.hpp"

namespace daewave::io {

namespace {

struct Decades {
  int first = 0;
  int last = 0;
};

bool inside(const Range& range, double value) {
  constexpr double slack = 1e-9;  // a range that ends at 1e-3 has its tick there
  return value >= range.low * (1 - slack) && value <= range.high * (1 + slack);
}

std::string power_label(int exponent) {
  return fmt::format("10^{{{}{}}}", exponent < 0 ? "\u2212" : "", std::abs(exponent));
}

std::string label_of(int mantissa, int exponent) {
  if (exponent >= -2 && exponent <= 3) {
    return fmt::format("{}", exponent >= 0 ? mantissa * std::pow(10.0, exponent)
                                           : mantissa / std::pow(10.0, -exponent));
  }
  if (mantissa == 1) return power_label(exponent);
  return fmt::format("{}\u00d7{}", mantissa, power_label(exponent));
}

void add_tick(Axis& axis, double value, std::string label) {
  axis.ticks.push_back({std::clamp(value, axis.range.low, axis.range.high), std::move(label)});
}

// Between the powers of ten, 2 to 9 times them, or the powers that have no label.
void add_minor_ticks(Axis& axis, const Decades& decades, int stride) {
  const int count = decades.last - decades.first;
  if (count > 60) return;
  for (int e = decades.first - 1; e <= decades.last; ++e) {
    for (int m = 1; m <= 9; ++m) {
      const double value = m * std::pow(10.0, e);
      const bool wanted = m == 1 ? stride > 1 && e % stride != 0 : stride == 1 && count <= 10;
      if (wanted && inside(axis.range, value)) axis.minor.push_back(value);
    }
  }
}

}  // namespace

Axis log_axis(Range range, int most) {
  Axis axis;
  axis.range = usable_range(range, true);
  axis.log = true;
  most = std::max(most, 5);
  const Decades decades{static_cast<int>(std::ceil(std::log10(axis.range.low) - 1e-9)),
                        static_cast<int>(std::floor(std::log10(axis.range.high) + 1e-9))};

  const int count = decades.last - decades.first + 1;
  if (count >= 3 || (count == 2 && axis.range.high / axis.range.low >= 30)) {
    int stride = 1;
    for (const int s : {2, 3, 5, 10, 20, 50, 100}) {
      if ((count - 1) / stride + 1 > most) stride = s;
    }
    for (int e = decades.first; e <= decades.last; ++e) {
      if (e % stride == 0) add_tick(axis, std::pow(10.0, e), power_label(e));
    }
    add_minor_ticks(axis, decades, stride);
    return axis;
  }

  for (int e = decades.first - 1; e <= decades.last; ++e) {
    for (const int m : {1, 2, 5}) {
      const double value = m * std::pow(10.0, e);
      if (inside(axis.range, value)) add_tick(axis, value, label_of(m, e));
    }
  }
  if (axis.ticks.size() >= 3) {
    add_minor_ticks(axis, decades, 1);
    std::erase_if(axis.minor, [&](double value) {
      return std::any_of(axis.ticks.begin(), axis.ticks.end(), [&](const Tick& tick) {
        return std::abs(tick.value - value) < 1e-9 * value;
      });
    });
    return axis;
  }
  Axis linear = linear_axis(axis.range, most);
  linear.log = true;
  return linear;
}

}  // namespace daewave::io
