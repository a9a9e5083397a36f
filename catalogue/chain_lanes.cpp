// Compiled once for each instruction set, as CMakeLists.txt says.

#include "catalogue/chain_lanes.hpp"

namespace daewave::catalogue {

StructLanes<problems::Chain> chain_lanes(CompiledSimd) { return lanes_of<problems::Chain>(); }

}  // namespace daewave::catalogue
