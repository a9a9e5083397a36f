#pragma once
// Which runs are shared out among ranks.

#include "core/ranks/communicator.hpp"
#include "ivp/options/options.hpp"

namespace daewave::ivp {

/// Those of a RankPipeline, by which iterates of a sequential regularization go; null where none
/// do.
const Communicator* ranks_of(const Loops& loops);
const Communicator* ranks_of(const Options& options);

}  // namespace daewave::ivp
