#include "core/kernels/chain_kernel.hpp"
#include "core/kernels/multibody_kernel.hpp"
#include "core/regularize/regularize_kernel.hpp"

namespace daewave::detail {

std::unique_ptr<RegularizedOde> regularize_structured_multibody(const DaeProblem& problem,
                                                                const Regularization& form) {
  switch (problem.structure().constraints) {
    case Structure::Constraints::chain:
      return regularize_index_3<MultibodyPoint<ChainKernel>>(ChainKernel(problem), form);
    case Structure::Constraints::joints:
    case Structure::Constraints::sparse:
      return regularize_as<StructuredKernel>(problem, form);
    default:
      return nullptr;
  }
}

}  // namespace daewave::detail
