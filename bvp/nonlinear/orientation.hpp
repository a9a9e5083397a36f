#pragma once
// Which way round a branch is at a solution: the sign of the determinant of what collocation
// linearizes there. Along a branch it changes where solutions meet, at folds and where branches
// cross, and nowhere else; a leap across a place where two branches nearly meet changes it, too,
// while tangents at both ends tell nothing of it.

#include "bvp/options/options.hpp"
#include "bvp/result/solution.hpp"
#include "bvp/statement/problem_family.hpp"

namespace daewave::bvp {

/// 1 or -1; 0 where it is not known: of a mesh that ranks share, and of a matrix that is singular
/// or not at hand.
/// @param family   of which `at` is the member at its parameters, which are taken from there.
/// @param options  those it was solved with; no more is asked of them than the form of equations.
int orientation(ProblemFamily family, Options options, const Solution& at);

}  // namespace daewave::bvp
