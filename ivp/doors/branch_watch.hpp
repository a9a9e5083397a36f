#pragma once
// Who looks at the constraints at all nodes of a run: methods that pass configurations in which
// constraints become dependent without knowing the branch.

#include <memory>

#include "ivp/options/options.hpp"
#include "ivp/reduced/singular_trace.hpp"

namespace daewave::ivp {

/// Null where the method, which was chosen, knows the branch, or nothing is watched.
/// @param start  z at t. @param problem  kept by reference.
std::unique_ptr<SingularTrace> branch_watch(const Method& method, const DaeProblem& problem,
                                            const VecX& start, double t, const Options& options);

}  // namespace daewave::ivp
