#pragma once
// Derivatives along a line from values at steps d, 2 d, ... to either side, and what they may be
// off by: what formulas of lower order, from the same values, say else.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace daewave::lines {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
/// Steps, in units on which functions are smooth, with 2 to either side and with 4.
constexpr double wide_step = 8e-2, fine_step = wide_step / 2;
/// Of the values along a line: what derivatives may be off by.
constexpr double accurate = 1e-10;

/// Sums f(s) + f(-s), or differences, of steps 1 to 4, and f(0), along one line.
struct Along {
  std::array<double, 4> of{};
  double middle = 0;
};

inline double second_4(const Along& s, double d) {
  return (16 * s.of[0] - s.of[1] - 30 * s.middle) / (12 * d * d);
}
inline double second_6(const Along& s, double d) {
  return (270 * s.of[0] - 27 * s.of[1] + 2 * s.of[2] - 490 * s.middle) / (180 * d * d);
}
inline double second_8(const Along& s, double d) {
  return (8064 * s.of[0] - 1008 * s.of[1] + 128 * s.of[2] - 9 * s.of[3] - 14350 * s.middle) /
         (5040 * d * d);
}
inline double first_4(const Along& s, double d) { return (8 * s.of[0] - s.of[1]) / (12 * d); }
inline double first_6(const Along& s, double d) {
  return (45 * s.of[0] - 9 * s.of[1] + s.of[2]) / (60 * d);
}
inline double first_8(const Along& s, double d) {
  return (672 * s.of[0] - 168 * s.of[1] + 32 * s.of[2] - 3 * s.of[3]) / (840 * d);
}

struct Derived {
  double value = 0, off = 0;
};

/// The longer step, where the shorter one says the same.
inline Derived of_two(const Along& s, bool second, double d) {
  const double value = second ? (s.of[1] - 2 * s.middle) / (4 * d * d) : s.of[1] / (4 * d);
  const double narrow = second ? (s.of[0] - 2 * s.middle) / (d * d) : s.of[0] / (2 * d);
  return {value, std::abs(value - narrow)};
}

/// Of order 8; what it is off by is told by those of orders 6 and 4.
inline Derived of_four(const Along& s, bool second, double d) {
  const double value = second ? second_8(s, d) : first_8(s, d);
  const double six = second ? second_6(s, d) : first_6(s, d);
  const double four = second ? second_4(s, d) : first_4(s, d);
  const double off = std::abs(value - six), before = std::abs(six - four);
  return {value, before > 0 ? off * std::min(1.0, off / before) : off};
}

/// What rounding of values of that size, at steps of d, may do to a derivative.
inline double rounding_of(double size, bool second, double d) {
  return 8 * epsilon * size / (second ? d * d : d);
}

}  // namespace daewave::lines
