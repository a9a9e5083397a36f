// Two tanks exchange heat, and a heater y on the second one keeps their sum on a prescribed course.
// At which temperatures must they start, so that the first one ends at 1.45?
//
//   x1' = -x1 + x2,   x2' = x1 - 2 x2 + y,   0 = x1 + x2 - (2 + sin t)  on [0, 2],   x1(2) = 1.45.
//
// In the form of the library, x' = A x - B y + q and 0 = C x + r; the multiplier enters as - B y,
// so B = (0, -1). Nothing but the tolerance is chosen here.
//
// Output, numbers within 1e-6:
//   t = 0: x = (0.9666151, 1.033385), heater y = 2.033385
//   t = 1: x = (1.251077, 1.590394), heater y = 2.130696
//   t = 2: x = (1.45, 1.459297), heater y = 1.043151
#include <cmath>
#include <cstdio>

#include "bvp/solve.hpp"

using namespace daewave;

struct Tanks {
  Interval interval() const { return {0, 2}; }
  Mat<2, 2> A(double) const { return Mat<2, 2>{{-1, 1}, {1, -2}}; }
  Vec<2> B(double) const { return {0, -1}; }
  Vec<2> q(double) const { return {0, 0}; }
  Mat<1, 2> C(double) const { return {1, 1}; }
  Vec<1> r(double t) const { return Vec<1>{-2 - std::sin(t)}; }
  Boundary boundary() const { return {MatX{{0, 0}}, MatX{{1, 0}}, VecX{{1.45}}}; }
};

int main() {
  const auto solution = bvp::solve(Tanks{}, {.tolerance = 1e-8});
  if (!solution.report.usable()) return std::puts(solution.report.full().c_str()), 1;
  for (double t : {0.0, 1.0, 2.0}) {
    const VecX x = solution.x(t), y = solution.y(t).value();
    std::printf("t = %g: x = (%.7g, %.7g), heater y = %.7g\n", t, x[0], x[1], y[0]);
  }
}
