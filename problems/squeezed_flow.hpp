#pragma once
// Flow of a viscous fluid, of which a layer is as thin as the fluid is thin.

#include <string>

#include "core/types.hpp"

namespace daewave::problems {

/// e y'''' = y' y'' - y y''' on [0, 1]; y = y' = 0 at 0, y = 1 and y' = 0 at 1. State (y, y', y'',
/// y''').                                                        [CM] number 32
struct SqueezedFlow {
  using State = Vec<4>;

  double e = 0.1;  ///< > 0; one over the number of Reynolds.

  std::string name() const { return "cash-mazzia-32"; }
  Interval interval() const { return {0, 1}; }
  State f(const State& x, double) const {
    return {x[1], x[2], x[3], (x[1] * x[2] - x[0] * x[3]) / e};
  }
  Vec<4> conditions(const State& left, const State& right) const {
    return {left[0], left[1], right[0] - 1, right[1]};
  }
  State guess(double t) const { return {t, 1, 0, 0}; }
};

}  // namespace daewave::problems
