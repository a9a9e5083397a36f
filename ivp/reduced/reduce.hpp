#pragma once
// Index reduction of any problem with constraints and its curvature; compiled once.

#include <memory>

#include "core/problem/dae_problem.hpp"
#include "ivp/equations/reduction.hpp"
#include "ivp/reduced/reduced_ode.hpp"
#include "ivp/run/tolerance.hpp"

namespace daewave::ivp {

/// How the index is reduced, and what brings a state back to the constraints.
struct Reduction {
  ReductionKind kind = ReductionKind::underlying;
  Stabilization stabilization{};
  double rank_tolerance = 1e-12;  ///< Of the rank guard, relative to the largest entry of G.
  Projection projection{};        ///< Of kind projection,
  Tolerance tolerance{};          ///< with the tolerance for its weights.
  LocalStateSpace state_space{};  ///< Of local_state_space.
};

/// The problem is kept by reference.
/// @throws InvalidOption  see check_reduction().
std::unique_ptr<ReducedOde> reduce(const DaeProblem& problem, const Reduction& how);

namespace detail {

// Parts of it, each compiled by itself; null for a problem that is none of theirs.

/// Sizes in the type.
std::unique_ptr<ReducedOde> reduce_small_multibody(const DaeProblem& problem, const Reduction& how);
/// G of a chain, of joints, or sparse.
std::unique_ptr<ReducedOde> reduce_structured_multibody(const DaeProblem& problem,
                                                        const Reduction& how);
std::unique_ptr<ReducedOde> reduce_any_multibody(const DaeProblem& problem, const Reduction& how);

}  // namespace detail

}  // namespace daewave::ivp
