#include "core/kernels/multibody_kernel.hpp"
#include "ivp/reduced/reduce_kernel.hpp"

namespace daewave::ivp::detail {

std::unique_ptr<ReducedOde> reduce_any_multibody(const DaeProblem& problem, const Reduction& how) {
  if (problem.sizes().nk > 0) return reduce_multibody(VelocityKernel(problem), how);
  if (problem.structure().mass == Structure::Mass::diagonal) {
    return reduce_as<AnyDiagonalMultibody>(problem, how);
  }
  return reduce_multibody(AnyMultibody(problem), how);
}

}  // namespace daewave::ivp::detail
