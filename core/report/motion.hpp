#pragma once
// How far each entry of a state moves over a run: what an error is measured by where no tolerance
// was asked for. An angle that grows is as large as one may wait; its motion is what was computed.

#include "core/types.hpp"

namespace daewave {

/// Least and greatest value of each entry, over all states that were seen.
struct Motion {
  VecX least{}, greatest{};

  /// No allocation after the first.
  void see(const double* state, int size) {
    const Eigen::Map<const VecX> seen(state, size);
    if (least.size() != size) {
      least = greatest = seen;
      return;
    }
    least = least.cwiseMin(seen);
    greatest = greatest.cwiseMax(seen);
  }
  VecX range() const { return greatest - least; }
};

}  // namespace daewave
