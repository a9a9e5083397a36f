#pragma once
// A function along a line: its value and its first two derivatives with respect to s,
//
//   u(s) = u(0) + u'(0) s + u''(0) s^2 / 2.
//
// g evaluated at q + s v, t + s gives g, G v + g_t and, as v' = 0 there, the curvature.

#include <cmath>
#include <type_traits>

#include "core/eigen_memory.hpp"
#include "core/select.hpp"

namespace daewave {

/// Scalar for mathematics written as a template; usable in Eigen's vectors. Comparisons see the
/// value alone. Its functions are found by argument: write `using std::sin; sin(x)`.
/// @tparam T  double, or SIMD lanes (core/lanes/lanes.hpp).
template <class T>
struct Taylor2Of {
  T value{0};   ///< u.
  T first{0};   ///< u'.
  T second{0};  ///< u'', not halved.

  constexpr Taylor2Of() = default;
  constexpr Taylor2Of(const T& constant) : value(constant) {}
  constexpr Taylor2Of(double constant) requires(!std::is_same_v<T, double>) : value(constant) {}
  constexpr Taylor2Of(const T& u, const T& du, const T& ddu) : value(u), first(du), second(ddu) {}

  Taylor2Of& operator+=(const Taylor2Of& b) { return *this = *this + b; }
  Taylor2Of& operator-=(const Taylor2Of& b) { return *this = *this - b; }
  Taylor2Of& operator*=(const Taylor2Of& b) { return *this = *this * b; }
  Taylor2Of& operator/=(const Taylor2Of& b) { return *this = *this / b; }

  // What is not differentiated costs no derivatives.
  [[gnu::always_inline]] friend constexpr Taylor2Of operator*(const Taylor2Of& a, double b) {
    return {a.value * b, a.first * b, a.second * b};
  }
  [[gnu::always_inline]] friend constexpr Taylor2Of operator*(double a, const Taylor2Of& b) {
    return b * a;
  }

  [[gnu::always_inline]] friend constexpr Taylor2Of operator+(const Taylor2Of& a) { return a; }
  [[gnu::always_inline]] friend constexpr Taylor2Of operator-(const Taylor2Of& a) {
    return {-a.value, -a.first, -a.second};
  }
  [[gnu::always_inline]] friend constexpr Taylor2Of operator+(const Taylor2Of& a,
                                                              const Taylor2Of& b) {
    return {a.value + b.value, a.first + b.first, a.second + b.second};
  }
  [[gnu::always_inline]] friend constexpr Taylor2Of operator-(const Taylor2Of& a,
                                                              const Taylor2Of& b) {
    return {a.value - b.value, a.first - b.first, a.second - b.second};
  }
  [[gnu::always_inline]] friend constexpr Taylor2Of operator*(const Taylor2Of& a,
                                                              const Taylor2Of& b) {
    return {a.value * b.value, a.first * b.value + a.value * b.first,
            a.second * b.value + 2.0 * a.first * b.first + a.value * b.second};
  }
  [[gnu::always_inline]] friend constexpr Taylor2Of operator/(const Taylor2Of& a,
                                                              const Taylor2Of& b) {
    const T c = a.value / b.value;  // From a = b c, differentiated.
    const T dc = (a.first - c * b.first) / b.value;
    return {c, dc, (a.second - 2.0 * dc * b.first - c * b.second) / b.value};
  }

  friend constexpr auto operator<(const Taylor2Of& a, const Taylor2Of& b) {
    return a.value < b.value;
  }
  friend constexpr auto operator>(const Taylor2Of& a, const Taylor2Of& b) {
    return a.value > b.value;
  }
  friend constexpr auto operator<=(const Taylor2Of& a, const Taylor2Of& b) {
    return a.value <= b.value;
  }
  friend constexpr auto operator>=(const Taylor2Of& a, const Taylor2Of& b) {
    return a.value >= b.value;
  }
  friend constexpr auto operator==(const Taylor2Of& a, const Taylor2Of& b) {
    return a.value == b.value;
  }
  friend constexpr auto operator!=(const Taylor2Of& a, const Taylor2Of& b) {
    return a.value != b.value;
  }

  /// f(u), from f and its first two derivatives at the value.
  [[gnu::always_inline]] static constexpr Taylor2Of compose(const Taylor2Of& u, const T& f,
                                                            const T& df, const T& ddf) {
    return {f, df * u.first, ddf * u.first * u.first + df * u.second};
  }

