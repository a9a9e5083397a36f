#pragma once
// Where a solution is not resolved yet, from two meshes, and the mesh that resolves it.

#include "bvp/nonlinear/collocation_curve.hpp"

namespace daewave::bvp {

/// How far two solutions are apart, relative to 1 + the largest value of each component.
struct CurveDifference {
  double x = 0;        ///< At nodes and between them.
  double carried = 0;  ///< Within intervals.
  VecX x_of_interval;  ///< Of the coarse mesh.
  VecX carried_of_interval;
};

/// @param fine  on coarse.mesh().halved().
CurveDifference difference(const CollocationCurve& coarse, const CollocationCurve& fine);

/// A mesh on which the difference would come to `goal` in every interval, if it falls with the
/// power k + 1 of the step in x and k in what is carried. Between half and `most_growth` times as
/// many intervals, neighbours of similar length.                                   [AMR] chapter 9
Mesh equidistributed(const Mesh& mesh, const CurveDifference& difference, int stages, double goal,
                     double most_growth);

}  // namespace daewave::bvp
