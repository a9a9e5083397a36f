#pragma once
// From a DaeProblem to a kernel of sizes and structure known at run time: for what is done once,
// not in each step.

#include "core/error.hpp"
#include "core/kernels/index_kernels.hpp"
#include "core/kernels/multibody_kernel.hpp"

namespace daewave {

/// Returns function(kernel); the results for all kernels must have one type. The kernel refers to
/// the problem.
/// @throws InvalidProblem for a problem without constraints to differentiate.
template <class Function>
auto with_kernel(const DaeProblem& problem, Function function) {
  switch (problem.kind()) {
    case Kind::index_2:
      return function(AnyIndexTwo(problem));
    case Kind::second_order:
      return function(SecondOrderKernel(problem));
    case Kind::multibody:
      if (problem.sizes().nk > 0) return function(VelocityKernel(problem));
      return function(StructuredKernel(problem));
    default:
      break;
  }
  throw InvalidProblem(std::string("a problem of kind \"") + name_of(problem.kind()) +
                       "\" has no constraints g or w");
}

}  // namespace daewave
