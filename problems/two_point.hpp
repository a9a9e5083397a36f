#pragma once
// Boundary value problems of one unknown, y'' = a(t, y, y'), y given at both ends.

#include <string>

#include "core/types.hpp"

namespace daewave::problems {

/// y'' and its derivatives.
struct Acceleration {
  double value = 0, by_y = 0, by_slope = 0;
};

/// State (y, y'). The guess is the straight line between the values at the ends.
struct TwoPoint {
  using State = Vec<2>;
  using Law = Acceleration (*)(double e, double t, double y, double slope);

  std::string label{};
  Law law = nullptr;
  double e = 1;  ///< The parameter of the law.
  Interval span{0, 1};
  double first = 0, last = 0;  ///< y at the ends.

  std::string name() const { return label; }
  Interval interval() const { return span; }
  State f(const State& x, double t) const { return {x[1], law(e, t, x[0], x[1]).value}; }
  Mat<2, 2> f_x(const State& x, double t) const {
    const Acceleration a = law(e, t, x[0], x[1]);
    return Mat<2, 2>{{0, 1}, {a.by_y, a.by_slope}};
  }
  Vec<2> conditions(const State& left, const State& right) const {
    return {left[0] - first, right[0] - last};
  }
  State guess(double t) const {
    const double slope = (last - first) / span.length();
    return {first + slope * (t - span.begin), slope};
  }
};

}  // namespace daewave::problems
