// What does a rotating disk do to the air above it? (von Karman's flow, on an infinite interval)
//
//   F'' = F^2 - G^2 + F' H,   G'' = 2 F G + G' H,   H' = -2 F,
//   F = 0, G = 1, H = 0 on the disk,   F and G tend to 0 far above it:
//
// F along the radius, G around, H along the axis. The interval is [0, inf): conditions at the right
// end say what x tends to. It is cut where what is beyond changes nothing more, and the report
// tells where, and what that may change; beyond, the solution is what it tends to.
//
// Output, numbers within 1e-6 or 1e-9:
//   cut at 80 with an error below 1e-10
//   friction -0.615922014, outwards 0.510232619
//   F is largest, 0.180767, at height 0.9242
//   far above, air comes down at 0.884474 and no longer turns: 0
#include <cmath>
#include <cstdio>
#include <limits>

#include <daewave/bvp.hpp>

using namespace daewave;

struct Disk {
  using State = Vec<5>;  // F, F', G, G', H

  Interval interval() const { return {0, std::numeric_limits<double>::infinity()}; }
  State f(const State& x, double) const {
    const double F = x[0], G = x[2], H = x[4];
    return {x[1], F * F - G * G + x[1] * H, x[3], 2 * F * G + x[3] * H, -2 * F};
  }
  State conditions(const State& disk, const State& far) const {
    return {disk[0], disk[2] - 1, disk[4], far[0], far[2]};
  }
};

int main() {
  const bvp::Solution air = bvp::solve(Disk{}, {.tolerance = 1e-9});
  if (!air.report.usable()) return std::puts(air.report.full().c_str()), 1;
  std::printf("cut at %g with an error %s 1e-10\n", air.mesh().end(),
              air.truncation->error < 1e-10 ? "below" : "above");
  std::printf("friction %.9f, outwards %.9f\n", air.x(0)[3], air.x(0)[1]);

  // Where F' = 0, between the disk and twice the height of a layer.
  double low = 0, high = 2;
  while (high - low > 1e-12) {
    const double middle = (low + high) / 2;
    (air.x(middle)[1] > 0 ? low : high) = middle;
  }
  std::printf("F is largest, %.6f, at height %.4f\n", air.x(low)[0], low);
  const VecX far = air.x(1e6);
  std::printf("far above, air comes down at %.6f and no longer turns: %.0f\n", -far[4],
              std::abs(far[2]));
}
