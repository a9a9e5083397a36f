#pragma once
// A function and its derivatives along N directions at once, forward: numbers, or SIMD lanes
// (core/lanes/lanes.hpp), with N derivatives behind each.
//
// What is not differentiated is a T beside it and costs no derivatives: c u, u + c.

#include <cmath>
#include <type_traits>

#include "core/eigen_memory.hpp"
#include "core/select.hpp"

namespace daewave {

/// Scalar for mathematics written as a template; usable in Eigen's vectors. Comparisons see the
/// value alone. Its functions are found by argument: write `using std::sin; sin(x)`.
/// @tparam T  double, or lanes.
template <class T, int N>
struct Dual {
  T value;
  T d[N];

  Dual() : Dual(T(0)) {}
  [[gnu::always_inline]] Dual(const T& constant) : value(constant) {
    for (int i = 0; i < N; ++i) d[i] = T(0);
  }
  [[gnu::always_inline]] Dual(double constant) requires(!std::is_same_v<T, double>)
      : Dual(T(constant)) {}
  /// Direction `along` is that of this unknown.
  [[gnu::always_inline]] Dual(const T& x, int along) : Dual(x) { d[along] = T(1); }

  /// f(u), from f and f' at the value.
  [[gnu::always_inline]] static Dual compose(const Dual& u, const T& f, const T& df) {
    Dual out(f, Uninitialized());
    for (int i = 0; i < N; ++i) out.d[i] = df * u.d[i];
    return out;
  }

  [[gnu::always_inline]] Dual& operator+=(const Dual& b) {
    value += b.value;
    for (int i = 0; i < N; ++i) d[i] += b.d[i];
    return *this;
  }
  [[gnu::always_inline]] Dual& operator-=(const Dual& b) {
    value -= b.value;
    for (int i = 0; i < N; ++i) d[i] -= b.d[i];
    return *this;
  }
  [[gnu::always_inline]] Dual& operator*=(const Dual& b) { return *this = *this * b; }
  [[gnu::always_inline]] Dual& operator/=(const Dual& b) { return *this = *this / b; }
  [[gnu::always_inline]] Dual& operator*=(double b) { return *this = *this * b; }
  [[gnu::always_inline]] Dual& operator/=(double b) { return *this = *this / b; }

  [[gnu::always_inline]] friend Dual operator+(const Dual& a) { return a; }
  [[gnu::always_inline]] friend Dual operator-(const Dual& a) {
    Dual out(-a.value, Uninitialized());
    for (int i = 0; i < N; ++i) out.d[i] = -a.d[i];
    return out;
  }
  [[gnu::always_inline]] friend Dual operator+(Dual a, const Dual& b) { return a += b; }
  [[gnu::always_inline]] friend Dual operator-(Dual a, const Dual& b) { return a -= b; }
  [[gnu::always_inline]] friend Dual operator*(const Dual& a, const Dual& b) {
    Dual out(a.value * b.value, Uninitialized());
    for (int i = 0; i < N; ++i) out.d[i] = a.d[i] * b.value + a.value * b.d[i];
    return out;
  }
  [[gnu::always_inline]] friend Dual operator/(const Dual& a, const Dual& b) {
    Dual out(a.value / b.value, Uninitialized());
    for (int i = 0; i < N; ++i) out.d[i] = (a.d[i] - out.value * b.d[i]) / b.value;
    return out;
  }

  [[gnu::always_inline]] friend Dual operator+(Dual a, double b) { return a.shifted(T(b)); }
  [[gnu::always_inline]] friend Dual operator+(double a, Dual b) { return b.shifted(T(a)); }
  [[gnu::always_inline]] friend Dual operator-(Dual a, double b) { return a.shifted(-T(b)); }
  [[gnu::always_inline]] friend Dual operator-(double a, const Dual& b) {
    return (-b).shifted(T(a));
  }
  [[gnu::always_inline]] friend Dual operator*(const Dual& a, double b) {
    return compose(a, a.value * b, T(b));
  }
  [[gnu::always_inline]] friend Dual operator*(double a, const Dual& b) { return b * a; }
  [[gnu::always_inline]] friend Dual operator/(const Dual& a, double b) {
    Dual out(a.value / b, Uninitialized());
    for (int i = 0; i < N; ++i) out.d[i] = a.d[i] / b;
    return out;
  }
  [[gnu::always_inline]] friend Dual operator/(double a, const Dual& b) { return Dual(T(a)) / b; }

  friend auto operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend auto operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend auto operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend auto operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend auto operator==(const Dual& a, const Dual& b) { return a.value == b.value; }
  friend auto operator!=(const Dual& a, const Dual& b) { return a.value != b.value; }
  template <class Mask>
  friend Dual select(const Mask& m, const Dual& a, const Dual& b) {
    Dual out(select(m, a.value, b.value), Uninitialized());
    for (int i = 0; i < N; ++i) out.d[i] = select(m, a.d[i], b.d[i]);
    return out;
  }

