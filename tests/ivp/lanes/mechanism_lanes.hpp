#pragma once
// Lanes of the mechanisms in tests/core/lane_mechanisms.hpp, of each instruction set.

#include "core/adapt/struct_lanes.hpp"
#include "core/derivatives/autodiff.hpp"
#include "tests/core/lane_mechanisms.hpp"

namespace daewave::testing {

/// All of them for one set.
struct MechanismLanes {
  StructLanes<WithAutodiff<HeavyPendulum>> pendulum;
  StructLanes<WithAutodiff<LedArm>> arm;
  StructLanes<LedArmByHand> arm_by_hand;
  StructLanes<WithAutodiff<SevenBodies>> seven;
  StructLanes<WithAutodiff<LaneSkate>> skate;
  StructLanes<WithAutodiff<Turning>> turning;
  StructLanes<WithAutodiff<LooseString>> string;
};

MechanismLanes mechanism_lanes(Sse2);
MechanismLanes mechanism_lanes(Avx2);
MechanismLanes mechanism_lanes(Avx512);

}  // namespace daewave::testing
