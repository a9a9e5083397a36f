#pragma once
// Bratu's problem, whose branch of solutions has a fold.

#include <cmath>

#include "core/problem/boundary.hpp"
#include "core/types.hpp"

namespace daewave::testing {

/// y'' = -e exp(y), y = 0 at 0 and 1: two solutions up to e = 3.513830719, none beyond.
///
/// y = -2 ln(cosh(c (t - 1/2)) / cosh(c / 2)) with e = 2 (c / cosh(c / 2))^2.
struct Bratu {
  using State = Vec<2>;
  double e = 1;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const { return {x[1], -e * std::exp(x[0])}; }
  Vec<2> conditions(const State& left, const State& right) const { return {left[0], right[0]}; }

  /// e where y is largest with `top`: cosh(c / 2) = exp(top / 2).
  static double e_of(double top) {
    const double c = 4 * std::acosh(std::exp(top / 2)) / 2;
    return 2 * std::pow(c / std::exp(top / 2), 2);
  }
};

/// The same with w = exp(y) unknown beside it: index 1.
struct BratuOfIndex1 {
  using State = Vec<2>;
  using Algebraic = Vec<1>;
  double e = 1;
  Interval interval() const { return {0, 1}; }
  State f(const State& x, const Algebraic& w, double) const { return {x[1], -e * w[0]}; }
  Algebraic r(const State& x, const Algebraic& w, double) const {
    return Algebraic{w[0] - std::exp(x[0])};
  }
  Vec<2> conditions(const State& left, const State& right) const { return {left[0], right[0]}; }
  Algebraic guess_algebraic(double) const { return Algebraic{1.0}; }
};

}  // namespace daewave::testing
