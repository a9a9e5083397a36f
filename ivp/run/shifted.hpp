#pragma once
// What dense output makes of a correction of the end of a step.

namespace daewave::ivp {

/// What stabilization adds to the end of a step comes in smoothly, with the slopes at both ends
/// kept: that part of it at theta.
inline double shifted(double theta) { return theta * theta * (3 - 2 * theta); }

}  // namespace daewave::ivp
