#pragma once
// Boundary value problems of one unknown, y'' = a(t, y, y'), y given at both ends.

#include <string>

#include "core/types.hpp"
#include "problems/cash_mazzia_laws.hpp"

namespace daewave::problems {

/// State (y, y'). The guess is the straight line between the values at the ends.
struct TwoPoint {
  using State = Vec<2>;

  std::string label{};
  int number = 1;  ///< Of the law.
  double e = 1;    ///< Its parameter.
  Interval span{0, 1};
  double first = 0, last = 0;  ///< y at the ends.

  std::string name() const { return label; }
  Interval interval() const { return span; }
  template <class T>
  AccelerationOf<T> law(const T& t, const T& y, const T& slope) const {
    return cash_mazzia_law(number, e, t, y, slope);
  }
  template <class T>
  VecOf<T, 2> f(const VecOf<T, 2>& x, const T& t) const {
    return {x[1], law(t, x[0], x[1]).value};
  }
  template <class T>
  MatOf<T, 2, 2> f_x(const VecOf<T, 2>& x, const T& t) const {
    const AccelerationOf<T> a = law(t, x[0], x[1]);
    MatOf<T, 2, 2> J;
    J << T(0.0), T(1.0), a.by_y, a.by_slope;
    return J;
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
