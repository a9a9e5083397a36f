// A boundary value problem of length 1000 with modes that decay and one that grows like exp(t): no
// integration from one end could carry its error, exp(1000) exceeds the largest number there is.
// The whole interval is solved at once, with conditions at both ends.
//
// The problem is `lin` of the catalogue: four components, one multiplier, a constraint that rotates
// with t, and a known solution.
//
// Output, numbers within 1e-1:
//   length 10: 12 intervals of 4507 bytes
//     errors of x 3.4e-12 and By 8.0e-08
//     3 modes decay, 1 grows like exp(0.90 t), boundary values matter 1.0-fold
//   length 100: 111 intervals of 4504 bytes
//     errors of x 1.8e-11 and By 2.5e-07
//     3 modes decay, 1 grows like exp(0.99 t), boundary values matter 1.0-fold
//   length 1000: 1031 intervals of 4504 bytes
//     errors of x 4.6e-11 and By 4.2e-07
//     3 modes decay, 1 grows like exp(1.00 t), boundary values matter 1.0-fold
#include <algorithm>
#include <cstdio>

#include <daewave/bvp.hpp>
#include <daewave/problems/lin.hpp>

using namespace daewave;

int main() {
  for (double t_end : {10.0, 100.0, 1000.0}) {
    const problems::Lin problem{t_end};
    const auto solution = bvp::solve(problem, {.tolerance = 1e-6});
    if (!solution.report.usable()) return std::puts(solution.report.full().c_str()), 1;
    double x_error = 0, By_error = 0;
    for (int i = 0; i < solution.mesh().intervals(); ++i) {
      const double node = solution.mesh().node(i), stage = solution.stage_time(i, 0);
      const VecX x_gap = solution.x_at_node(i) - problem.x_exact(node);
      const VecX By_gap = solution.By_at_stage(i, 0) - problem.By_exact(stage);
      x_error = std::max(x_error, x_gap.cwiseAbs().maxCoeff());
      By_error = std::max(By_error, By_gap.cwiseAbs().maxCoeff());
    }
    const ConditioningReport& modes = solution.report.conditioning;
    std::printf("length %.0f: %d intervals of %.0f bytes\n", t_end, solution.mesh().intervals(),
                solution.report.linear_solve.bytes_per_interval);
    std::printf("  errors of x %.1e and By %.1e\n", x_error, By_error);
    std::printf("  %d modes decay, %d grows like exp(%.2f t), boundary values matter %.1f-fold\n",
                modes.decaying, modes.growing, modes.fastest_growth, modes.boundary);
  }
}
