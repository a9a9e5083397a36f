// Iterates of sequential regularization in SIMD lanes: a problem of one's own, with the best
// instructions of the machine the program runs on.
//
//   M(q) v' = f(q, v) - G^T lambda,   0 = sin q1 + sin q2,   q = angles of an arm of two bars
//
// f, M and g are templates on the scalar; nothing else is asked for. The file 15_lanes_of_arm.cpp
// is compiled once for each instruction set,
//
//   daewave_add_lanes(my_program 15_lanes_of_arm.cpp)
//
// and best_of() takes one when the program runs. Bits are the same whatever it takes; from the
// order step-local they differ by rounding. The arm folds up from rest; nothing damps it.
//
// Output, numbers within 1e-6 or 1e-9:
//   t     hand on its line  energy kept
//   0.25  yes               yes
//   0.50  yes               yes
#include <cmath>
#include <cstdio>
#include <daewave/ivp.hpp>

#include "examples/15_arm.hpp"

using namespace daewave;

/// Kinetic and potential, of bars that hang from the shoulder, J.
double energy(const VecX& z) {
  const double coupled = std::cos(z[0] - z[1]) * z[2] * z[3] / 2;
  return 2.0 / 3 * z[2] * z[2] + z[3] * z[3] / 6 + coupled + 14.715 * std::sin(z[0]) +
         4.905 * std::sin(z[1]);
}

int main() {
  const auto arm =
      problem_of(ArmWithDerivatives(Arm{}), best_of([](auto set) { return arm_lanes(set); }));
  const ivp::Options options{.method = ivp::Srm{.loops = ivp::InLanes{}}, .h = 1e-3, .every = 250};
  const VecX start = Vec<4>(0.5, -0.5, 0, 0);
  const ivp::Solution motion = ivp::solve(*arm, start, {0, 0.5}, options);
  std::printf("t     hand on its line  energy kept\n");
  for (int i = 1; i < motion.count(); ++i) {
    const VecX z = motion.state(i);
    const bool on_line = std::abs(std::sin(z[0]) + std::sin(z[1])) < 1e-4;
    const bool kept = std::abs(energy(z) - energy(start)) < 1e-2;
    std::printf("%.2f  %-16s  %s\n", motion.t[static_cast<std::size_t>(i)], on_line ? "yes" : "no",
                kept ? "yes" : "no");
  }
  return motion.report.usable() ? 0 : 1;
}
