#pragma once
// A function along a line: its value and its first two derivatives with respect to s,
//
//   u(s) = u(0) + u'(0) s + u''(0) s^2 / 2.
//
// g evaluated at q + s v, t + s gives g, G v + g_t and, as v' = 0 there, the curvature.

#include <Eigen/Core>
#include <cmath>

namespace daewave {

/// Scalar for mathematics written as a template; usable in Eigen's vectors. Comparisons see the
/// value alone. Its functions are found by argument: write `using std::sin; sin(x)`.
struct Taylor2 {
  double value = 0;   ///< u.
  double first = 0;   ///< u'.
  double second = 0;  ///< u'', not halved.

  constexpr Taylor2() = default;
  constexpr Taylor2(double constant) : value(constant) {}
  constexpr Taylor2(double u, double du, double ddu) : value(u), first(du), second(ddu) {}

  Taylor2& operator+=(const Taylor2& b) { return *this = *this + b; }
  Taylor2& operator-=(const Taylor2& b) { return *this = *this - b; }
  Taylor2& operator*=(const Taylor2& b) { return *this = *this * b; }
  Taylor2& operator/=(const Taylor2& b) { return *this = *this / b; }

  friend constexpr Taylor2 operator+(const Taylor2& a) { return a; }
  friend constexpr Taylor2 operator-(const Taylor2& a) { return {-a.value, -a.first, -a.second}; }
  friend constexpr Taylor2 operator+(const Taylor2& a, const Taylor2& b) {
    return {a.value + b.value, a.first + b.first, a.second + b.second};
  }
  friend constexpr Taylor2 operator-(const Taylor2& a, const Taylor2& b) {
    return {a.value - b.value, a.first - b.first, a.second - b.second};
  }
  friend constexpr Taylor2 operator*(const Taylor2& a, const Taylor2& b) {
    return {a.value * b.value, a.first * b.value + a.value * b.first,
            a.second * b.value + 2 * a.first * b.first + a.value * b.second};
  }
  friend constexpr Taylor2 operator/(const Taylor2& a, const Taylor2& b) {
    const double c = a.value / b.value;  // From a = b c, differentiated.
    const double dc = (a.first - c * b.first) / b.value;
    return {c, dc, (a.second - 2 * dc * b.first - c * b.second) / b.value};
  }

  friend constexpr bool operator<(const Taylor2& a, const Taylor2& b) { return a.value < b.value; }
  friend constexpr bool operator>(const Taylor2& a, const Taylor2& b) { return a.value > b.value; }
  friend constexpr bool operator<=(const Taylor2& a, const Taylor2& b) {
    return a.value <= b.value;
  }
  friend constexpr bool operator>=(const Taylor2& a, const Taylor2& b) {
    return a.value >= b.value;
  }
  friend constexpr bool operator==(const Taylor2& a, const Taylor2& b) {
    return a.value == b.value;
  }
  friend constexpr bool operator!=(const Taylor2& a, const Taylor2& b) {
    return a.value != b.value;
  }

  /// f(u), from f and its first two derivatives at the value.
  static constexpr Taylor2 compose(const Taylor2& u, double f, double df, double ddf) {
    return {f, df * u.first, ddf * u.first * u.first + df * u.second};
  }

