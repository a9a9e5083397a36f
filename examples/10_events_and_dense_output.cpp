// A stone on a string, thrown hard enough to rise above the pivot, but not to go round:
//
//   m x'' = -lambda x,   m y'' = -m g - lambda y,   0 = (x^2 + y^2 - l^2) / 2,   v0^2 = 3.5 g l.
//
// The string pulls with (m |v|^2 - m g y) / l; where that is zero the stone leaves the circle, at
// the height y = (v0^2 / g - 2 l) / 3 = l / 2. An event finds that time and ends the run; another
// one tells when the stone passes the height of the pivot. Dense output is a polynomial for every
// step; that of the method taken here is good to the tolerance in between.
//
// Output, numbers within 1e-6 or 1e-9:
//   passes the pivot's height at t = 0.3077642 s, (x, y) = (1.000000, 0.000000) m
//   the string goes slack at t = 0.4819943 s, at height 0.500000 m
//   the run ended at t = 0.4819943 s of 10 s
//   t = 0.1 s: (x, y) = (0.545165, -0.838329) m
//   t = 0.2 s: (x, y) = (0.891838, -0.452354) m
//   t = 0.3 s: (x, y) = (0.999548, -0.030075) m
//   off the circle between steps: 3.4e-11 m
#include <algorithm>
#include <cmath>
#include <cstdio>

#include <daewave/ivp.hpp>

using namespace daewave;

struct Stone {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double m = 0.1, l = 1, gravity = 9.81;  // kg, m, m/s^2.

  Mat<2, 2> M(const Position&) const { return m * Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, -m * gravity}; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T) const {
    return VecOf<T, 1>((q.squaredNorm() - l * l) / 2.0);
  }
  /// Of the string, N; z = (x, y, x', y').
  double pull(const VecX& z) const { return m * (z[2] * z[2] + z[3] * z[3] - gravity * z[1]) / l; }
};

int main() {
  const Stone stone;
  ivp::Options options{.rtol = 1e-10, .atol = 1e-10};
  options.dense = true;
  options.events = {{.name = "height of the pivot",
                     .function = [](double, const VecX& z) { return z[1]; },
                     .direction = ivp::Event::Direction::rising},
                    {.name = "slack",
                     .function = [&](double, const VecX& z) { return stone.pull(z); },
                     .then = ivp::Event::Then::stop}};
  const double v0 = std::sqrt(3.5 * stone.gravity * stone.l);
  const auto flight = ivp::solve(with_autodiff(stone), {0, -stone.l, v0, 0}, {0, 10}, options);
  if (!flight.report.usable()) return std::puts(flight.report.full().c_str()), 1;

  const ivp::Occurrence &pivot = flight.occurrences.at(0), &slack = flight.occurrences.at(1);
  std::printf("passes the pivot's height at t = %.7f s, (x, y) = (%.6f, %.6f) m\n", pivot.t,
              pivot.state[0], pivot.state[1]);
  std::printf("the string goes slack at t = %.7f s, at height %.6f m\n", slack.t, slack.state[1]);
  std::printf("the run ended at t = %.7f s of %g s\n", flight.report.integration.reached,
              flight.report.integration.end);
  for (double t : {0.1, 0.2, 0.3}) {
    const VecX z = flight.at(t);
    std::printf("t = %g s: (x, y) = (%.6f, %.6f) m\n", t, z[0], z[1]);
  }
  double off = 0;
  for (int i = 0; i <= 1000; ++i) {
    off = std::max(off, std::abs(flight.at(slack.t * i / 1000).head(2).norm() - stone.l));
  }
  std::printf("off the circle between steps: %.1e m\n", off);
}
