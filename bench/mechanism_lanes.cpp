// Compiled once for each instruction set, as CMakeLists.txt says.

#include "bench/mechanism_lanes.hpp"

namespace daewave::bench {

MechanismLanes mechanism_lanes(CompiledSimd) {
  return {lanes_of<WithAutodiff<HeavyPendulum>>(), lanes_of<WithAutodiff<LedArm>>(),
          lanes_of<WithAutodiff<SevenBodies>>(), lanes_of<WithAutodiff<Turning>>(),
          lanes_of<WithAutodiff<LooseString>>()};
}

}  // namespace daewave::bench
