#pragma once
// What a run in legs must agree in with the run it goes on from: all that its bits depend on.

#include <string>

#include "core/types.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/checkpointer.hpp"

namespace daewave::ivp {

/// @param problem  its name. @param start  consistent. @param options  with what was chosen for
///                 the method, and with atol.
Settings settings_of(const std::string& problem, const VecX& start, double begin,
                     const Options& options);

}  // namespace daewave::ivp
