// Compiled once for each instruction set, as CMakeLists.txt says.

#include "tests/ivp/lanes/mechanism_lanes.hpp"

namespace daewave::testing {

MechanismLanes mechanism_lanes(CompiledSimd) {
  return {lanes_of<WithAutodiff<HeavyPendulum>>(),
          lanes_of<WithAutodiff<LedArm>>(),
          lanes_of<LedArmByHand>(),
          lanes_of<WithAutodiff<SevenBodies>>(),
          lanes_of<WithAutodiff<LaneSkate>>(),
          lanes_of<WithAutodiff<Turning>>(),
          lanes_of<WithAutodiff<LooseString>>()};
}

}  // namespace daewave::testing
