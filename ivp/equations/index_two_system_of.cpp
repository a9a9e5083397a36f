#include "ivp/equations/index_two_system_of.hpp"

#include "core/kernels/with_kernel.hpp"
#include "ivp/equations/index_two_of_kernel.hpp"
#include "ivp/equations/with_own_kernel.hpp"

namespace daewave::ivp {

std::unique_ptr<IndexTwoSystem> index_two_system_of(const DaeProblem& problem, const VecX& start,
                                                    double t, double rank_tolerance) {
  return with_kernel(problem, [&](const auto& kernel) -> std::unique_ptr<IndexTwoSystem> {
    using Kernel = std::decay_t<decltype(kernel)>;
    return std::make_unique<WithOwnKernel<IndexTwoSystemOf<Kernel>, Kernel>>(kernel, start, t,
                                                                             rank_tolerance);
  });
}

}  // namespace daewave::ivp
