#pragma once
// The projector P = B (CB)^-1 C and B (CB)^-1 r at a point where CB is singular, as limits of their
// values on both sides. Both are smooth there when x is.                    [AL1] H1, H2

#include "core/problem/linear_dae.hpp"
#include "core/types.hpp"

namespace daewave {

struct ProjectorLimit {
  MatX P;    ///< nx x nx
  VecX BEr;  ///< nx
  bool finite = false;
  double distance = 0;     ///< d of the formula, in units of t.
  double uncertainty = 0;  ///< Difference to the limit taken with the next larger d.
};

/// [15 (f(t+d) + f(t-d)) - 6 (f(t+2d) + f(t-2d)) + f(t+3d) + f(t-3d)] / 20, of error O(d^6); near
/// an end of the interval the extrapolation of the same order from inside. The formula's error
/// falls with d and rounding grows, so d is the one of several, from small to large, at which
/// neighbouring results agree best; of larger ones that agree again, but on something else, none.
ProjectorLimit projector_limit(const LinearDae& problem, double t);

}  // namespace daewave
