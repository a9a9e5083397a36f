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
// order step-local they differ by rounding. What a problem without lanes is told is its last line.
//
// Output, numbers within 1e-6 or 1e-9:
//   t       q1         q2         hand
//   0.50    VALUES
#include <cmath>
#include <cstdio>

#include "core/adapt/problem_of.hpp"
#include "examples/15_arm.hpp"
#include "ivp/solve_lanes.hpp"

using namespace daewave;

int main() {
  const auto arm =
      problem_of(ArmWithDerivatives(Arm{}), best_of([](auto set) { return arm_lanes(set); }));
  ivp::Options options;
  options.h = 1e-3;
  options.every = 500;
  const VecX start = Vec<4>(0.5, -0.5, 0, 0);
  const ivp::Solution motion = ivp::solve_in_lanes(*arm, start, {0, 1.5}, options);
  std::printf("t       q1         q2         hand\n");
  for (int i = 1; i < motion.count(); ++i) {
    const VecX z = motion.state(i);
    std::printf("%.2f  %9.6f  %9.6f  %.0e\n", motion.t[static_cast<std::size_t>(i)], z[0], z[1],
                std::abs(std::sin(z[0]) + std::sin(z[1])));
  }
  return motion.report.usable() ? 0 : 1;
}
