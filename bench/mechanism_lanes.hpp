#pragma once
// Lanes of the problems in bench/lane_mechanisms.hpp, of each instruction set.

#include "bench/lane_mechanisms.hpp"
#include "core/adapt/struct_lanes.hpp"
#include "core/derivatives/autodiff.hpp"

namespace daewave::bench {

/// All of them for one set.
struct MechanismLanes {
  StructLanes<WithAutodiff<HeavyPendulum>> pendulum;
  StructLanes<WithAutodiff<LedArm>> arm;
  StructLanes<WithAutodiff<SevenBodies>> seven;
  StructLanes<WithAutodiff<Turning>> turning;
  StructLanes<WithAutodiff<LooseString>> string;
};

MechanismLanes mechanism_lanes(Sse2);
MechanismLanes mechanism_lanes(Avx2);
MechanismLanes mechanism_lanes(Avx512);

}  // namespace daewave::bench
