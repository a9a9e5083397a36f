#pragma once
// What can be asked of a nonlinear boundary value solve. Everything left open is chosen.

#include <functional>
#include <optional>
#include <string>

#include "bvp/linear/options.hpp"
#include "core/regularize/form.hpp"
#include "core/time/collocation_scheme.hpp"
#include "core/time/mesh.hpp"

namespace daewave::bvp {

/// Where the constraints that no condition of the problem states are posed.
enum class ConstraintEnd { begin, end };

struct NonlinearOptions {
  /// Wanted error of x and of what is carried, y or B y, relative to 1 + their largest component,
  /// anywhere in the interval; > 0. When it is given, or when neither mesh nor intervals are, the
  /// mesh is refined and its nodes are moved until the estimate is below it.
  std::optional<double> tolerance{};

  std::optional<Scheme> scheme{};
  std::optional<int> stages{};
  std::optional<int> intervals{};  ///< Of a uniform mesh, >= 1; the first one under a tolerance.
  std::optional<Mesh> mesh{};      ///< Must span the interval of the problem.
  std::function<VecX(double t)> guess{};  ///< At x; instead of that of the problem.

  std::optional<Variant> variant{};
  std::optional<Weight> weight{};
  std::optional<double> epsilon{};  ///< > 0.
  std::optional<double> alpha1{};   ///< >= 0.
  std::optional<double> alpha2{};   ///< > 0.
  std::optional<int> iterates{};    ///< >= 1; open: until x changes by less than the tolerance.
  /// Iterates without alpha1 leave y at the begin as it was; with shooting back others that run
  /// from the end repair it on every mesh. Open: where alpha1 = 0 and the number of iterates is
  /// open.
  std::optional<bool> shooting_back{};
  /// The tolerance holds for what is carried too. Open: for y, but not for B y of the singular
  /// variants, which turns fast where constraints become dependent and is found less well there.
  std::optional<bool> control_multiplier{};
  ConstraintEnd constraint_end = ConstraintEnd::begin;  ///< end: with alpha1 > 0 only.

  std::string linear_solver = "auto";               ///< See linear_solver_names().
  int newton_iterations = 40;                       ///< Most of them for each iterate, >= 1.
  int max_intervals = 1 << 16;                      ///< Where refinement gives up.
  std::function<bool(const Progress&)> progress{};  ///< Return false to stop.
};

/// Checks every value that can be checked without the problem. @throws InvalidOption
void check(const NonlinearOptions& options);

}  // namespace daewave::bvp
