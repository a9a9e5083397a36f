// Compiled once for each instruction set, by daewave_add_lanes.

#include <arm.hpp>

daewave::StructLanes<ArmWithDerivatives> arm_lanes(daewave::CompiledSimd) {
  return daewave::lanes_of<ArmWithDerivatives>();
}
