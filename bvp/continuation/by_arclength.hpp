#pragma once
// Pseudo-arclength continuation: the parameter is an unknown, steps have a length along the branch,
// and where the parameter turns the fold is found.

#include "bvp/continuation/way.hpp"

namespace daewave::bvp {

/// From the first solution of the way until the parameter is at its end, or where it began.
/// @throws InvalidOption where the interval depends on the parameter.
void follow_by_arclength(Way& way);

}  // namespace daewave::bvp
