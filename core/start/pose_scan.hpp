#pragma once
// Poses of a mechanism in which its constraints depend on each other, looked for along the ways
// that the constraints leave, at one time: those that a motion does not pass too.

#include <vector>

#include "core/problem/dae_problem.hpp"

namespace daewave {

struct SingularPose {
  VecX q;
  int rank = 0;  ///< Of G, of the rows of constraints on positions.
};

struct PoseScan {
  std::vector<SingularPose> poses;  ///< Each once, however often it is passed.
  int directions = 0;               ///< In which it went, forward and backward; 0: none was free.
  VecX units;                       ///< Of the coordinates: as large as the mechanism is.
};

/// Each direction that is free at the start is followed as straight as the constraints allow, for
/// about three turns of a crank. A pose beside these ways is not seen.
/// @param state  (q, v) on the constraints. @return  no direction for more than 100 coordinates,
/// for
///               constraints with a structure and for problems that are no mechanism.
PoseScan scan_poses(const DaeProblem& problem, const VecX& state, double t);

}  // namespace daewave
