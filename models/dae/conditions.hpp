#pragma once
// Boundary conditions of a DAE in a model file: "x(0) - 1", "x(1) - 2*y'(0)", also inside.

#include <functional>
#include <memory>
#include <vector>

#include "core/types.hpp"
#include "models/dae/statement.hpp"
#include "models/expression/graph.hpp"

namespace daewave::models {

/// Expressions in t, variable 0 of their graph.
struct OverTime {
  Graph graph;
  std::vector<Ref> values;

  VecX at(double t) const;
};

/// Variables are the n entries of the state at the begin, at the end, and at the times inside in
/// the order in which conditions name them.
struct ConditionExpressions {
  Graph graph;
  std::vector<Ref> rows;
  std::vector<std::size_t> order;  ///< Of those times, among all.
};

struct BoundaryConditions {
  /// They vanish where the states satisfy them: at the begin, at the end, and at `inside`.
  std::function<VecX(const VecX& left, const VecX& right, const std::vector<VecX>& inside)>
      residual{};
  std::vector<double> inside{};  ///< Increasing.
  int count = 0;
  VecX lower{}, upper{};  ///< Bounds of the state, infinite where there is none; empty: no bound.
  // Functions of t; empty where the file says nothing.
  std::function<VecX(double t)> guess{}, guess_algebraic{}, exact{};
  // What all of these are made of; null where the file says nothing.
  std::shared_ptr<const ConditionExpressions> expressions{};
  std::shared_ptr<const OverTime> guess_said{}, guess_algebraic_said{}, exact_said{};
};

/// @throws ModelError  a name that is no state, a t outside of the interval.
BoundaryConditions boundary_conditions(const DaeStatement& statement, const TextSource& source,
                                       const Parameters& parameters, const Interval& interval);

/// x at t as [dae.exact] says; null where it does not. @throws ModelError
std::shared_ptr<const OverTime> exact_solution(const DaeStatement& statement,
                                               const TextSource& source,
                                               const Parameters& parameters);

/// The same as a function; empty where it is null.
std::function<VecX(double t)> function_of(const std::shared_ptr<const OverTime>& of);

}  // namespace daewave::models
