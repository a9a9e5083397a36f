#pragma once
// Runs of a problem of reduced index with fixed steps, and what is asked of their drift.

#include <algorithm>
#include <cmath>
#include <vector>

#include "ivp/equations/reduction.hpp"
#include "ivp/one_step/explicit_rk_step.hpp"
#include "tests/catch.hpp"

namespace daewave::ivp {

/// Reductions that take any formula; but the local state-space form, which changes
/// its unknowns from step to step and has tests of its own.
inline std::vector<ReductionKind> reductions() {
  std::vector<ReductionKind> methods = all_reductions();
  std::erase_if(methods, [](ReductionKind method) {
    return method == ReductionKind::local_state_space ||
           method == ReductionKind::symmetric_projection;
  });
  return methods;
}

/// Rates and metric with which every method does something.
inline Stabilization usual(Metric metric = Metric::mass) {
  Stabilization stabilization;
  stabilization.alpha1 = 4;
  stabilization.alpha0 = 4;
  stabilization.gamma = 2;
  stabilization.metric = metric;
  return stabilization;
}

struct Run {
  VecX end;
  Drift drift;  ///< Largest over all steps.
};

inline Run run(OdeSystem& system, const VecX& z0, Stepper stepper, double t_end, int steps) {
  ExplicitRkStep step(system, tableau(stepper), Tolerance(), false);
  REQUIRE(step.start(0, z0));
  Run result;
  const double h = t_end / steps;
  for (int i = 0; i < steps; ++i) {
    REQUIRE(step.attempt(h) == 0);
    REQUIRE(step.accept());
    const Drift drift = step.drift();
    result.drift.position = std::max(result.drift.position, drift.position);
    result.drift.velocity = std::max(result.drift.velocity, drift.velocity);
  }
  result.end = step.state();
  return result;
}

inline double order_of(double coarse, double fine) { return std::log2(coarse / fine); }

/// An order, unless there is nothing but rounding to see.
inline bool at_least(double order, double coarse, double expected) {
  return coarse < 1e-12 || order > expected - 0.3;
}

}  // namespace daewave::ivp
