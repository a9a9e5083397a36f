#pragma once
// Growth of the constraint mode that symmetric schemes do not damp when epsilon << h.
//
// With Q = range of P along the mesh, a symmetric scheme carries a component w of the error with
// w_{i+1} = P_{i+1} w_i (up to sign): parallel transport along range P. It grows where P rotates
// and is oblique; regularization damps it at the rate 2 k (k + 1) epsilon / h^2 for Gauss.

#include "core/constraint_scan.hpp"
#include "core/linear_dae.hpp"
#include "core/mesh.hpp"

namespace daewave::bvp {

struct ParasiticGrowth {
  double logarithm = 0;  ///< Largest log amplification between any two points, damping included.
  double rate = 0;       ///< Largest mean growth rate without damping over the worst stretch.
  double factor() const;
};

/// @param damping_numerator  2 k (k + 1) for Gauss with k stages, 2 k (k - 1) for Lobatto IIIA.
/// @param epsilon            epsilon / alpha2, with alpha1 = 0.
ParasiticGrowth parasitic_growth(const LinearDae& problem, const ConstraintScan& scan,
                                 const Mesh& mesh, double damping_numerator, double epsilon);

/// Smallest epsilon that damps a given rate on a mesh whose largest step is h.
double epsilon_against_growth(double rate, double h, double damping_numerator);

}  // namespace daewave::bvp
