#include "core/kernels/multibody_kernel.hpp"
#include "core/regularize/regularize_kernel.hpp"

namespace daewave::detail {

std::unique_ptr<RegularizedOde> regularize_any_multibody(const DaeProblem& problem,
                                                         const Regularization& form) {
  if (problem.sizes().nk > 0) return regularize_as<VelocityKernel>(problem, form);
  return regularize_as<StructuredKernel>(problem, form);
}

}  // namespace daewave::detail
