#include "core/kernels/small_kernels.hpp"
#include "core/regularize/regularize_kernel.hpp"

namespace daewave::detail {

std::unique_ptr<RegularizedOde> regularize_small_multibody(const DaeProblem& problem,
                                                           const Regularization& form) {
  return with_small_kernel<std::unique_ptr<RegularizedOde>>(problem, [&](const auto& kernel) {
    using Kernel = std::decay_t<decltype(kernel)>;
    return regularize_index_3<MultibodyPoint<Kernel>>(kernel, form);
  });
}

}  // namespace daewave::detail
