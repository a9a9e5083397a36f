#pragma once
// Runs of problems in which structure was found (core/adapt/found_structure.hpp).

#include <functional>

#include "core/problem/dae_problem.hpp"
#include "ivp/options/options.hpp"
#include "ivp/run/solution.hpp"

namespace daewave::ivp {

/// By what was found in the problem, or as it was stated where that leads nowhere: linear algebra
/// of a structure takes rows for independent that dense linear algebra tells from dependent ones.
/// The report tells which. Where a run cannot be made again, as it was stated.
/// @param solve  of a problem, with options.
Solution solve_by_structure(
    const DaeProblem& problem, const Options& options,
    const std::function<Solution(const DaeProblem&, const Options&)>& solve);

}  // namespace daewave::ivp
