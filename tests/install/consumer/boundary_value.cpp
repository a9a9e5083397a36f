// A program outside of the tree that solves a problem of its own with the installed library:
//
//   x1' = x2 - x3 + q1,  x2' = x1 + y + q2,  x3' = y + q3,  0 = x2 + (1 + t) x3 + r  on [0, 3],
//   x1(0) and x1(3) given;   x = (cos t, sin t, exp(-t)),  y = cos 2t.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>

#include "bvp/solve.hpp"

using daewave::Boundary, daewave::Interval, daewave::Mat, daewave::MatX, daewave::Vec;

struct Problem {
  Interval interval() const { return {0, 3}; }
  Mat<3, 3> A(double) const { return Mat<3, 3>{{0, 1, -1}, {1, 0, 0}, {0, 0, 0}}; }
  Vec<3> B(double) const { return {0, -1, -1}; }
  Vec<3> q(double t) const {
    const Vec<3> derivative{-std::sin(t), std::cos(t), -std::exp(-t)};
    return derivative - A(t) * x_exact(t) + B(t) * std::cos(2 * t);
  }
  Mat<1, 3> C(double t) const { return {0, 1, 1 + t}; }
  Vec<1> r(double t) const { return -C(t) * x_exact(t); }
  Boundary boundary() const {
    return {MatX{{1, 0, 0}, {0, 0, 0}}, MatX{{0, 0, 0}, {1, 0, 0}}, Vec<2>{1, std::cos(3.0)}};
  }

  Vec<3> x_exact(double t) const { return {std::cos(t), std::sin(t), std::exp(-t)}; }
};

int main() try {
  const Problem problem;
  const auto solution = daewave::bvp::solve(problem, {.tolerance = 1e-8});
  std::printf("%s\n", solution.report.brief().c_str());
  if (!solution.report.usable()) return 1;
  double x_error = 0, y_error = 0;
  for (int i = 0; i <= 300; ++i) {
    const double t = 0.01 * i;
    x_error = std::max(x_error, (solution.x(t) - problem.x_exact(t)).cwiseAbs().maxCoeff());
    y_error = std::max(y_error, std::abs(solution.y(t).value()[0] - std::cos(2 * t)));
  }
  std::printf("largest error of x %.1e, of y %.1e\n", x_error, y_error);
  // The tolerance is relative to 1 + the largest component; |y| and |B y| are about 2 at most.
  return x_error < 2e-8 && y_error < 4e-8 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "boundary_value: %s\n", error.what());
  return 1;
}
