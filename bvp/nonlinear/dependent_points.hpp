#pragma once
// Times at which constraints become dependent on the way: G B, or G M^-1 G^T, loses its rank there.
// The singular variants pass them ([AL2] section 3), where no stage comes too close: iterates are
// off their constraints by a little, and P turns as fast as they pass.

#include <functional>
#include <vector>

#include "bvp/curve/collocation_curve.hpp"
#include "core/problem/dae_problem.hpp"
#include "core/ranks/mesh_share.hpp"

namespace daewave::bvp {

struct DependentPoint {
  double t = 0;
  double pivot = 0;  ///< Smallest of G B there, relative to its largest on the way.
  double width = 0;  ///< Of the time around t that is close to it, of whatever order the zero is.
};

/// Inside the interval; increasing.
/// @param x        states.
/// @param samples  at which they are looked at, >= 3; minima between them are refined.
std::vector<DependentPoint> dependent_points(const DaeProblem& problem, const Interval& interval,
                                             const std::function<VecX(double t)>& x, int samples);
/// Along a curve of which ranks may have a part each: all of them call it, and know all points.
/// @param share  of its mesh.
std::vector<DependentPoint> dependent_points(const DaeProblem& problem, const Interval& interval,
                                             const CollocationCurve& curve, const MeshShare& share,
                                             int samples);

}  // namespace daewave::bvp
