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

/// Directions along which a derivative may be other than zero: all of them. The compiler lays
/// derivatives side by side.
struct AllDirections {
  [[gnu::always_inline]] static constexpr bool has(int) { return true; }
  [[gnu::always_inline]] static constexpr AllDirections with(int) { return {}; }
  [[gnu::always_inline]] friend constexpr AllDirections operator|(AllDirections, AllDirections) {
    return {};
  }
};

/// Those that were added. It pays where sizes are fixed and the compiler sees the mathematics as a
/// whole: it then knows them, and the derivatives along the others are not there at all.
struct SomeDirections {
  static constexpr int most = 16;  ///< Loops up to that length are unrolled.
  [[gnu::always_inline]] constexpr bool has(int i) const { return (bits >> i & 1U) != 0; }
  [[gnu::always_inline]] constexpr SomeDirections with(int i) const { return {bits | 1U << i}; }
  [[gnu::always_inline]] friend constexpr SomeDirections operator|(SomeDirections a,
                                                                   SomeDirections b) {
    return {a.bits | b.bits};
  }
  unsigned bits = 0;
};

namespace detail {

/// A derivative that is known to be zero.
struct NoDerivative {
  template <class T>
  [[gnu::always_inline]] friend NoDerivative operator*(const T&, NoDerivative) {
    return {};
  }
  template <class T>
  [[gnu::always_inline]] friend NoDerivative operator*(NoDerivative, const T&) {
    return {};
  }
  template <class T>
  [[gnu::always_inline]] friend T operator+(const T& a, NoDerivative) {
    return a;
  }
  template <class T>
  [[gnu::always_inline]] friend T operator+(NoDerivative, const T& b) {
    return b;
  }
  template <class T>
  [[gnu::always_inline]] friend T operator-(const T& a, NoDerivative) {
    return a;
  }
  template <class T>
  [[gnu::always_inline]] friend T operator-(NoDerivative, const T& b) {
    return -b;
  }
};

}  // namespace detail

/// Scalar for mathematics written as a template; usable in Eigen's vectors. Comparisons see the
/// value alone. Its functions are found by argument: write `using std::sin; sin(x)`.
/// @tparam T  double, or lanes.  @tparam Along  AllDirections or SomeDirections.
template <class T, int N, class Along = AllDirections>
struct Dual {
  T value;
  T d[N];  ///< Set along those directions; derivative() knows the others too.
  [[no_unique_address]] Along along;

  Dual() : Dual(T(0)) {}
  [[gnu::always_inline]] Dual(const T& constant) : value(constant) {
    for (int i = 0; i < N; ++i) d[i] = T(0);  // Where it is not looked at: compilers warn.
  }
  [[gnu::always_inline]] Dual(double constant) requires(!std::is_same_v<T, double>)
      : Dual(T(constant)) {}
  /// Direction i is that of this unknown.
  [[gnu::always_inline]] Dual(const T& x, int i) : Dual(x) {
    d[i] = T(1);
    along = along.with(i);
  }

  [[gnu::always_inline]] T derivative(int i) const { return along.has(i) ? d[i] : T(0); }

  /// f(u), from f and f' at the value.
  [[gnu::always_inline]] static Dual compose(const Dual& u, const T& f, const T& df) {
    return each(u, f, [&](const auto& du) { return df * du; });
  }

  [[gnu::always_inline]] Dual& operator+=(const Dual& b) { return *this = *this + b; }
  [[gnu::always_inline]] Dual& operator-=(const Dual& b) { return *this = *this - b; }
  [[gnu::always_inline]] Dual& operator*=(const Dual& b) { return *this = *this * b; }
  [[gnu::always_inline]] Dual& operator/=(const Dual& b) { return *this = *this / b; }
  [[gnu::always_inline]] Dual& operator*=(double b) { return *this = *this * b; }
  [[gnu::always_inline]] Dual& operator/=(double b) { return *this = *this / b; }

