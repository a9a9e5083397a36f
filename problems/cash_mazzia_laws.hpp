#pragma once
// The equations of one unknown of the collection of Cash and Mazzia, y'' = a(t, y, y'), for numbers
// and for SIMD lanes.                                                                        [CM]

#include <cmath>
#include <numbers>

namespace daewave::problems {

/// y'' and its derivatives.
template <class T>
struct AccelerationOf {
  T value, by_y, by_slope;
};
using Acceleration = AccelerationOf<double>;

namespace detail {

/// a'' = by_y y + by_slope y' + rest.
template <class T>
[[gnu::always_inline]] inline AccelerationOf<T> linear(const T& by_y, const T& by_slope,
                                                       const T& rest, const T& y, const T& slope) {
  return {by_y * y + by_slope * slope + rest, by_y, by_slope};
}

/// Numbers 1 to 18 and 35.
template <class T>
[[gnu::always_inline]] inline AccelerationOf<T> linear_law(int number, double e, const T& t,
                                                           const T& y, const T& v) {
  using std::cos, std::sin;
  constexpr double pi = std::numbers::pi;
  const double w = 1 / e;
  const T none(0.0);
  switch (number) {
    case 1:
      return linear(T(w), none, none, y, v);
    case 2:
      return linear(none, T(w), none, y, v);
    case 3: {
      const T c = cos(pi * t), s = sin(pi * t), drift = (2 + c) * w;
      return linear(T(w), -drift, -(w + pi * pi) * c - pi * drift * s, y, v);
    }
    case 4:
      return linear(T((1 + e) / e), T(-w), none, y, v);
    case 5:
    case 7: {
      const T turn = number == 5 ? w * t : -w * t;
      return linear(T(w), turn, -(w + pi * pi) * cos(pi * t) + pi * turn * sin(pi * t), y, v);
    }
    case 6:
      return linear(none, -w * t, -pi * pi * cos(pi * t) - w * pi * t * sin(pi * t), y, v);
    case 8:
    case 18:
      return linear(none, T(-w), none, y, v);
    case 9: {
      const T inverse = 1 / (e + t * t);
      return linear(-2 * inverse, -4 * t * inverse, none, y, v);
    }
    case 10:
      return linear(none, -w * t, none, y, v);
    case 15:
      return linear(w * t, none, none, y, v);
    case 16:
      return linear(T(-pi * pi / (4 * e * e)), none, none, y, v);
    case 17: {
      const T below = e + t * t;
      return linear(-3 * e / (below * below), none, none, y, v);
    }
    case 35:
      return linear(T(-w), w * t, none, y, v);
    default:  // 11 to 14: the cosine and layers at either end.
      return linear(T(w), none, -(w + pi * pi) * cos(pi * t), y, v);
  }
}

}  // namespace detail

/// @param number  of the collection: 1 to 30, 34 or 35.
template <class T>
[[gnu::always_inline]] inline AccelerationOf<T> cash_mazzia_law(int number, double e, const T& t,
                                                                const T& y, const T& v) {
  using std::cosh, std::exp, std::sin, std::sinh;
  constexpr double half_pi = std::numbers::pi / 2;
  const double w = 1 / e;
  const T none(0.0);
  switch (number) {
    case 19: {
      const T grown = exp(y), push = half_pi * sin(half_pi * t) * grown * grown;
      return {(push - grown * v) * w, (2 * push - grown * v) * w, -w * grown};
    }
    case 20:
      return {(1 - v * v) * w, none, -2 * w * v};
    case 21:
      return {(y + y * y - exp(-2 / std::sqrt(e) * t)) * w, (1 + 2 * y) * w, none};
    case 22:
      return {-w * (v + y * y), -2 * w * y, T(-w)};
    case 23:
      return {w * sinh(w * y), w * w * cosh(w * y), none};
    case 24: {
      const T area = 1 + t * t, widening = 2 * t / area, front = 1.2 - 2 * e * t;
      const T inverse = 1 / y, below = 1 / (e * area);
      const T square = inverse * inverse;
      return {(front * v - v * square - widening * (inverse - 0.2 * y)) * below,
              (2 * v * square * inverse + widening * (square + 0.2)) * below,
              (front - square) * below};
    }
    case 25:
    case 26:
    case 27:
    case 28:
    case 29:
    case 30:
      return {w * (y - y * v), w * (1 - v), -w * y};
    case 34: {
      const T push = -e * exp(y);
      return {push, push, none};
    }
    default:
      return detail::linear_law(number, e, t, y, v);
  }
}

}  // namespace daewave::problems
