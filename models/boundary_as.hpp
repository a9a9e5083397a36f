#pragma once
// The boundary value problem of a model in the words of a solver that this library does not know:
//
//   bvp::solve(models::boundary_as<bvp::BoundaryProblem>(models::read_model("dancer.toml")));

#include "models/model.hpp"

namespace daewave::models {

/// @param model  with a boundary. Its conditions may be inside the interval, too.
template <class BoundaryProblem>
BoundaryProblem boundary_as(const Model& model) {
  const BoundaryConditions& of = model.boundary.value();
  BoundaryProblem problem;
  problem.equations = model.problem;
  problem.interval = model.interval;
  if (of.inside.empty()) {
    problem.conditions = [residual = of.residual](const VecX& left, const VecX& right) {
      return residual(left, right, {});
    };
  } else {
    problem.inside = of.inside;
    problem.further_conditions = [residual = of.residual](const auto& at) {
      return residual(at.left, at.right, at.inside);
    };
  }
  problem.lower = of.lower;
  problem.upper = of.upper;
  problem.guess = of.guess;
  if (model.problem->kind() == Kind::invariants) problem.guess_algebraic = of.guess_algebraic;
  problem.name = model.name;
  problem.exact = of.exact;
  return problem;
}

}  // namespace daewave::models
