#pragma once
// Ordinary equations of the catalogue in lanes of each instruction set.

#include "core/adapt/lane_right_side.hpp"
#include "problems/bent_beams.hpp"
#include "problems/two_point.hpp"

namespace daewave::catalogue {

/// A function for each set; declared of all, compiled where DAEWAVE_LANE_SETS names the set.
template <class P>
struct BoundaryLanes {
  static StructLanes<P> compiled(Sse2);
  static StructLanes<P> compiled(Avx2);
  static StructLanes<P> compiled(Avx512);
};

/// Of the widest set that this machine has.
template <class P>
StructLanes<P> boundary_lanes() {
  return best_of([](auto set) { return BoundaryLanes<P>::compiled(set); });
}

}  // namespace daewave::catalogue
