#pragma once
// What a collocation curve is off its equation between the stages, and off its constraints.

#include "bvp/curve/collocation_curve.hpp"
#include "bvp/nonlinear/iterate_system.hpp"
#include "bvp/residual/unresolved.hpp"
#include "core/problem/dae_problem.hpp"

namespace daewave::bvp {

/// nx rows x' - F(x, t; y); below them, where they are asked for, what F makes of y less y.
class CurveResidual {
 public:
  /// Both are kept by reference.
  CurveResidual(IterateSystem& system, const CollocationCurve& curve, bool with_carried);

  void operator()(int interval, const Places& at, ResidualValues& found);

  /// What is small where errors are to be `tolerance`, relative to 1 + the largest of each
  /// component.
  ResidualLimits limits(double tolerance) const;

 private:
  IterateSystem& system_;
  const CollocationCurve& curve_;
  bool with_carried_;
  VecX slope_, carried_;
};

/// Largest residual of the constraints at nodes, relative to what moves it as far as an error of x
/// does: sum |dg_i/dx_j| (1 + max |x_j|). @param at  receives t of it.
double constraint_excess(const DaeProblem& problem, const CollocationCurve& curve, double& at);

}  // namespace daewave::bvp
