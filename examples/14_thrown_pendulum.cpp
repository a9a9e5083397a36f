// How fast has a pendulum to start so that it comes to where it is wanted? A boundary value problem
// of index 3: the pendulum hangs at t = 0 and is to be at an angle of 2 rad, above the horizontal,
// at t = T.
//
//   q'' = (0, -9.81) - lambda q,   0 = (q.q - 1) / 2;   x(0) = 0,   y(T) = -cos 2.
//
// It has 4 entries of (q, v); the constraint and its derivative at t = 0 give two conditions, two
// are posed. The guess is a motion of constant speed along the circle.
//
// The more time there is, the slower it starts, down to 5.27, with which it would stand still
// there; and the rod, which pulls at first (lambda > 0), has to push in the end. Energy is kept,
// though nothing here looks at it.
//
// Output, numbers within 1e-4 or 1e-10:
//   T     speed at 0  speed at T  lambda at T  energy kept
//   0.3   7.5180      5.3605      24.6527      yes
//   0.4   6.1854      3.2365      6.3925       yes
//   0.5   5.5598      1.7683      -0.9554      yes
//   0.6   5.3091      0.6335      -3.6811      yes
#include <cmath>
#include <cstdio>

#include <daewave/bvp.hpp>

using namespace daewave;

struct Thrown {
  using Position = Vec<2>;
  using Multiplier = Vec<1>;
  double T = 1;

  Mat<2, 2> M(const Position&) const { return Mat<2, 2>::Identity(); }
  Position f(const Position&, const Position&, double) const { return {0, -9.81}; }
  template <class S>
  VecOf<S, 1> g(const VecOf<S, 2>& q, S) const {
    return VecOf<S, 1>((q[0] * q[0] + q[1] * q[1] - 1.0) / 2.0);
  }

  Interval interval() const { return {0, T}; }
  Vec<2> conditions(const Vec<4>& left, const Vec<4>& right) const {
    return {left[0], right[1] + std::cos(2.0)};
  }
  Vec<4> guess(double t) const {
    const double rate = 2 / T, angle = rate * t;
    return {std::sin(angle), -std::cos(angle), rate * std::cos(angle), rate * std::sin(angle)};
  }
};

int main() {
  std::puts("T     speed at 0  speed at T  lambda at T  energy kept");
  for (const double T : {0.3, 0.4, 0.5, 0.6}) {
    const auto motion = bvp::solve(with_autodiff(Thrown{.T = T}), {.tolerance = 1e-9});
    if (!motion.report.usable()) return std::puts(motion.report.full().c_str()), 1;
    const VecX start = motion.x(0), end = motion.x(T);
    const auto energy = [](const VecX& z) { return z.tail(2).squaredNorm() / 2 + 9.81 * z[1]; };
    std::printf("%.1f   %.4f      %.4f      %-11.4f  %s\n", T, start.tail(2).norm(),
                end.tail(2).norm(), motion.multiplier(T)[0],
                std::abs(energy(end) - energy(start)) < 1e-8 ? "yes" : "no");
  }
}
