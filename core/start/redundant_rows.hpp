#pragma once
// Constraints that others imply: a constraint stated twice, more joints than a mechanism needs.
//
// Their rows of G depend on other rows in all states around that the constraints allow; none of
// them is missed. In a singular configuration rows are dependent there alone.

#include <vector>

#include "core/problem/dae_problem.hpp"

namespace daewave {

struct RedundantRows {
  /// Rows, from 0, that depend on others in this state: of those that could be left out the later
  /// ones, where the earlier ones are far from dependent.
  std::vector<int> here;
  /// Those that may be left out here, around, and wherever the ways that are free lead; as many as
  /// depend on others, perhaps not the same.
  std::vector<int> everywhere;
};

/// @param state  (q, v), or x, on the constraints.
/// @throws InvalidProblem  constraints with a structure (Structure::Constraints), or none.
RedundantRows redundant_rows(const DaeProblem& problem, const VecX& state, double t);

}  // namespace daewave
