#pragma once
// A mesh for Newton's method to start on, where it does not get on from a coarse one.

#include <vector>

#include "bvp/equations/iterate_system.hpp"
#include "bvp/nonlinear/nonlinear_problem.hpp"
#include "core/time/mesh.hpp"

namespace daewave::bvp {

/// The mesh with nodes where the equations along the guess are steep, or turn fast.
/// @param fixed    nodes that stay. @param samples  at least, at which the equations are looked at.
Mesh resolving_guess(const NonlinearProblem& problem, IterateSystem& system, const Mesh& mesh,
                     const std::vector<double>& fixed, int samples);

}  // namespace daewave::bvp
