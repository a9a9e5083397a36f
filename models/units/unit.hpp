#pragma once
// Units of measure as files write them: m, kg m^2, N/m, rad/s, 1/s, mm, deg.

#include <array>
#include <optional>
#include <string>

namespace daewave::models {

/// A product of powers of m, kg, s, A, K, mol, cd, times a factor; an angle in rad is a number.
struct Unit {
  std::array<double, 7> powers{};
  double factor = 1;

  bool is_number() const { return *this == Unit{}; }
  /// To rounding.
  friend bool operator==(const Unit& a, const Unit& b);
  friend Unit operator*(const Unit& a, const Unit& b);
  friend Unit operator/(const Unit& a, const Unit& b);
  Unit power(double exponent) const;
};

/// Names of SI with their prefixes, those beside it that are in use (min, h, t, l, bar, deg), %, 1;
/// products by a blank, * or a dot, quotients by /, from the left; powers by ^.
/// @return  empty for a text that is none: a label.
std::optional<Unit> unit_of(const std::string& text);

/// In SI: "kg m/s^2"; "1" of a number.
std::string text_of(const Unit& unit);

}  // namespace daewave::models
