#pragma once
// Where a solution is not resolved yet, from two meshes, and the mesh that resolves it.

#include <limits>

#include "bvp/curve/collocation_curve.hpp"

namespace daewave::bvp {

/// What intervals contribute to the error, relative to 1 + the largest value of each component.
struct IntervalErrors {
  VecX x, carried;
};

/// How far two solutions are apart, in that unit.
struct CurveDifference {
  double x = 0;                ///< At nodes and between them.
  double carried = 0;          ///< Within intervals.
  IntervalErrors of_interval;  ///< Of the first curve.
};

/// At nodes of the first curve and at some places between them; both span one interval.
CurveDifference difference(const CollocationCurve& first, const CollocationCurve& second);

/// Bounds of a mesh to choose.
struct MeshBounds {
  double most_growth = 8;  ///< Intervals, in units of those there are; half as many at the least.
  double largest_step = std::numeric_limits<double>::infinity();
};

/// A mesh on which the errors would come to `goal` in every interval, if they fall with the power
/// `order` of the step in what is carried, and one more in x; from one old interval to the next its
/// density changes by a factor of two at the most. [AMR]
/// chapter 9
Mesh equidistributed(const Mesh& mesh, const IntervalErrors& errors, int order, double goal,
                     const MeshBounds& bounds = {});

}  // namespace daewave::bvp
