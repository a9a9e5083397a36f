#include "core/kernels/small_kernels.hpp"
#include "ivp/reduced/reduce_kernel.hpp"

namespace daewave::ivp::detail {

std::unique_ptr<ReducedOde> reduce_small_multibody(const DaeProblem& problem,
                                                   const Reduction& how) {
  return with_small_kernel<std::unique_ptr<ReducedOde>>(
      problem, [&](const auto& kernel) { return reduce_multibody(kernel, how); });
}

}  // namespace daewave::ivp::detail
