#pragma once
// A zero of a continuous function between two places where its signs differ.

#include <cmath>

namespace daewave::ivp {

/// The zero of f in [a, b], f(a) = fa and f(b) = fb of different signs, to +- tolerance.
///
/// Hardly more evaluations than bisection, and as few as the secant rule where f is smooth:
/// interpolate, truncate, project. Oliveira, Takahashi: ACM Trans. Math. Software 47 (2020) 5.
template <class F>
double bracketed_root(const F& f, double a, double b, double fa, double fb, double tolerance) {
  if (fa == 0) return a;
  if (fb == 0) return b;
  const double sign = fa < 0 ? 1 : -1;
  fa *= sign;
  fb *= sign;
  double reach = tolerance * std::exp2(std::ceil(std::log2((b - a) / (2 * tolerance))) + 1);
  while (b - a > 2 * tolerance) {
    const double middle = 0.5 * (a + b);
    const double crossing = (fb * a - fa * b) / (fb - fa);
    const double secant = std::isfinite(crossing) ? crossing : middle;
    const double toward = middle < secant ? -1 : 1;
    const double nudge = 0.2 * (b - a) * (b - a);
    const double nudged = nudge <= std::abs(middle - secant) ? secant + toward * nudge : middle;
    const double allowed = reach - 0.5 * (b - a);
    const double x = std::abs(nudged - middle) <= allowed ? nudged : middle - toward * allowed;
    const double fx = sign * f(x);
    if (fx == 0 || std::isnan(fx)) return x;
    if (fx > 0) {
      b = x;
      fb = fx;
    } else {
      a = x;
      fa = fx;
    }
    reach *= 0.5;
  }
  return 0.5 * (a + b);
}

}  // namespace daewave::ivp
