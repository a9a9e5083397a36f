#pragma once
// Boundary conditions B0 x(begin) + B1 x(end) = beta, and which end each of them belongs to.

#include "core/types.hpp"

namespace daewave {

/// nx - ny conditions of a boundary value DAE; the constraint at `begin` gives the other ny. Of an
/// ordinary equation there are nx.
struct Boundary {
  MatX B0;    ///< conditions x nx
  MatX B1;    ///< conditions x nx
  VecX beta;  ///< conditions
};

/// Conditions at the left end only: x(begin) = value for the rows of B0.
inline Boundary initial_conditions(const MatX& B0, const VecX& beta) {
  return {B0, MatX::Zero(B0.rows(), B0.cols()), beta};
}

/// Where a single condition acts.
enum class ConditionSide { left, right, coupled };

/// @param row  of B0 and B1; a row that is zero in both counts as left.
ConditionSide side_of(const Boundary& boundary, int row);

/// Checks shapes, finiteness and rank of the conditions together with the constraint at `begin`.
///
/// @param C0  C at the begin of the interval, ny x nx.
/// @throws InvalidProblem for too few or too many conditions, wrong shapes, entries that are not
///         finite, or conditions that depend on each other.
void check_boundary(const Boundary& boundary, const MatX& C0, double begin);

}  // namespace daewave
