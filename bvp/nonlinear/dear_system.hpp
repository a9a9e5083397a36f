#pragma once
// Ordinary differential equations whose calls are dear (core/problem/dear_calls.hpp): the columns
// of a Jacobian by differences are one call for all points and all columns.

#include <memory>

#include "bvp/nonlinear/iterate_system.hpp"
#include "core/problem/dae_problem.hpp"

namespace daewave::bvp {

/// The problem is kept by reference.
std::unique_ptr<IterateSystem> dear_ordinary_system(const DaeProblem& problem);

}  // namespace daewave::bvp
