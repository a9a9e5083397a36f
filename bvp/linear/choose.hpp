#pragma once
// The settings a user left open: scheme, stages, regularization, first mesh, each with its reason.

#include <limits>
#include <memory>
#include <vector>

#include "bvp/linear/sweeps.hpp"
#include "bvp/options/options.hpp"
#include "core/problem/linear_dae.hpp"
#include "core/report/report.hpp"
#include "core/stages/constraint_scan.hpp"

namespace daewave::bvp {

/// Of the constraint mode that symmetric schemes do not damp.
inline constexpr double default_max_parasitic_growth = 100;

/// What a solve will run with.
struct Chosen {
  Setting setting;
  SweepControl control;
  bool shooting_back = false;  ///< Where a layer is left.
  double tolerance = 0;        ///< 0: none; the mesh is taken as it is.
  SolutionSizes sizes{};       ///< In units of which errors are compared with it.
  int max_intervals = 1 << 21;
  double bytes_per_interval = 0;  ///< About.
  double max_parasitic_growth = default_max_parasitic_growth;
  /// Of meshes chosen: what was settled for the first one holds for them too.
  double largest_step = std::numeric_limits<double>::infinity();
  double least_decay = 0;   ///< Rate of constraint errors, where alpha2 is open: see open_alpha2().
  double fastest_mode = 0;  ///< Largest growth rate of the underlying ODE at samples, >= 0; of
                            ///< schemes that damp.
  double parasitic_growth = 1;
  std::vector<Choice> choices;
  std::vector<std::string> warnings;
  std::string refusal;  ///< Not empty: the solve would be wrong; why, and the way out.
};

/// Why a solve on a mesh with these settings may take growing modes for decaying ones, or nothing:
/// schemes that damp do so whichever way a mode much faster than the step goes. [AL1] Remark 4.1
std::string over_damping(const Chosen& chosen, const Mesh& mesh);

/// alpha2 on a mesh (of all ranks), where it was left open: with alpha1 > 0 constraint errors decay
/// within a unit of time, but within the interval, and no faster than within a quarter of the
/// largest step, as stages would not resolve that. So the unit of t does not matter.
/// @param least_decay  a rate that is not too fast for any mesh.
double open_alpha2(double alpha1, const Mesh& mesh, double least_decay);

/// @throws InvalidOption for options that cannot be combined with each other or with the problem.
Chosen choose(const LinearDae& problem, const Options& options, const ConstraintScan& scan);

}  // namespace daewave::bvp
