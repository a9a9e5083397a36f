#pragma once
// Growth of the constraint mode that symmetric schemes do not damp when epsilon << h.
//
// With Q = range of P along the mesh, a symmetric scheme carries a component w of the error with
// w_{i+1} = P_{i+1} w_i (up to sign): parallel transport along range P. It grows where P rotates
// and is oblique; regularization damps it at the rate D = 2 k (k + 1) epsilon / h^2 for Gauss, but
// every sweep feeds the mode of the one before back in:
//
//   w_s' = rate w_s - D (w_s - w_{s-1}),
//
// so that m sweeps amplify by exp((rate - D) t) sum_{j<m} (D t)^j / j!.

#include <vector>

#include "core/problem/linear_dae.hpp"
#include "core/stages/constraint_scan.hpp"
#include "core/time/mesh.hpp"

namespace daewave::bvp {

/// The undamped mode along a mesh, at up to some hundred points of it.
struct ParasiticMode {
  std::vector<double> t;
  std::vector<double> logarithm;  ///< Of its size, from 0 at the first point.
  std::vector<double> step;       ///< h of the mesh there.
};
ParasiticMode parasitic_mode(const LinearDae& problem, const ConstraintScan& scan,
                             const Mesh& mesh);

struct ParasiticGrowth {
  double logarithm = 0;  ///< Largest log amplification between any two points, damping included.
  double rate = 0;       ///< Mean growth rate without damping over the worst stretch.
  double factor() const;
};

/// @param damping_numerator  2 k (k + 1) for Gauss with k stages, 2 k (k - 1) for Lobatto IIIA.
/// @param epsilon            epsilon / alpha2, with alpha1 = 0.
/// @param iterates           sweeps m, >= 1.
ParasiticGrowth parasitic_growth(const ParasiticMode& mode, double damping_numerator,
                                 double epsilon, int iterates);

/// An epsilon / alpha2 that keeps the growth below `limit`, at most half as large again as the
/// smallest one; 0 when none below the step does.
double epsilon_against_growth(const ParasiticMode& mode, double damping_numerator, int iterates,
                              double limit);

}  // namespace daewave::bvp
