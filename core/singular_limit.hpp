#pragma once
// The projector P = B (CB)^-1 C and B (CB)^-1 r at a point where CB is singular, as limits of their
// values on both sides. Both are smooth there when x is.                    [AL1] H1, H2

#include "core/linear_dae.hpp"
#include "core/types.hpp"

namespace daewave {

struct ProjectorLimit {
  MatX P;    ///< nx x nx
  VecX BEr;  ///< nx
  bool finite = false;
  double distance = 0;  ///< d of the formula, in units of t.
};

/// [4 (f(t+d) + f(t-d)) - (f(t+2d) + f(t-2d))] / 6, of error O(d^4); near an end of the interval
/// the cubic extrapolation 4 f(d) - 6 f(2d) + 4 f(3d) - f(4d) from inside.
ProjectorLimit projector_limit(const LinearDae& problem, double t);

}  // namespace daewave
