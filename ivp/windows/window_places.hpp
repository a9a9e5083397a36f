#pragma once
// Where a window is looked at beside its nodes, as many places as there are SIMD lanes.
//
// Smooth accelerations miss their polynomial by P_8 times what varies slowly; over a kink or a jump
// they do not. So they are compared with P_8 times the polynomial of degree 4 that fits them best:
// what is left is a kink, and tells of its error, also where it is small beside all that is smooth.

#include <array>
#include <vector>

#include "ivp/windows/window_formula.hpp"

namespace daewave::ivp {

struct WindowPlaces {
  using Row = WindowFormula::Row;
  static constexpr int count = WindowFormula::nodes;
  /// These two are the ends; of the others all but one of the zeros of P_8', between the nodes.
  static constexpr int end = 0, begin = 1;

  alignas(64) Row theta;  ///< In [0, 1].
  /// Of Legendre polynomial k at place p, as LegendreAt has them, at [k][p].
  alignas(64) std::array<Row, count> value, once, twice;
  /// What is left at place p of numbers y: sum_j [j][p] y_j.
  alignas(64) std::array<Row, count> left;
};

/// Of a difference of accelerations, what is rounding of the largest of them.
inline constexpr double rounding_of_largest = 1e-13;

/// Made once.
const WindowPlaces& window_places();

/// The largest weighted number that is left at the places, one by one.
/// @param missed   of entry i at place p at [i * count + p].
/// @param cut_off  what is rounding.
double left_at_places(const std::vector<double>& missed, const std::vector<double>& weight,
                      double cut_off);

/// A window that was swept, to be looked at.
struct WindowCheck {
  double t = 0, h = 0;
  const double* begin = nullptr;   ///< (q, v).
  const double* series = nullptr;  ///< Legendre coefficient k of v'_i at [i * nodes + k].
  const double* weight = nullptr;  ///< Of the accelerations, nq.
  const double* missed = nullptr;  ///< v' at the begin less what the polynomials say, nq.
  /// The largest weighted number that is left, by more than rounding.
  double left = 0;
};

}  // namespace daewave::ivp