  [[gnu::always_inline]] friend Dual operator+(const Dual& a) { return a; }
  [[gnu::always_inline]] friend Dual operator-(const Dual& a) {
    return each(a, -a.value, [](const auto& da) { return -da; });
  }
  [[gnu::always_inline]] friend Dual operator+(const Dual& a, const Dual& b) {
    return each(a, b, a.value + b.value, [](const auto& da, const auto& db) { return da + db; });
  }
  [[gnu::always_inline]] friend Dual operator-(const Dual& a, const Dual& b) {
    return each(a, b, a.value - b.value, [](const auto& da, const auto& db) { return da - db; });
  }
  [[gnu::always_inline]] friend Dual operator*(const Dual& a, const Dual& b) {
    return each(a, b, a.value * b.value,
                [&](const auto& da, const auto& db) { return da * b.value + a.value * db; });
  }
  [[gnu::always_inline]] friend Dual operator/(const Dual& a, const Dual& b) {
    const T c = a.value / b.value;
    return each(a, b, c, [&](const auto& da, const auto& db) { return (da - c * db) / b.value; });
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
    return each(a, a.value / b, [b](const auto& da) { return da / b; });
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
    Dual out(select(m, a.value, b.value), a.along | b.along);
    for (int i = 0; i < N; ++i) out.d[i] = select(m, a.derivative(i), b.derivative(i));
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
    return each(a, b, h, [&](const auto& da, const auto& db) { return x * da + y * db; });
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    using std::atan2;
    const T r = 1.0 / (x.value * x.value + y.value * y.value);
    return each(y, x, atan2(y.value, x.value),
                [&](const auto& dy, const auto& dx) { return (x.value * dy - y.value * dx) * r; });
  }

 private:
  /// Its derivatives are to be set.
  [[gnu::always_inline]] Dual(const T& f, Along set) : value(f), along(set) {}

  /// f, and of(du) for every derivative of u.
  template <class Of>
  [[gnu::always_inline]] static Dual each(const Dual& u, const T& f, Of of) {
    Dual out(f, u.along);
    for (int i = 0; i < N; ++i) {
      if (u.along.has(i)) out.d[i] = of(u.d[i]);
    }
    return out;
  }
  /// f, and of(da, db) for every derivative of a or b.
  template <class Of>
  [[gnu::always_inline]] static Dual each(const Dual& a, const Dual& b, const T& f, Of of) {
    constexpr detail::NoDerivative none;
    Dual out(f, a.along | b.along);
    for (int i = 0; i < N; ++i) {
      if (a.along.has(i) && b.along.has(i)) {
        out.d[i] = of(a.d[i], b.d[i]);
      } else if (a.along.has(i)) {
        out.d[i] = of(a.d[i], none);
      } else if (b.along.has(i)) {
        out.d[i] = of(none, b.d[i]);
      }
    }
    return out;
  }
  [[gnu::always_inline]] Dual& shifted(const T& by) {
    value += by;
    return *this;
  }
};

}  // namespace daewave

template <class T, int N, class Along>
struct Eigen::NumTraits<daewave::Dual<T, N, Along>> : Eigen::GenericNumTraits<double> {
  using Real = daewave::Dual<T, N, Along>;
  using NonInteger = daewave::Dual<T, N, Along>;
  using Nested = daewave::Dual<T, N, Along>;
  using Literal = double;
  enum { IsComplex = 0, IsInteger = 0, IsSigned = 1, RequireInitialization = 1 };
  enum { ReadCost = 1 + N, AddCost = 1 + N, MulCost = 1 + 2 * N };
};
template <class T, int N, class Along, class Operation>
struct Eigen::ScalarBinaryOpTraits<double, daewave::Dual<T, N, Along>, Operation> {
  using ReturnType = daewave::Dual<T, N, Along>;
};
template <class T, int N, class Along, class Operation>
struct Eigen::ScalarBinaryOpTraits<daewave::Dual<T, N, Along>, double, Operation> {
  using ReturnType = daewave::Dual<T, N, Along>;
};
// It is aligned by itself, as its T is.
template <class T, int N, class Along, int size>
requires(size != Eigen::Dynamic) struct Eigen::internal::compute_default_alignment<
    daewave::Dual<T, N, Along>, size> {
  enum { value = 0 };
};
