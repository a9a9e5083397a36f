// An iteration that starts with y_0 = 0 is wrong at t = 0, where y is not 0, and stays wrong there
// for a few epsilon: the initial layer. Behind it all is accurate, so the solution is followed back
// from the far end, and the forward solve repeated with what that gives.   [AL1] section 4.1, (4.5)
//
// The problem is that of 02_singular_constraint, with the settings of Tables 5.1 and 5.2 of [AL1]:
// midpoint scheme, 100 intervals, epsilon = 0.01, 3 iterates. The errors of the forward and the
// backward pass stand there as .30, .18e-2, .26e-4 and .10e-3, .85e-4, .52e-4.
//
// Output, numbers within 2e-3:
//   forward:  error of By 2.98e-01 at t = 0.005, 1.80e-03 at t = 0.095, 2.56e-05 at t = 0.295
//   backward: error of By 1.04e-04 at t = 0.005, 8.45e-05 at t = 0.095, 5.24e-05 at t = 0.295
//   redone:   error of By 1.77e-03 at t = 0.005, 2.37e-05 at t = 0.095, 1.86e-05 at t = 0.295
#include <cmath>
#include <cstdio>

#include <daewave/bvp.hpp>
#include <daewave/problems/al1.hpp>

using namespace daewave;

void show(const char* pass, const bvp::Solution& solution) {
  std::printf("%-9s error of By", pass);
  const char* separator = "";
  for (int interval : {0, 9, 29}) {
    const double t = solution.stage_time(interval, 0);
    const VecX error = solution.By_at_stage(interval, 0) - problems::Al1Example1{}.By_exact(t);
    std::printf("%s %.2e at t = %.3f", separator, error.cwiseAbs().maxCoeff(), t);
    separator = ",";
  }
  std::printf("\n");
}

int main() {
  bvp::Options options;
  options.scheme = Scheme::midpoint;
  options.intervals = 100;
  options.epsilon = 0.01;
  options.iterates = 3;
  // As in the paper: x(1) is made consistent by its first component alone, and B y_0 of the last
  // solve is that of the backward pass up to the end, where that pass has a layer of its own.
  const bvp::ShootingBackOptions paper{.correct_along = MatX{{1}, {0}}, .blend = false};
  const bvp::ShootingBack result =
      bvp::solve_with_shooting_back(problems::Al1Example1{}, options, paper);
  show("forward:", result.forward);
  show("backward:", result.backward);
  show("redone:", result.redone);
  return result.redone.report.usable() ? 0 : 1;
}
