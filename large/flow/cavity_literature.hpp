#pragma once
// Velocities on the centre lines of the lid-driven cavity, in units of that of the wall:
//
//   U. Ghia, K. N. Ghia and C. T. Shin, High-Re solutions for incompressible flow using the
//   Navier-Stokes equations and a multigrid method, J. Comput. Phys. 48 (1982) 387-411,
//   tables I (u on x = 1/2) and II (v on y = 1/2), grid of 129 x 129 points.
//
//   O. Botella and R. Peyret, Benchmark spectral results on the lid-driven cavity flow, Comput.
//   Fluids 27 (1998) 421-433, extremes on the same lines, to seven digits.
//
// Digits are those that several public transcriptions agree in. At Re = 100 the table of v is up to
// 0.008 away from the spectral extremes, 3.3 % of the largest v: see docs/errata.md.

#include <optional>
#include <vector>

namespace daewave::flow {

struct GhiaPoint {
  double at = 0;  ///< y of u, x of v.
  double value = 0;
  /// The table has a digit wrong there: not compared with, shown. See docs/errata.md.
  bool misprint = false;
};

struct GhiaProfiles {
  std::vector<GhiaPoint> u, v;
};

/// Of re = 100, 400 and 1000; of others there are none.
std::optional<GhiaProfiles> ghia_profiles(double re);

/// Least u on x = 1/2, largest and least v on y = 1/2.
struct Extremes {
  double u_min = 0, v_max = 0, v_min = 0;
};

/// Of Botella and Peyret, re = 100 and 1000.
std::optional<Extremes> spectral_extremes(double re);

}  // namespace daewave::flow
