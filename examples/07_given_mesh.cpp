// A solution that is steep near t = 0, and a mesh that knows it:
//
//   x1' = -lambda (x1 - sin t) + cos t,   x2' = -x1 - y,   0 = x2 - cos t  on [0, 1],
//   x1(0) - x1(1) = 1 - sin 1 - exp(-lambda);      lambda = 1000,
//   x1 = sin t + exp(-lambda t),   x2 = cos t,   y = sin t - x1.
//
// Without a tolerance the mesh is taken as it is, and a graded one is far better. With one the
// solver finds the layer from either.
//
// Output, numbers within 1e-1 or 1e-12:
//   uniform: converged on 64 intervals, error of x 3.4e-02
//   graded:  converged on 64 intervals, error of x 5.3e-10
//   uniform: converged on 112 intervals, error of x 6.4e-11
//   graded:  converged on 117 intervals, error of x 3.0e-11
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <daewave/bvp.hpp>

using namespace daewave;

struct Layer {
  double lambda = 1000;

  Interval interval() const { return {0, 1}; }
  Mat<2, 2> A(double) const { return Mat<2, 2>{{-lambda, 0}, {-1, 0}}; }
  Vec<2> B(double) const { return {0, 1}; }
  Vec<2> q(double t) const { return {std::cos(t) + lambda * std::sin(t), 0}; }
  Mat<1, 2> C(double) const { return {0, 1}; }
  Vec<1> r(double t) const { return Vec<1>{-std::cos(t)}; }
  Boundary boundary() const {
    return {MatX{{1, 0}}, MatX{{-1, 0}}, VecX{{1 - std::sin(1.0) - std::exp(-lambda)}}};
  }

  Vec<2> x_exact(double t) const { return {std::sin(t) + std::exp(-lambda * t), std::cos(t)}; }
};

/// Steps that grow geometrically from 0; the last is about exp(grading) times the first.
Mesh graded_mesh(int intervals, double grading) {
  std::vector<double> nodes(intervals + 1);
  for (int i = 0; i <= intervals; ++i) {
    nodes[i] = std::expm1(grading * i / intervals) / std::expm1(grading);
  }
  return Mesh(nodes);
}

void show(const char* name, const bvp::Options& options) {
  const Layer problem;
  const auto solution = bvp::solve(problem, options);
  double error = 0;
  for (int i = 0; i <= solution.mesh().intervals(); ++i) {
    const VecX exact = problem.x_exact(solution.mesh().node(i));
    error = std::max(error, (solution.x_at_node(i) - exact).cwiseAbs().maxCoeff());
  }
  std::printf("%-8s %s on %d intervals, error of x %.1e\n", name,
              name_of(solution.report.termination), solution.mesh().intervals(), error);
}

int main() {
  show("uniform:", {.stages = 4, .mesh = uniform_mesh(0, 1, 64)});
  show("graded:", {.stages = 4, .mesh = graded_mesh(64, 9)});
  show("uniform:", {.tolerance = 1e-8, .stages = 4, .mesh = uniform_mesh(0, 1, 16)});
  show("graded:", {.tolerance = 1e-8, .stages = 4, .mesh = graded_mesh(16, 9)});
}
