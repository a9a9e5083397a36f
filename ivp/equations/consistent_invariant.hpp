#pragma once
// The start of a DAE with invariants: w with r = 0, and z on h = 0, as given or as the nearest one.

#include <string>
#include <vector>

#include "core/problem/dae_problem.hpp"
#include "ivp/options/options.hpp"

namespace daewave::ivp {

struct InvariantStart {
  VecX z, w;
};

/// @param warnings  gets how far a repair moved z.
/// @throws InvalidProblem for a start off h = 0 by more than start_tolerance, unless repair_start
///         projects it; for sizes that are not the problem's own, h or f that is not finite there,
///         and where r = 0 has no w nearby.
InvariantStart consistent_invariant(const DaeProblem& problem, const VecX& z, const VecX& w,
                                    double t, const Options& options,
                                    std::vector<std::string>& warnings);

}  // namespace daewave::ivp
