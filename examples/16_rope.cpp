// A rope of length L hangs between two nails at one height, 1 apart:
//
//   y'' = k sqrt(1 + y'^2),   y(0) = y(1) = 0,   integral of sqrt(1 + y'^2) over [0, 1] = L.
//
// How tight it is, k, its weight over the horizontal pull, is not known beforehand: it is an
// unknown parameter, for which there is one more condition, and that one is an integral. A family
// of problems is a function from parameters to a problem; the rest stays as it is.
//
// The second rope is one whose length is not known, but that it passes a point: a condition inside
// the interval, which makes t = 1/4 a node of every mesh.
//
// The solution is a catenary, y' = sinh(k (t - 1/2)), with L = sinh(k / 2) / (k / 2).
//
// Output, numbers within 1e-8 or 1e-8:
//   length 1.5: k = 3.244262435, lowest at -0.502633262; of the catenary 1.500000000
//   length 3: k = 5.676892760, lowest at -1.334155139; of the catenary 3.000000000
//   through (0.25, -0.300000000): k = 2.671473103, length 1.325048509
#include <cmath>
#include <cstdio>

#include <daewave/bvp.hpp>

using namespace daewave;

struct Rope {
  using State = Vec<2>;
  double k = 1;

  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const { return {x[1], k * std::sqrt(1 + x[1] * x[1])}; }
  VecX conditions(const State& left, const State& right) const { return VecX{{left[0], right[0]}}; }
  State guess(double t) const { return {2 * t * (t - 1), 4 * t - 2}; }
};

bvp::BoundaryProblem rope(double k) {
  bvp::BoundaryProblem problem = bvp::boundary_problem_of(Rope{.k = k});
  problem.integrand = [](const VecX& x, double) { return VecX{{std::sqrt(1 + x[1] * x[1])}}; };
  return problem;
}

double length_of(double k) { return std::sinh(k / 2) / (k / 2); }

int main() {
  bvp::ProblemFamily ropes{.p = VecX{{1.0}}, .names = {"k"}, .unknown = {0}};
  for (const double length : {1.5, 3.0}) {
    ropes.member = [length](const VecX& p) {
      bvp::BoundaryProblem problem = rope(p[0]);
      problem.further_conditions = [length](const bvp::Observed& of) {
        return VecX{{of.integrals[0] - length}};
      };
      return problem;
    };
    const auto solution = bvp::solve(ropes, {.tolerance = 1e-9});
    if (!solution.report.usable()) return std::puts(solution.report.full().c_str()), 1;
    const double k = solution.parameters[0];
    std::printf("length %g: k = %.9f, lowest at %.9f; of the catenary %.9f\n", length, k,
                solution.x(0.5)[0], length_of(k));
  }

  ropes.member = [](const VecX& p) {
    bvp::BoundaryProblem problem = rope(p[0]);
    problem.inside = {0.25};
    problem.further_conditions = [](const bvp::Observed& of) {
      return VecX{{of.inside[0][0] + 0.3}};
    };
    return problem;
  };
  const auto through = bvp::solve(ropes, {.tolerance = 1e-9});
  if (!through.report.usable()) return std::puts(through.report.full().c_str()), 1;
  const double k = through.parameters[0];
  std::printf("through (0.25, %.9f): k = %.9f, length %.9f\n", through.x(0.25)[0], k, length_of(k));
}
