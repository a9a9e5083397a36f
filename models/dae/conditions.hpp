#pragma once
// Boundary conditions of a DAE in a model file: "x(0) - 1", "x(1) - 2*y'(0)", also inside.

#include <functional>
#include <vector>

#include "core/types.hpp"
#include "models/dae/statement.hpp"

namespace daewave::models {

struct BoundaryConditions {
  /// They vanish where the states satisfy them: at the begin, at the end, and at `inside`.
  std::function<VecX(const VecX& left, const VecX& right, const std::vector<VecX>& inside)>
      residual{};
  std::vector<double> inside{};  ///< Increasing.
  int count = 0;
  // Functions of t; empty where the file says nothing.
  std::function<VecX(double t)> guess{}, guess_algebraic{}, exact{};
};

/// @throws ModelError  a name that is no state, a t outside of the interval.
BoundaryConditions boundary_conditions(const DaeStatement& statement, const TextSource& source,
                                       const Parameters& parameters, const Interval& interval);

/// x at t as [dae.exact] says; empty where it does not. @throws ModelError
std::function<VecX(double t)> exact_solution(const DaeStatement& statement,
                                             const TextSource& source,
                                             const Parameters& parameters);

}  // namespace daewave::models
