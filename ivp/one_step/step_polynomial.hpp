#pragma once
// The polynomial between the ends of one step of an explicit formula,
//
//   z(theta) = r_0 + theta (r_1 + (1 - theta) (r_2 + theta (r_3 + (1 - theta) (r_4 + ...)))),
//
// of which r_0 to r_3 are the cubic of Hermite.                                      [HNW] II.6

#include <array>

#include "core/types.hpp"

namespace daewave::ivp {

struct StepPolynomial {
  static constexpr int most_degree = 7;

  std::array<VecX, most_degree + 1> row;
  int degree = 3;

  void at(double theta, VecX& z) const;
  /// d z / d theta.
  void slope_at(double theta, VecX& slope) const;
};

}  // namespace daewave::ivp
