// The constraint vanishes at t = 1/2: C B = -(1 - 2t)^2, the multiplier y is unbounded there, but x
// and B y pass through smoothly.                                         [AL1] section 5, Example 1
//
//   x1' = -x1 + x2 - sin t,   x2' = (1 - 2t) y,   0 = (1 - 2t) (x1 + x2 - exp(-t) - sin t),
//   x1(1) + x2(0) = 1/e;      x = (exp(-t), sin t),   y = cos t / (1 - 2t).
//
// Elimination of y fails at such a point. Here it is found, named and passed; what stays finite is
// B y, and y is given wherever it exists.
//
// Output, numbers within 1e-6:
//   C B is singular at t = 0.5: vanishing row of C; rank-deficient B, y may be unbounded
//   t = 0.00: x = (1.000000, 0.000000), By = (0.000000, -1.000000), y = 1.000000
//   t = 0.25: x = (0.778801, 0.247404), By = (0.000000, -0.968912), y = 1.937825
//   t = 0.50: x = (0.606531, 0.479426), By = (0.000000, -0.877583), y does not exist
//   t = 0.75: x = (0.472367, 0.681639), By = (0.000000, -0.731689), y = -1.463378
//   t = 1.00: x = (0.367879, 0.841471), By = (0.000000, -0.540302), y = -0.540302
#include <cmath>
#include <cstdio>

#include "bvp/solve.hpp"
#include "problems/al1.hpp"

using namespace daewave;

int main() {
  const auto solution = bvp::solve(problems::Al1Example1{}, {.tolerance = 1e-10});
  if (!solution.report.usable()) return std::puts(solution.report.full().c_str()), 1;
  for (const SingularPoint& point : solution.report.singular_points) {
    std::printf("C B is singular at t = %.6g: %s\n", point.t, point.kind.c_str());
  }
  const auto rounded = [](double value) { return std::abs(value) < 5e-7 ? 0.0 : value; };
  for (double t : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const VecX x = solution.x(t), By = solution.By(t);
    std::printf("t = %.2f: x = (%.6f, %.6f), By = (%.6f, %.6f), ", t, x[0], rounded(x[1]),
                rounded(By[0]), By[1]);
    if (const auto y = solution.y(t)) {
      std::printf("y = %.6f\n", (*y)[0]);
    } else {
      std::printf("y does not exist\n");
    }
  }
}
