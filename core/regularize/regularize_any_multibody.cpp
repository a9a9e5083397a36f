#include "core/kernels/multibody_kernel.hpp"
#include "core/regularize/regularize_kernel.hpp"

namespace daewave::detail {

std::unique_ptr<RegularizedOde> regularize_any_multibody(const DaeProblem& problem,
                                                         const Regularization& form) {
  if (problem.sizes().nk > 0) {
    return regularize_index_3<MultibodyPoint<VelocityKernel>>(VelocityKernel(problem), form);
  }
  if (problem.structure().mass == Structure::Mass::diagonal) {
    return regularize_as<AnyDiagonalMultibody>(problem, form);
  }
  return regularize_index_3<MultibodyPoint<AnyMultibody>>(AnyMultibody(problem), form);
}

}  // namespace daewave::detail
