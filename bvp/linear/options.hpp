#pragma once
// What can be asked of a boundary value solve. Everything left open is chosen by the solver.

#include <functional>
#include <optional>
#include <string>

#include "core/regularize/weight.hpp"
#include "core/threads/executor.hpp"
#include "core/time/collocation_scheme.hpp"
#include "core/time/mesh.hpp"
#include "core/time/waveform.hpp"

namespace daewave::bvp {

/// How a stage at which CB is singular is passed.
enum class SingularHandling {
  automatic,  ///< Symmetric limits.
  limits,     ///< P and B (CB)^-1 r as limits from both sides; the mesh stays as it is.
  move_node,  ///< A node of the interval is moved by a quarter of the step.
};

const char* name_of(SingularHandling handling);

/// @throws InvalidOption naming the known ways.
SingularHandling singular_handling_named(const std::string& name);

/// How far a long solve has come.
struct Progress {
  std::string phase;    ///< "condense", "iterate 2", ...
  double fraction = 0;  ///< Of this phase, 0 to 1.
  int intervals = 0;    ///< Of the mesh in work.
};

/// Designated initializers are given in the order of the members: {.tolerance = 1e-8, .stages = 4}.
struct Options {
  /// Wanted error of x and B y relative to 1 + their largest component; > 0. When it is given, or
  /// when neither mesh nor intervals are, the mesh is refined until the estimate is below it.
  std::optional<double> tolerance{};

  std::optional<Scheme> scheme{};
  std::optional<int> stages{};     ///< Of the scheme; see stage_range().
  std::optional<int> intervals{};  ///< Of a uniform mesh, >= 1; the first one under a tolerance.
  std::optional<Mesh> mesh{};      ///< Must span the interval of the problem.

  std::optional<double> epsilon{};  ///< > 0.                                    [AL1] (3.15)
  std::optional<double> alpha1{};   ///< >= 0; above 0 needs C_t and r_t.        [AL1] (3.15)
  std::optional<double> alpha2{};   ///< > 0.
  std::optional<Weight> weight{};   ///< E.
  double delta = 1e-6;              ///< Of Weight::shifted.
  std::optional<int> iterates{};    ///< >= 1; open: until the change is below the tolerance.
  Waveform By_0{};                  ///< Initial iterate B y_0; zero unless given.

  std::string linear_solver = "auto";  ///< See linear_solver_names().
  /// Of parallel_block, which "auto" takes where they are given; >= 1, at most one per interval.
  /// Open: as many as serve the matrix. Results depend on them, to rounding, but on no threads.
  std::optional<int> partitions{};
  SingularHandling singular = SingularHandling::automatic;

  /// Largest accepted amplification of the constraint mode that symmetric schemes do not damp; a
  /// solve that exceeds it is refused (or, where the scheme is open, done with another scheme).
  double max_parasitic_growth = 100;
  /// Largest accepted amplification of the terminal value problem in shooting_back().
  double max_amplification = 1e6;
  int max_intervals = 1 << 21;  ///< Where refinement gives up.

  bool conditioning = true;  ///< Estimate conditioning and dichotomy.
  /// Of condensation, residuals and parallel_block, which "auto" takes for large matrices where
  /// there is one; null: serial. Not owned.
  const Executor* executor = nullptr;
  std::function<bool(const Progress&)> progress{};  ///< Return false to stop.
};

/// Checks every value that can be checked without the problem. @throws InvalidOption
void check(const Options& options);

}  // namespace daewave::bvp
