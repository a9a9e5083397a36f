#pragma once
// Natural continuation: steps of the parameter, or of its logarithm.

#include "bvp/continuation/way.hpp"

namespace daewave::bvp {

/// From the first solution of the way to its end, or as far as it goes. By factors each step starts
/// from the last solution itself, else from the line through the last two.
void follow_by_parameter(Way& way);

}  // namespace daewave::bvp
