// A mode that grows fast, and the conditions put its layer at the right end:
//
//   x1' = lambda (x1 - sin t) + cos t,   x2' = -x1 - y,   0 = x2 - cos t  on [0, 1],
//   x1(0) + x1(1) = sin 1 + 1 + exp(-lambda);      lambda = 1000,
//   x1 = sin t + exp(lambda (t - 1)),   x2 = cos t,   y = sin t - x1.
//
// Where h lambda is large, radau takes the growing mode for a decaying one and draws the layer at
// the left end: smooth, plausible and wrong. The report warns of it. Gauss on the same mesh has the
// layer at its place; and where the mesh is left open, it starts fine enough. docs/over-damping.md
//
// Output, numbers within 1e-3 or 1e-8:
//   radau, 40 intervals: converged
//     warning: radau may take a growing mode for a decaying one: growth rate 1e+03 times h = 0.025
//         is 25 > 2.96; use gauss, or at least 338 intervals
//     x1(0.0) = 1.00000, exact 0.00000
//     x1(0.5) = 0.47943, exact 0.47943
//     x1(1.0) = 0.84147, exact 1.84147
//   gauss, 40 intervals: converged
//     x1(0.0) = 0.00000, exact 0.00000
//     x1(0.5) = 0.47943, exact 0.47943
//     x1(1.0) = 1.84147, exact 1.84147
//   the solver's choice, 1024 intervals: converged
//     x1(0.0) = 0.00000, exact 0.00000
//     x1(0.5) = 0.47943, exact 0.47943
//     x1(1.0) = 1.84147, exact 1.84147
#include <cmath>
#include <cstdio>

#include <daewave/bvp.hpp>

using namespace daewave;

struct Layer {
  double lambda = 1000;

  Interval interval() const { return {0, 1}; }
  Mat<2, 2> A(double) const { return Mat<2, 2>{{lambda, 0}, {-1, 0}}; }
  Vec<2> B(double) const { return {0, 1}; }
  Vec<2> q(double t) const { return {std::cos(t) - lambda * std::sin(t), 0}; }
  Mat<1, 2> C(double) const { return {0, 1}; }
  Vec<1> r(double t) const { return Vec<1>{-std::cos(t)}; }
  Boundary boundary() const {
    return {MatX{{1, 0}}, MatX{{1, 0}}, VecX{{std::sin(1.0) + 1 + std::exp(-lambda)}}};
  }

  Vec<2> x_exact(double t) const { return {std::sin(t) + std::exp(lambda * (t - 1)), std::cos(t)}; }
};

void show(const char* name, const bvp::Options& options) {
  const Layer problem;
  const auto solution = bvp::solve(problem, options);
  std::printf("%s, %d intervals: %s\n", name, solution.mesh().intervals(),
              name_of(solution.report.termination));
  for (const std::string& warning : solution.report.warnings) {
    std::printf("  warning: %s\n", warning.c_str());
  }
  for (double t : {0.0, 0.5, 1.0}) {
    const double x1 = std::round(1e5 * solution.x(t)[0]) / 1e5 + 0.0;  // No "-0".
    std::printf("  x1(%.1f) = %.5f, exact %.5f\n", t, x1, problem.x_exact(t)[0]);
  }
}

int main() {
  show("radau", {.scheme = Scheme::radau, .stages = 3, .intervals = 40});
  show("gauss", {.scheme = Scheme::gauss, .stages = 3, .intervals = 40});
  show("the solver's choice", {.tolerance = 1e-6});
}
