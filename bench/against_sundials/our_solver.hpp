#pragma once
// This library as it comes: for regular problems DOP853 with S-both2 after every step.

#include "bench/against_sundials/measurement.hpp"
#include "ivp/solve.hpp"

namespace daewave::bench {

template <Multibody P>
class OurSolver {
 public:
  explicit OurSolver(const P& problem) : problem_(problem) {}

  Outcome run(double tolerance) {
    ivp::Options options;
    options.atol = options.rtol = tolerance;
    options.every = 0;  // As with the others: the end alone, and nothing watched on the way.
    options.multipliers = false;
    options.monitor = false;
    const ivp::Solution solution = ivp::solve(problem_, options);
    const IntegrationReport& report = solution.report.integration;
    return {solution.report.usable(), solution.end(), report.evaluations, 0,
            report.steps + report.rejected};
  }

 private:
  const P& problem_;
};

}  // namespace daewave::bench