  [[gnu::always_inline]] friend Dual sin(const Dual& u) {
    using std::sin, std::cos;
    return compose(u, sin(u.value), cos(u.value));
  }
  [[gnu::always_inline]] friend Dual cos(const Dual& u) {
    using std::sin, std::cos;
    return compose(u, cos(u.value), -sin(u.value));
  }
  friend Dual tan(const Dual& u) {
    using std::tan;
    const T f = tan(u.value);
    return compose(u, f, 1.0 + f * f);
  }
  friend Dual asin(const Dual& u) {
    using std::asin, std::sqrt;
    return compose(u, asin(u.value), 1.0 / sqrt(1.0 - u.value * u.value));
  }
  friend Dual acos(const Dual& u) {
    using std::acos, std::sqrt;
    return compose(u, acos(u.value), -1.0 / sqrt(1.0 - u.value * u.value));
  }
  friend Dual atan(const Dual& u) {
    using std::atan;
    return compose(u, atan(u.value), 1.0 / (1.0 + u.value * u.value));
  }
  friend Dual sinh(const Dual& u) {
    using std::cosh, std::sinh;
    return compose(u, sinh(u.value), cosh(u.value));
  }
  friend Dual cosh(const Dual& u) {
    using std::cosh, std::sinh;
    return compose(u, cosh(u.value), sinh(u.value));
  }
  friend Dual tanh(const Dual& u) {
    using std::tanh;
    const T f = tanh(u.value);
    return compose(u, f, 1.0 - f * f);
  }
  friend Dual exp(const Dual& u) {
    using std::exp;
    const T e = exp(u.value);
    return compose(u, e, e);
  }
  friend Dual log(const Dual& u) {
    using std::log;
    return compose(u, log(u.value), 1.0 / u.value);
  }
  friend Dual sqrt(const Dual& u) {
    using std::sqrt;
    const T f = sqrt(u.value);
    return compose(u, f, 0.5 / f);
  }
  friend Dual pow(const Dual& u, double p) {
    using std::pow;
    // 0 pow(0, -1) is not a number, the derivative it stands for is 0.
    return compose(u, pow(u.value, p), p == 0 ? T(0) : T(p * pow(u.value, p - 1)));
  }
  friend Dual pow(const Dual& u, int p) { return pow(u, static_cast<double>(p)); }
  friend Dual abs(const Dual& u) { return select(u.value < T(0), -u, u); }
  friend Dual fabs(const Dual& u) { return abs(u); }
  [[gnu::always_inline]] friend Dual abs2(const Dual& u) { return u * u; }
  friend Dual min(const Dual& a, const Dual& b) { return select(b.value < a.value, b, a); }
  friend Dual max(const Dual& a, const Dual& b) { return select(a.value < b.value, b, a); }
  friend Dual hypot(const Dual& a, const Dual& b) {
    using std::hypot;
    const T h = hypot(a.value, b.value), x = a.value / h, y = b.value / h;
    Dual out(h, Uninitialized());
    for (int i = 0; i < N; ++i) out.d[i] = x * a.d[i] + y * b.d[i];
    return out;
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    using std::atan2;
    const T r = 1.0 / (x.value * x.value + y.value * y.value);
    Dual out(atan2(y.value, x.value), Uninitialized());
    for (int i = 0; i < N; ++i) out.d[i] = (x.value * y.d[i] - y.value * x.d[i]) * r;
    return out;
  }

 private:
  struct Uninitialized {};
  [[gnu::always_inline]] Dual(const T& f, Uninitialized) : value(f) {}
  [[gnu::always_inline]] Dual& shifted(const T& by) {
    value += by;
    return *this;
  }
};

}  // namespace daewave

template <class T, int N>
struct Eigen::NumTraits<daewave::Dual<T, N>> : Eigen::GenericNumTraits<double> {
  using Real = daewave::Dual<T, N>;
  using NonInteger = daewave::Dual<T, N>;
  using Nested = daewave::Dual<T, N>;
  using Literal = double;
  enum { IsComplex = 0, IsInteger = 0, IsSigned = 1, RequireInitialization = 1 };
  enum { ReadCost = 1 + N, AddCost = 1 + N, MulCost = 1 + 2 * N };
};
template <class T, int N, class Operation>
struct Eigen::ScalarBinaryOpTraits<double, daewave::Dual<T, N>, Operation> {
  using ReturnType = daewave::Dual<T, N>;
};
template <class T, int N, class Operation>
struct Eigen::ScalarBinaryOpTraits<daewave::Dual<T, N>, double, Operation> {
  using ReturnType = daewave::Dual<T, N>;
};
// It is aligned by itself, as its T is.
template <class T, int N, int size>
requires(
    size !=
    Eigen::Dynamic) struct Eigen::internal::compute_default_alignment<daewave::Dual<T, N>, size> {
  enum { value = 0 };
};