  friend Taylor2 sin(const Taylor2& u) {
    const double s = std::sin(u.value);
    return compose(u, s, std::cos(u.value), -s);
  }
  friend Taylor2 cos(const Taylor2& u) {
    const double c = std::cos(u.value);
    return compose(u, c, -std::sin(u.value), -c);
  }
  friend Taylor2 tan(const Taylor2& u) {
    const double f = std::tan(u.value), df = 1 + f * f;
    return compose(u, f, df, 2 * f * df);
  }
  friend Taylor2 asin(const Taylor2& u) {
    const double r = 1 / (1 - u.value * u.value), df = std::sqrt(r);
    return compose(u, std::asin(u.value), df, u.value * df * r);
  }
  friend Taylor2 acos(const Taylor2& u) {
    const double r = 1 / (1 - u.value * u.value), df = -std::sqrt(r);
    return compose(u, std::acos(u.value), df, u.value * df * r);
  }
  friend Taylor2 atan(const Taylor2& u) {
    const double df = 1 / (1 + u.value * u.value);
    return compose(u, std::atan(u.value), df, -2 * u.value * df * df);
  }
  friend Taylor2 sinh(const Taylor2& u) {
    const double s = std::sinh(u.value);
    return compose(u, s, std::cosh(u.value), s);
  }
  friend Taylor2 cosh(const Taylor2& u) {
    const double c = std::cosh(u.value);
    return compose(u, c, std::sinh(u.value), c);
  }
  friend Taylor2 tanh(const Taylor2& u) {
    const double f = std::tanh(u.value), df = 1 - f * f;
    return compose(u, f, df, -2 * f * df);
  }
  friend Taylor2 exp(const Taylor2& u) {
    const double e = std::exp(u.value);
    return compose(u, e, e, e);
  }
  friend Taylor2 log(const Taylor2& u) {
    const double r = 1 / u.value;
    return compose(u, std::log(u.value), r, -r * r);
  }
  friend Taylor2 sqrt(const Taylor2& u) {
    const double f = std::sqrt(u.value), df = 0.5 / f;
    return compose(u, f, df, -0.5 * df / u.value);
  }
  friend Taylor2 pow(const Taylor2& u, double p) {
    // 0 pow(0, -1) is not a number, the derivative it stands for is 0.
    const double df = p == 0 ? 0.0 : p * std::pow(u.value, p - 1);
    const double ddf = p == 0 || p == 1 ? 0.0 : p * (p - 1) * std::pow(u.value, p - 2);
    return compose(u, std::pow(u.value, p), df, ddf);
  }
  friend Taylor2 pow(const Taylor2& u, int p) { return pow(u, static_cast<double>(p)); }
  friend Taylor2 pow(const Taylor2& u, const Taylor2& p) {
    if (p.first == 0 && p.second == 0) return pow(u, p.value);
    Taylor2 power = exp(p * log(u));
    power.value = std::pow(u.value, p.value);
    return power;
  }
  friend Taylor2 abs(const Taylor2& u) { return u.value < 0 ? -u : u; }
  friend Taylor2 fabs(const Taylor2& u) { return abs(u); }
  friend constexpr Taylor2 abs2(const Taylor2& u) { return u * u; }
  friend Taylor2 hypot(const Taylor2& a, const Taylor2& b) {
    const double h = std::hypot(a.value, b.value);
    const double x = a.value / h, y = b.value / h, dh = x * a.first + y * b.first;
    const double across = x * b.first - y * a.first;
    return {h, dh, x * a.second + y * b.second + across * across / h};
  }
  friend Taylor2 atan2(const Taylor2& y, const Taylor2& x) {
    const double r = 1 / (x.value * x.value + y.value * y.value);
    const double d = (x.value * y.first - y.value * x.first) * r;
    const double growth = (x.value * x.first + y.value * y.first) * r;
    return {std::atan2(y.value, x.value), d,
            (x.value * y.second - y.value * x.second) * r - 2 * d * growth};
  }
  friend Taylor2 min(const Taylor2& a, const Taylor2& b) { return b < a ? b : a; }
  friend Taylor2 max(const Taylor2& a, const Taylor2& b) { return a < b ? b : a; }
  friend bool isfinite(const Taylor2& u) {
    return std::isfinite(u.value) && std::isfinite(u.first) && std::isfinite(u.second);
  }
};

}  // namespace daewave

namespace Eigen {

template <>
struct NumTraits<daewave::Taylor2> : NumTraits<double> {
  using Real = daewave::Taylor2;
  using NonInteger = daewave::Taylor2;
  using Nested = daewave::Taylor2;
  enum { RequireInitialization = 1, ReadCost = 3, AddCost = 3, MulCost = 9 };
};

template <class Operation>
struct ScalarBinaryOpTraits<daewave::Taylor2, double, Operation> {
  using ReturnType = daewave::Taylor2;
};
template <class Operation>
struct ScalarBinaryOpTraits<double, daewave::Taylor2, Operation> {
  using ReturnType = daewave::Taylor2;
};

}  // namespace Eigen
