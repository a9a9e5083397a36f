#pragma once
// Multibody kernels with their sizes in the type: for what is done in every step.

#include "core/kernels/multibody_kernel.hpp"

namespace daewave {

/// Returns function.operator()<Kernel>() where there is one for the sizes of the problem, else
/// Result(). What is done with each kernel is compiled in a file of its own: together they take
/// several times as long.
template <class Result, class Function>
Result with_small_kernel(const DaeProblem& problem, Function function) {
  using Constraints = Structure::Constraints;
  using Mass = Structure::Mass;
  const Structure& structure = problem.structure();
  const Sizes& n = problem.sizes();
  if (problem.kind() != Kind::multibody || n.nk > 0) return {};
  if (structure.constraints != Constraints::dense || structure.mass == Mass::bodies) return {};
  const bool diagonal = structure.mass == Mass::diagonal;
  const auto is = [&n](int nq, int ny) { return n.nq == nq && n.ny == ny; };
  // Diagonal masses of few coordinates are taken as dense ones.
  if (is(2, 1)) return function.template operator()<SmallMultibody<2, 1>>();
  if (is(3, 1)) return function.template operator()<SmallMultibody<3, 1>>();
  if (is(4, 2)) return function.template operator()<SmallMultibody<4, 2>>();
  if (is(6, 5) && diagonal) return function.template operator()<SmallDiagonalMultibody<6, 5>>();
  if (is(9, 2) && diagonal) return function.template operator()<SmallDiagonalMultibody<9, 2>>();
  if (is(7, 6) && !diagonal) return function.template operator()<SmallMultibody<7, 6>>();
  return {};
}

}  // namespace daewave
