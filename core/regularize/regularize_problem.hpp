#pragma once
// From any problem with constraints and a form, both known at run time, to the ordinary problem of
// its iterates; compiled once.

#include <memory>

#include "core/problem/dae_problem.hpp"
#include "core/regularize/regularization.hpp"
#include "core/regularize/regularized_ode.hpp"

namespace daewave {

/// The problem in that form; it is kept by reference.
/// @throws InvalidOption where the problem has no such form, or its numbers are wrong.
/// @throws InvalidProblem for a problem without constraints to differentiate.
std::unique_ptr<RegularizedOde> regularize(const DaeProblem& problem, const Regularization& form);

namespace detail {

// Parts of it, each compiled by itself; null for a problem that is none of theirs.

/// Sizes in the type.
std::unique_ptr<RegularizedOde> regularize_small_multibody(const DaeProblem& problem,
                                                           const Regularization& form);
/// G of a chain, of joints, or sparse.
std::unique_ptr<RegularizedOde> regularize_structured_multibody(const DaeProblem& problem,
                                                                const Regularization& form);
std::unique_ptr<RegularizedOde> regularize_any_multibody(const DaeProblem& problem,
                                                         const Regularization& form);

}  // namespace detail

}  // namespace daewave
