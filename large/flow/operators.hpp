#pragma once
// Differences of order 2 on a staggered grid, of all velocities z, the given ones among them:
//
//   laplacian z      unknowns x velocities; a given velocity along a wall is half a cell away
//   divergence z     cells x velocities
//   convection(z)    div (u u), each product of averages on a face of the volume around a velocity:
//                    it keeps momentum, and energy where the divergence is zero
//
// The gradient of the pressure is minus the transpose of the divergence of unknowns.

#include <array>
#include <vector>

#include "large/flow/staggered_grid.hpp"
#include "sparse/matrix.hpp"

namespace daewave::flow {

/// One product of convection: factor (z[a0] + z[a1]) (z[b0] + z[b1]), added to row.
struct Flux {
  int row;
  double factor;
  std::array<int, 2> a, b;
};

struct Operators {
  sparse::SparseMatrix laplacian;
  sparse::SparseMatrix divergence;
  std::vector<Flux> fluxes;
};

Operators operators_of(const StaggeredGrid& grid);

/// out = convection(z).
void convection(const std::vector<Flux>& fluxes, const VecX& z, int unknowns, VecX& out);

}  // namespace daewave::flow