  [[gnu::always_inline]] friend Taylor2Of sin(const Taylor2Of& u) {
    using std::cos, std::sin;
    const T s = sin(u.value);
    return compose(u, s, cos(u.value), -s);
  }
  [[gnu::always_inline]] friend Taylor2Of cos(const Taylor2Of& u) {
    using std::cos, std::sin;
    const T c = cos(u.value);
    return compose(u, c, -sin(u.value), -c);
  }
  friend Taylor2Of tan(const Taylor2Of& u) {
    using std::tan;
    const T f = tan(u.value), df = 1.0 + f * f;
    return compose(u, f, df, 2.0 * f * df);
  }
  friend Taylor2Of asin(const Taylor2Of& u) {
    using std::asin, std::sqrt;
    const T r = 1.0 / (1.0 - u.value * u.value), df = sqrt(r);
    return compose(u, asin(u.value), df, u.value * df * r);
  }
  friend Taylor2Of acos(const Taylor2Of& u) {
    using std::acos, std::sqrt;
    const T r = 1.0 / (1.0 - u.value * u.value), df = -sqrt(r);
    return compose(u, acos(u.value), df, u.value * df * r);
  }
  friend Taylor2Of atan(const Taylor2Of& u) {
    using std::atan;
    const T df = 1.0 / (1.0 + u.value * u.value);
    return compose(u, atan(u.value), df, -2.0 * u.value * df * df);
  }
  friend Taylor2Of sinh(const Taylor2Of& u) {
    using std::cosh, std::sinh;
    const T s = sinh(u.value);
    return compose(u, s, cosh(u.value), s);
  }
  friend Taylor2Of cosh(const Taylor2Of& u) {
    using std::cosh, std::sinh;
    const T c = cosh(u.value);
    return compose(u, c, sinh(u.value), c);
  }
  friend Taylor2Of tanh(const Taylor2Of& u) {
    using std::tanh;
    const T f = tanh(u.value), df = 1.0 - f * f;
    return compose(u, f, df, -2.0 * f * df);
  }
  friend Taylor2Of exp(const Taylor2Of& u) {
    using std::exp;
    const T e = exp(u.value);
    return compose(u, e, e, e);
  }
  friend Taylor2Of log(const Taylor2Of& u) {
    using std::log;
    const T r = 1.0 / u.value;
    return compose(u, log(u.value), r, -r * r);
  }
  friend Taylor2Of sqrt(const Taylor2Of& u) {
    using std::sqrt;
    const T f = sqrt(u.value), df = 0.5 / f;
    return compose(u, f, df, -0.5 * df / u.value);
  }
  friend Taylor2Of pow(const Taylor2Of& u, double p) {
    using std::pow;
    // 0 pow(0, -1) is not a number, the derivative it stands for is 0.
    const T df = p == 0 ? T(0) : T(p * pow(u.value, p - 1));
    const T ddf = p == 0 || p == 1 ? T(0) : T(p * (p - 1) * pow(u.value, p - 2));
    return compose(u, pow(u.value, p), df, ddf);
  }
  friend Taylor2Of pow(const Taylor2Of& u, int p) { return pow(u, static_cast<double>(p)); }
  friend Taylor2Of pow(const Taylor2Of& u, const Taylor2Of& p) requires(std::is_same_v<T, double>) {
    using std::pow;
    if (p.first == 0 && p.second == 0) return pow(u, p.value);
    Taylor2Of power = exp(p * log(u));
    power.value = pow(u.value, p.value);
    return power;
  }
  friend Taylor2Of abs(const Taylor2Of& u) { return select(u.value < T(0), -u, u); }
  friend Taylor2Of fabs(const Taylor2Of& u) { return abs(u); }
  friend constexpr Taylor2Of abs2(const Taylor2Of& u) { return u * u; }
  friend Taylor2Of hypot(const Taylor2Of& a, const Taylor2Of& b) {
    using std::hypot;
    const T h = hypot(a.value, b.value);
    const T x = a.value / h, y = b.value / h, dh = x * a.first + y * b.first;
    const T across = x * b.first - y * a.first;
    return {h, dh, x * a.second + y * b.second + across * across / h};
  }
  friend Taylor2Of atan2(const Taylor2Of& y, const Taylor2Of& x) {
    using std::atan2;
    const T r = 1.0 / (x.value * x.value + y.value * y.value);
    const T d = (x.value * y.first - y.value * x.first) * r;
    const T growth = (x.value * x.first + y.value * y.first) * r;
    return {atan2(y.value, x.value), d,
            (x.value * y.second - y.value * x.second) * r - 2.0 * d * growth};
  }
  friend Taylor2Of min(const Taylor2Of& a, const Taylor2Of& b) {
    return select(b.value < a.value, b, a);
  }
  friend Taylor2Of max(const Taylor2Of& a, const Taylor2Of& b) {
    return select(a.value < b.value, b, a);
  }
  template <class Mask>
  friend Taylor2Of select(const Mask& m, const Taylor2Of& a, const Taylor2Of& b) {
    return {select(m, a.value, b.value), select(m, a.first, b.first),
            select(m, a.second, b.second)};
  }
  friend bool isfinite(const Taylor2Of& u) requires(std::is_same_v<T, double>) {
    return std::isfinite(u.value) && std::isfinite(u.first) && std::isfinite(u.second);
  }
};

using Taylor2 = Taylor2Of<double>;

}  // namespace daewave

namespace Eigen {

template <class T>
struct NumTraits<daewave::Taylor2Of<T>> : NumTraits<double> {
  using Real = daewave::Taylor2Of<T>;
  using NonInteger = daewave::Taylor2Of<T>;
  using Nested = daewave::Taylor2Of<T>;
  enum { RequireInitialization = 1, ReadCost = 3, AddCost = 3, MulCost = 9 };
};

template <class T, class Operation>
struct ScalarBinaryOpTraits<daewave::Taylor2Of<T>, double, Operation> {
  using ReturnType = daewave::Taylor2Of<T>;
};
template <class T, class Operation>
struct ScalarBinaryOpTraits<double, daewave::Taylor2Of<T>, Operation> {
  using ReturnType = daewave::Taylor2Of<T>;
};

// Lanes are aligned by themselves, as wide as their registers are.
template <class T, int size>
requires(size != Dynamic && !std::is_same_v<T, double>) struct internal::compute_default_alignment<
    daewave::Taylor2Of<T>, size> {
  enum { value = 0 };
};

}  // namespace Eigen
