#pragma once
// Mechanisms of the catalogue in lanes of each instruction set.

#include "core/adapt/struct_lanes.hpp"
#include "problems/acpr.hpp"
#include "problems/andrews.hpp"
#include "problems/car_axis.hpp"
#include "problems/pendulum.hpp"

namespace daewave::catalogue {

/// A function for each set; declared of all, compiled where DAEWAVE_LANE_SETS names the set.
template <class P>
struct MechanismLanes {
  static StructLanes<P> compiled(Sse2);
  static StructLanes<P> compiled(Avx2);
  static StructLanes<P> compiled(Avx512);
};

/// Of the widest set that this machine has.
template <class P>
StructLanes<P> mechanism_lanes() {
  return best_of([](auto set) { return MechanismLanes<P>::compiled(set); });
}

}  // namespace daewave::catalogue
