// Ticks at n 10^k, n a multiple of m = 1, 2 or 5: labels are made from the integers n and k, so
// that no rounding shows in them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/axis.hpp"

namespace daewave::io {

namespace {

constexpr int kDigits = 5;  // labels with more are shortened

struct Step {
  int mantissa = 1;  // 1, 2 or 5
  int exponent = 0;
};

double power_of_ten(int exponent) { return std::pow(10.0, exponent); }

// n 10^k, rounded once where 10^|k| is exact.
double scaled(double n, int k) { return k >= 0 ? n * power_of_ten(k) : n / power_of_ten(-k); }

Step nice_step(double shortest) {
  const int exponent = static_cast<int>(std::floor(std::log10(shortest)));
  const double mantissa = shortest / power_of_ten(exponent);
  constexpr double slack = 1 + 1e-9;  // 0.2 / 0.1 is not 2
  if (mantissa <= 1 * slack) return {1, exponent};
  if (mantissa <= 2 * slack) return {2, exponent};
  if (mantissa <= 5 * slack) return {5, exponent};
  return {1, exponent + 1};
}

// Decimal exponent of the leading digit of an integer.
int leading(double n) { return n == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(n)))); }

std::string with_minus_sign(std::string text) {
  if (text.starts_with('-')) text.replace(0, 1, "\u2212");
  return text;
}

std::string offset_text(double offset) {
  return (offset < 0 ? "\u2212 " : "+ ") + fmt::format("{}", std::abs(offset));
}

}  // namespace

Axis linear_axis(Range range, int most) {
  Axis axis;
  axis.range = usable_range(range, false);
  const auto [low, high] = axis.range;
  const double length = high - low;
  const auto [mantissa, k] = nice_step(length / std::max(most, 5));
  const double unit = scaled(mantissa, k);
  const double first = std::ceil(low / unit - 1e-6) * mantissa;
  const double last = std::floor(high / unit + 1e-6) * mantissa;

  // What all labels share is printed once: t = 1000000.1 becomes 0.1 with "+ 1000000".
  double base = 0;
  if (leading(std::max(std::abs(first), std::abs(last))) >= kDigits) {
    const double block = std::pow(10.0, leading(last - first) + 1);
    base = std::floor(first / block) * block;
    if (base + block <= last) base += block;  // the rounder number, inside the range
  }
  const double largest = std::max(std::abs(first - base), std::abs(last - base));
  const int exponent = k + leading(largest);
  const bool scientific = exponent >= kDigits || exponent <= -4;
  const int shift = scientific ? exponent : 0;
  if (scientific) {
    axis.scale = with_minus_sign(std::to_string(exponent));
    axis.scale = "\u00d710^{" + axis.scale + "}";
  }
  if (base != 0) axis.scale += (scientific ? " " : "") + offset_text(scaled(base, k));

  for (double n = first; n <= last + 0.5; n += mantissa) {
    const double value = std::clamp(scaled(n, k), low, high);
    const double shown = n == base ? 0 : scaled(n - base, k - shift);
    const int decimals = std::max(0, shift - k);
    axis.ticks.push_back({value, with_minus_sign(fmt::format("{:.{}f}", shown, decimals))});
  }
  return axis;
}

}  // namespace daewave::io
