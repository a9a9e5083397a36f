// Compiled once for each instruction set, by daewave_add_lanes.

#include "examples/15_arm.hpp"

daewave::StructLanes<ArmWithDerivatives> arm_lanes(daewave::CompiledSimd) {
  return daewave::lanes_of<ArmWithDerivatives>();
}
