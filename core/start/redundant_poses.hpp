#pragma once
// Rows of constraints that may be left out wherever a mechanism goes, of those that may be where it
// stands: rows that imply the others at the start may do so no more in other poses, and may depend
// on each other in some.

#include <vector>

#include "core/problem/dae_problem.hpp"

namespace daewave {

/// Which rows depend on those that are taken before them; of rows that could be, the later ones.
using DependentRows = std::vector<int> (*)(const MatX& G);

/// The directions that are free at the start are followed as straight as constraints allow, the
/// motion that t gives them to the end of the interval; what lies beside these ways is not seen.
///
/// @param redundant  rows, from 0, increasing, that depend on others at the start.
/// @return  as many rows; others where those that are kept then stay farther from dependent. None
///          where rows are needed in another pose, or contradict each other later.
std::vector<int> redundant_in_poses(const DaeProblem& problem, const VecX& q, double t,
                                    const std::vector<int>& redundant, DependentRows dependent);

}  // namespace daewave
