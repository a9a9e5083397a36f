#pragma once
// From a regularized problem, a DAE of index 1 or an ordinary equation to what collocation sees.

#include <memory>

#include "bvp/equations/iterate_system.hpp"
#include "core/problem/dae_problem.hpp"
#include "core/regularize/regularization.hpp"

namespace daewave::bvp {

/// One iterate of a sequential regularization; the problem is kept by reference.
/// @throws InvalidOption where the problem has no such form.
std::unique_ptr<IterateSystem> iterate_system(const DaeProblem& problem,
                                              const Regularization& form);

/// An ordinary differential equation; kept by reference.
std::unique_ptr<IterateSystem> ordinary_system(const DaeProblem& problem);

/// A DAE of index 1: w is solved for at each point, by Newton's method from the w found there last.
/// The problem is kept by reference.
std::unique_ptr<IterateSystem> implicit_system(const DaeProblem& problem);

}  // namespace daewave::bvp
