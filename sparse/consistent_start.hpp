#pragma once
// A start moved onto the constraint 0 = g(x, t), as little as may be in the metric of M.

#include "sparse/sparse_dae.hpp"

namespace daewave::sparse {

struct ConsistentStart {
  VecX x;
  double moved = 0;         ///< Largest change.
  double drift_before = 0;  ///< max |g| of what was given, and of x.
  double drift = 0;
};

/// Solves (M + kappa B G) dx = -kappa B g, again and again with g carried along: the iterates of
/// sequential regularization of the smallest change, which need no full rank of G.
/// @throws InvalidProblem  g cannot be made zero from there, or x has another size.
ConsistentStart consistent_start(const SparseDae& problem, const VecX& x, double t);

}  // namespace daewave::sparse
