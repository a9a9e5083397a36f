#pragma once
// Where a solution is not resolved yet, from two meshes, and the mesh that resolves it.

#include <limits>
#include <vector>

#include "bvp/curve/collocation_curve.hpp"
#include "bvp/curve/component_sizes.hpp"
#include "bvp/result/solution.hpp"

namespace daewave::bvp {

/// What intervals contribute to the error, in units of the sizes of components.
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
/// @param sizes  what it is measured by, of the second curve.
CurveDifference difference(const CollocationCurve& first, const CollocationCurve& second,
                           const SolutionSizes& sizes = {});

/// The same of solutions whose meshes ranks may share: all of them call it, and know the whole. Of
/// a mesh that was given both have the same.
CurveDifference difference(const Solution& first, const Solution& second,
                           const SolutionSizes& sizes);
/// @param share, share_of_second  of their meshes.
CurveDifference difference(const CollocationCurve& first, const MeshShare& share,
                           const CollocationCurve& second, const MeshShare& share_of_second,
                           const SolutionSizes& sizes);

/// Bounds of a mesh to choose.
struct MeshBounds {
  double least_growth = 0.2, most_growth = 8;  ///< Intervals, in units of those there are.
  double largest_step = std::numeric_limits<double>::infinity();
};

/// A mesh on which the errors would come to `goal` in every interval, if they fall with the power
/// `order` of the step in what is carried, and one more in x; from one old interval to the next its
/// density changes by a factor of two at the most. [AMR]
/// chapter 9
Mesh equidistributed(const Mesh& mesh, const IntervalErrors& errors, int order, double goal,
                     const MeshBounds& bounds = {});

/// A time that no node and no stage may come close to.
struct KeptAway {
  double t = 0;
  double least_step = 0;  ///< Of the interval around it.
};

/// The mesh with each of these inside an interval: that of the mesh, or one of the least step,
/// whose stages have the time in the middle of the widest gap between them.
/// @param away   increasing.
/// @param fixed  increasing nodes of the mesh that stay where they are: they bound that interval,
///               and nothing is kept away from a time that is one of them.
Mesh kept_away(const Mesh& mesh, const Collocation& scheme, const std::vector<KeptAway>& away,
               const std::vector<double>& fixed = {});

}  // namespace daewave::bvp
