#pragma once
// A nonlinear boundary value problem: equations, conditions at both ends, a first guess.
//
//   bvp::BoundaryProblem swing{.equations = problem_of(with_autodiff(Pendulum{})),
//                              .interval = {0, 0.4},
//                              .conditions = [](const VecX& left, const VecX& right) { ... }};

#include <functional>
#include <string>

#include "core/problem/dae_problem.hpp"

namespace daewave::bvp {

/// Conditions are as many as entries of x, less those that constraints give at one end: ny of index
/// 2, 2 ny of index 3. States are x, or (q, v). Functions here are called by one thread, those of
/// the equations by all of an executor.
struct BoundaryProblem {
  DaeProblemPtr equations{};  ///< Of any kind, without constraints on velocities and invariants.
  Interval interval{};
  /// They vanish where two states satisfy them.
  std::function<VecX(const VecX& left, const VecX& right)> conditions{};
  std::function<VecX(double t)> guess{};  ///< x at t, where Newton's method starts; open: zero.
  std::function<VecX(double t)> guess_algebraic{};  ///< w of index 1; open: zero.
  std::string name{};                               ///< For reports.
  std::function<VecX(double t)> exact{};            ///< x at t, where it is known; for comparisons.
};

/// "ordinary", "index 1", "index 2" or "index 3".
const char* index_of(Kind kind);

}  // namespace daewave::bvp
