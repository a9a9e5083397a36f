#pragma once
// The error of a solution estimated by solving on a mesh of half the step.

#include "bvp/result/solution.hpp"

namespace daewave::bvp {

/// Largest differences of two solutions, relative to 1 + the component's largest value.
struct Difference {
  double x = 0;   ///< At the nodes of the coarse mesh.
  double By = 0;  ///< At stages and ends of the coarse intervals, interpolated.
};

/// @param fine  solved on coarse.mesh().halved().
Difference difference(const Solution& coarse, const Solution& fine);

}  // namespace daewave::bvp
