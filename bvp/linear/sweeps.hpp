#pragma once
// The loop of the sequential regularization: one factorization, one sweep per iterate.

#include <memory>

#include "bvp/curve/component_sizes.hpp"
#include "bvp/linear/discretization.hpp"
#include "bvp/options/options.hpp"
#include "bvp/result/solution.hpp"
#include "core/time/waveform.hpp"

namespace daewave::bvp {

/// When sweeping ends.
struct SweepControl {
  int most = 3;          ///< Iterates at most.
  double tolerance = 0;  ///< End when the change is below tolerance (1 + max |B y|); 0: never.
  bool until_stalled = false;  ///< End when the change no longer falls.
  bool conditioning = true;    ///< Estimate it, and dichotomy.
  SolutionSizes sizes{};       ///< Where they are given, changes are measured row by row in them.
};

/// Runs the iterates on a condensed problem and fills the report's history, linear solve and
/// seconds.
///
/// @param problem   kept by the solution for its dense output.
/// @return          values unless the matrix is singular or a number is not finite; the report's
///                  termination and message tell.
Solution run_sweeps(std::shared_ptr<const LinearDae> problem, const Discretization& discretization,
                    const Waveform& By_0, const Options& options, const SweepControl& control,
                    Report report);

}  // namespace daewave::bvp
