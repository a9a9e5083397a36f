#pragma once
// This library as it comes: its default method, on the problem as the catalogue has it, in the
// lanes of this machine.

#include <string>
#include <utility>

#include "bench/against_sundials/measurement.hpp"
#include "catalogue/initial_value_catalogue.hpp"
#include "ivp/solve.hpp"

namespace daewave::bench {

class OurSolver {
 public:
  OurSolver(catalogue::InitialValueProblemPtr problem, Interval interval)
      : problem_(std::move(problem)), interval_(interval) {}

  Outcome run(double tolerance) const {
    ivp::Options options;
    options.atol = options.rtol = tolerance;
    options.every = 0;  // As with the others: the end alone, and nothing watched on the way.
    options.multipliers = false;
    options.monitor = false;
    const ivp::Solution solution = problem_->solve(interval_, options);
    const IntegrationReport& report = solution.report.integration;
    return {solution.report.usable(), solution.end(), report.evaluations, 0,
            report.steps + report.rejected};
  }

 private:
  catalogue::InitialValueProblemPtr problem_;
  Interval interval_;
};

}  // namespace daewave::bench
