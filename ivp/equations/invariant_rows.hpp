#pragma once
// The invariants 0 = h(t, z) that are kept, and the entries of z that are moved for them: a block
// of H = dh/dz.

#include "ivp/equations/dae_system.hpp"
#include "ivp/options/projection.hpp"

namespace daewave::ivp {

struct InvariantRows {
  int row = 0, rows = 0;        ///< The first one, and how many.
  int column = 0, columns = 0;  ///< Of the entries of z.
};

/// Positions are moved for invariants on their level alone, velocities for those on theirs, and all
/// for both.
/// @throws InvalidOption for the level of velocities where there is none.
InvariantRows invariant_rows(const DaeSystem& system, Onto onto);

}  // namespace daewave::ivp
