// How long a pendulum is and what gravity it feels, from where it is seen: a mass on a rod of
// length l under g, let go from the horizontal,
//
//   x'' = -lambda x,   y'' = -g - lambda y,   0 = (x^2 + y^2 - l^2) / 2,
//
// is at (x, y) after 3 s. Newton's method for (l, g) needs how the end of a run moves with them:
// the equations of first order around it, which are stepped and projected with the run itself. A
// start that a new l takes off its circle is brought back to it.
//
// Output, numbers within 1e-6:
//   l = 1.150000 m, g = 9.700000 m/s^2: off by 0.190962 m
//   l = 1.185232 m, g = 9.696854 m/s^2: off by 0.015424 m
//   l = 1.199992 m, g = 9.809939 m/s^2: off by 0.000009 m
//   l = 1.200000 m, g = 9.810000 m/s^2: off by 0.000000 m
//   l = 1.200000 m, g = 9.810000 m/s^2: off by 0.000000 m
#include <Eigen/LU>
#include <cstdio>

#include <daewave/ivp.hpp>

using namespace daewave;

struct Pendulum {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double l, g0;  // m, m/s^2.

  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, -g0}; }
  template <class T>
  VecOf<T, 1> g(const VecOf<T, 2>& q, T) const {
    return VecOf<T, 1>((q.squaredNorm() - l * l) / 2.0);
  }
};

int main() {
  const ivp::Family pendulums = [](const VecX& p) {
    const VecX start = Vec<4>(p[0], 0, 0, 0);
    return ivp::Member{problem_of(with_autodiff(Pendulum{p[0], p[1]}), start), start};
  };
  const ivp::Member seen = pendulums(Vec<2>(1.2, 9.81));
  const Vec<2> there = ivp::solve(*seen.problem, seen.start, {0, 3}, {.rtol = 1e-11}).end().head(2);

  VecX p = Vec<2>(1.15, 9.7);
  for (int iteration = 0; iteration < 5; ++iteration) {
    const auto moved = ivp::sensitivities(pendulums, p, {0, 3}, {.rtol = 1e-11});
    if (!moved.solution.report.usable()) return std::puts(moved.solution.report.full().c_str()), 1;
    const Vec<2> off = moved.solution.end().head(2) - there;
    std::printf("l = %.6f m, g = %.6f m/s^2: off by %.6f m\n", p[0], p[1], off.norm());
    const Mat<2, 2> by = moved.parameters.topRows(2);
    p -= by.inverse() * off;
  }
}
