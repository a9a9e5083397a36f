#pragma once
// Jacobi's elliptic functions of real argument, by the arithmetic-geometric mean.
// Abramowitz and Stegun, 16.4 and 17.6.

#include <array>
#include <cmath>
#include <numbers>

namespace daewave::problems {

/// K(m), a quarter of the period of sn; parameter m = k^2 in [0, 1).
inline double elliptic_quarter_period(double m) {
  double a = 1, b = std::sqrt(1 - m);
  for (int i = 0; i < 12 && std::abs(a - b) > 1e-16; ++i) {  // Quadratic.
    const double mean = (a + b) / 2;
    b = std::sqrt(a * b);
    a = mean;
  }
  return std::numbers::pi / (2 * a);
}

/// sn(u | m), cn(u | m), dn(u | m).
struct JacobiElliptic {
  double sn = 0, cn = 1, dn = 1;
};

/// Parameter m = k^2 in [0, 1). Absolute error about 1e-15 plus that of u in double precision.
inline JacobiElliptic jacobi_elliptic(double u, double m) {
  constexpr int most = 12;
  std::array<double, most + 1> a{1}, c{std::sqrt(m)};
  double b = std::sqrt(1 - m);
  int n = 0;
  while (n < most && c[n] > 1e-16) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = std::sqrt(a[n] * b);
    ++n;
  }
  const double period = 2 * std::numbers::pi / a[n];  // 4 K.
  double phi = std::ldexp(a[n] * std::remainder(u, period), n);
  for (; n > 0; --n) phi = (phi + std::asin(c[n] / a[n] * std::sin(phi))) / 2;
  const double sn = std::sin(phi), cn = std::cos(phi);
  return {sn, cn, std::sqrt((1 - m) + m * cn * cn)};  // No cancellation near m sn^2 = 1.
}

}  // namespace daewave::problems
