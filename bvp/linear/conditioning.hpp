#pragma once
// Conditioning and dichotomy of a discretized boundary value problem (Ascher, Mattheij, Russell,
// chapters 3 and 6), estimated with the matrix that is there anyway.

#include <vector>

#include "bvp/curve/component_sizes.hpp"
#include "bvp/linear/discretization.hpp"
#include "core/blocks/checked_solver.hpp"
#include "core/report/report.hpp"

namespace daewave::bvp {

/// Growth of the modes of u_{i+1} = -R_i^-1 S_i u_i, by orthonormalizing along the mesh.
struct ModeGrowth {
  VecX logarithms;            ///< Total log growth per mode, largest first; block size entries.
  double largest = 0;         ///< Largest log growth from the begin to any later node.
  std::vector<double> along;  ///< Log growth of the fastest from the begin to each node.
};
ModeGrowth mode_growth(const BabdMatrix& matrix);

/// kappa_1 by unit perturbations of every boundary row (of up to 8 random combinations for larger
/// blocks), kappa_2 by two random perturbations of the interval rows, and the modes by growth.
/// @param solver  holds the factors of the discretization's matrix.
/// @param right   a right side of the block system. @param solution  its solution.
/// @param sizes   of components of x, in units of which `rounding` is told.
ConditioningReport estimate_conditioning(const Discretization& discretization,
                                         CheckedSolver& solver, const VecX& right,
                                         const VecX& solution, const ComponentSizes& sizes);

/// What residuals in each row of x' = A x - B y + q do to x: see bvp/residual/influences.hpp.
VecX influences_of(const Discretization& discretization, CheckedSolver& solver,
                   const VecX& solution, const ComponentSizes& sizes);

}  // namespace daewave::bvp
