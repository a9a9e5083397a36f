#pragma once
// Iterates s = 1, 2, ... of a sequential regularization on one mesh, each a nonlinear boundary
// value problem that starts from the one before:
//
//   y = (1 - theta) y_{s-2} + theta y_{s-1},  theta from 0, where x_{s-1} is the solution, to 1,
//
// in as many steps as Newton's method needs, mostly one.

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "bvp/newton/collocation_newton.hpp"
#include "core/report/report.hpp"

namespace daewave::bvp {

struct IterateControl {
  int most = 10;            ///< Iterates, >= 1.
  bool all = false;         ///< Exactly as many; otherwise until the change is below the tolerance.
  double tolerance = 1e-8;  ///< Of the change of x, in units of the sizes.
  /// Of what is carried, in the same way; infinite where a layer in it stays.
  double carried_tolerance = std::numeric_limits<double>::infinity();
  SolutionSizes sizes{};
  NewtonControl newton{};
  std::function<bool(int iterate)> goes_on{};  ///< Before each; false stops.
};

/// What the iterates came to.
struct IteratesResult {
  NewtonResult newton{};                 ///< The last one; of a failure, that of the iterate.
  std::vector<IterateReport> history{};  ///< Changes of what is carried.
  int newton_iterations = 0;             ///< In all.
  int homotopy_steps = 0;                ///< Beyond one for each iterate.
  bool settled = false;                  ///< Changes fell below the tolerances.
  double change = 0;                     ///< Of x by the last iterate, in that unit.
  /// What x, and what is carried, may still change, as changes fall; in that unit.
  double remaining = 0, carried_remaining = 0;
};

/// @param first   y_0 at the stages.
/// @param values  the guess; receives the last iterate that was found.
IteratesResult newton_iterates(CollocationNewton& newton, int intervals, const MatX& first,
                               const IterateControl& control, CollocationValues& values);

}  // namespace daewave::bvp
