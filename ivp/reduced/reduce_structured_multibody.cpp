#include "core/kernels/chain_kernel.hpp"
#include "core/kernels/multibody_kernel.hpp"
#include "ivp/reduced/reduce_kernel.hpp"

namespace daewave::ivp::detail {

std::unique_ptr<ReducedOde> reduce_structured_multibody(const DaeProblem& problem,
                                                        const Reduction& how) {
  switch (problem.structure().constraints) {
    case Structure::Constraints::chain:
      return reduce_multibody(ChainKernel(problem), how);
    case Structure::Constraints::joints:
    case Structure::Constraints::sparse:
      return reduce_as<StructuredKernel>(problem, how);
    default:
      return nullptr;
  }
}

}  // namespace daewave::ivp::detail
