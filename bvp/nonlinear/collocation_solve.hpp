#pragma once
// Solves a nonlinear boundary value problem to a tolerance: iterates on a mesh, a mesh of half the
// steps beside it, and then the mesh that the difference asks for. Compiled once for all problems.

#include <memory>
#include <string>

#include "bvp/nonlinear/iterate_system.hpp"
#include "bvp/nonlinear_options.hpp"
#include "bvp/nonlinear_solution.hpp"
#include "core/problem.hpp"

namespace daewave::bvp {

/// A problem with its type forgotten, and what was chosen for it.
struct NonlinearProblem {
  std::string name{};
  Interval interval{};
  bool second_order = false;
  bool carries_By = false;
  int constraints = 0;
  double epsilon = 0;  ///< 0: there are no iterates.
  Collocation scheme{};
  /// The iterates' equation for an epsilon.
  std::function<std::unique_ptr<IterateSystem>(double epsilon)> system{};
  /// The same with alpha1 = 1, from which a first iterate can be found; empty where there is none.
  std::function<std::unique_ptr<IterateSystem>(double epsilon)> easier{};
  TwoPointConditions* conditions = nullptr;
  std::function<VecX(double t)> guess{};
  std::function<VecX(double t)> guess_algebraic{};  ///< At w of index 1; empty: zero.
  std::vector<Choice> choices{};
};

/// @param options  checked. @throws InvalidOption, InvalidProblem for what cannot be solved as
/// stated; numerical failure does not throw.
NonlinearSolution solve_by_collocation(const NonlinearProblem& problem,
                                       const NonlinearOptions& options);

}  // namespace daewave::bvp
