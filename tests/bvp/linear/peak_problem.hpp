#pragma once
// A linear problem of index 2 whose constraint gives one component a narrow peak.

#include "tests/bvp/linear/random_problem.hpp"

namespace daewave::testing {

/// One free component, and one that the constraint gives a peak; singular where the constraint has
/// no derivative to go by.
inline RandomProblemWithDerivatives with_peak(double at, double width, bool singular = false) {
  RandomProblemWithDerivatives problem;
  problem.n = 2;
  problem.m = 1;
  problem.turning = 1;
  problem.zero_order = singular ? 1 : 0;
  problem.zero_at = 0.4;
  const RandomFunction smooth{.amplitude = 0.6, .frequency = 3, .phase = 2};
  problem.z = {smooth, smooth};
  problem.z[1].feature = RandomFunction::Feature::peak;
  problem.z[1].at = at;
  problem.z[1].width = width;
  problem.z[1].height = -0.55;
  problem.y = {{.amplitude = 0.7, .frequency = 2, .phase = 5}};
  problem.modes = {-1};
  problem.beside = MatX::Constant(1, 2, 0.3);
  problem.oblique = MatX::Constant(1, 1, 0.2);
  problem.rows = problem.columns = {1};
  return problem;
}

/// The same problem at times that are `by` later.
struct Later {
  RandomProblemWithDerivatives of;
  double by = 0;

  Interval interval() const { return {by, by + of.length}; }
  MatX A(double t) const { return of.A(t - by); }
  MatX B(double t) const { return of.B(t - by); }
  MatX C(double t) const { return of.C(t - by); }
  VecX q(double t) const { return of.q(t - by); }
  VecX r(double t) const { return of.r(t - by); }
  Boundary boundary() const { return of.boundary(); }
};

}  // namespace daewave::testing
