#pragma once
// Index reduction of a kernel, which is kept with it.

#include "ivp/equations/multibody_equations.hpp"
#include "ivp/equations/with_own_kernel.hpp"
#include "ivp/reduced/reduce.hpp"
#include "ivp/reduced/reduced_system.hpp"

namespace daewave::ivp::detail {

template <class System, class Kernel>
std::unique_ptr<ReducedOde> reduce_by(const Kernel& kernel, const Reduction& how) {
  return std::make_unique<WithOwnKernel<System, Kernel>>(kernel, how.kind, how.stabilization,
                                                         how.rank_tolerance, how.projection,
                                                         how.tolerance, how.state_space);
}

template <Multibody Kernel>
std::unique_ptr<ReducedOde> reduce_multibody(const Kernel& kernel, const Reduction& how) {
  return reduce_by<ReducedSystem<MultibodyEquations<Kernel>>>(kernel, how);
}

/// Of a kernel that is made here.
template <class Kernel>
std::unique_ptr<ReducedOde> reduce_as(const DaeProblem& problem, const Reduction& how) {
  return reduce_multibody(Kernel(problem), how);
}

}  // namespace daewave::ivp::detail
