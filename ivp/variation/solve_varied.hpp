#pragma once
// A run and the equations of first order around it, by the method and formula of the run.

#include <array>
#include <vector>

#include "core/problem/dae_problem.hpp"
#include "ivp/doors/method_choice.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/solution.hpp"
#include "ivp/variation/difference_step.hpp"

namespace daewave::ivp {

/// What is varied.
struct Variation {
  VecX unit;     ///< What counts as a move of one of each entry of the state, > 0; nz.
  MatX columns;  ///< At the start, along the constraints: of directions, then of parameters.
  int starts = 0;
  DifferenceStep step;                            ///< Of the state.
  std::vector<DifferenceStep> parameter_steps{};  ///< Of each parameter.
  /// For each parameter the problem where it is moved by -2, -1, 1, 2 times the part.
  std::vector<std::array<DaeProblemPtr, 4>> moved;
};

/// Why a method has no such equations here; empty where it has.
std::string no_variation(const Method& chosen);

/// The state is (z, columns); what is given out is the end. Events are not looked at.
///
/// Entries of columns are held to the tolerances of those of z: scale them alike.
/// @param start   consistent. @param chosen  of which no_variation() is empty.
/// @param options  checked; with tolerances of z, fixed h and restart_times.
Solution solve_varied(const DaeProblem& problem, const VecX& start, const Interval& span,
                      const MethodChoice& chosen, const Options& options,
                      const Variation& variation);

}  // namespace daewave::ivp
