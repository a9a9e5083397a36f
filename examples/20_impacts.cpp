// A pendulum that hangs beside a wall and is thrown back by it, with e = 0.8 of its speed:
//
//   m x'' = -lambda x,   m y'' = -m g - lambda y,   0 = (x^2 + y^2 - l^2) / 2,   x >= 0.
//
// The wall is an event with a change of the state; the run starts anew behind it, consistent with
// the rod. From the angle a the pendulum takes K(sin(a / 2)) / sqrt(g / l) to the wall, with K the
// complete elliptic integral, and each impact takes sin(a / 2) times e. A motor in the pivot that
// is switched on at t = 3 s is a force that jumps in t: steps end there.
//
// Output, numbers within 1e-6 or 1e-9:
//   impact 1 at t = 0.5507706 s, speed 3.537024 to 2.829619 m/s, K / sqrt(g / l): 0.5507706 s
//   impact 2 at t = 1.6118308 s, speed 2.829619 to 2.263696 m/s, K / sqrt(g / l): 1.6118308 s
//   impact 3 at t = 2.6502584 s, speed 2.263696 to 1.810956 m/s, K / sqrt(g / l): 2.6502584 s
//   impact 4 at t = 3.9385200 s, speed 1.102651 to 0.882121 m/s
//   after 5 restarts, t = 5 s: (x, y) = (0.380328, -0.924852) m
#include <cmath>
#include <cstdio>

#include <daewave/ivp.hpp>

using namespace daewave;

struct Pendulum {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double m = 1, l = 1, gravity = 9.81, on = 3, moment = 2;  // kg, m, m/s^2, s, N m.

  Mat<2, 2> M(const Position&) const { return m * Mat<2, 2>::Identity(); }
  Position f(const Position& q, const Position&, double t) const {
    const double push = t < on ? 0 : moment / (l * l);
    return {-push * q[1], push * q[0] - m * gravity};
  }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T) const {
    return VecOf<T, 1>((q.squaredNorm() - l * l) / 2.0);
  }
};

int main() {
  const Pendulum pendulum;
  const double e = 0.8, a = 1.2;
  ivp::Options options{.rtol = 1e-11, .atol = 1e-11};
  options.restart_times = {pendulum.on};
  options.events = {{.name = "wall",
                     .function = [](double, const VecX& z) { return z[0]; },
                     .direction = ivp::Event::Direction::falling,
                     .change =
                         [e](double, VecX z) {
                           z.tail(2) *= -e;
                           return z;
                         }}};
  const VecX start = Vec<4>(std::sin(a), -std::cos(a), 0, 0);
  const auto motion = ivp::solve(with_autodiff(pendulum), start, {0, 5}, options);
  if (!motion.report.usable()) return std::puts(motion.report.full().c_str()), 1;

  int number = 0;
  double k = std::sin(a / 2), expected = 0, before = 0;
  for (const ivp::Occurrence& impact : motion.occurrences) {
    const double quarter = std::comp_ellint_1(k) / std::sqrt(pendulum.gravity / pendulum.l);
    expected += before + quarter;
    std::printf("impact %d at t = %.7f s, speed %.6f to %.6f m/s", ++number, impact.t,
                impact.state.tail(2).norm(), impact.after.tail(2).norm());
    if (impact.t < pendulum.on) std::printf(", K / sqrt(g / l): %.7f s", expected);
    std::printf("\n");
    k *= e;
    before = std::comp_ellint_1(k) / std::sqrt(pendulum.gravity / pendulum.l);
  }
  const VecX end = motion.end();
  std::printf("after %ld restarts, t = %g s: (x, y) = (%.6f, %.6f) m\n",
              motion.report.integration.restarts, motion.t.back(), end[0], end[1]);
}
