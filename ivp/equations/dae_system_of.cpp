#include "ivp/equations/dae_system_of.hpp"

#include "core/kernels/with_kernel.hpp"
#include "ivp/equations/dae_system_of_struct.hpp"
#include "ivp/equations/with_own_kernel.hpp"

namespace daewave::ivp {
std::unique_ptr<DaeSystem> dae_system_of(const DaeProblem& problem, const VecX& z0, double t,
                                         MultiplierForm form, double rank_tolerance) {
  return with_kernel(problem, [&](const auto& kernel) -> std::unique_ptr<DaeSystem> {
    using Kernel = std::decay_t<decltype(kernel)>;
    using System = typename detail::DaeSystemTrait<Kernel>::type;
    return std::make_unique<WithOwnKernel<System, Kernel>>(kernel, z0, t, form, rank_tolerance);
  });
}

std::unique_ptr<DaeSystem> dae_system_of(const DaeProblem& problem, const VecX& z0, const VecX& w0,
                                         double t, MultiplierForm form) {
  using System = InvariantAsDae<InvariantKernel>;
  return std::make_unique<WithOwnKernel<System, InvariantKernel>>(InvariantKernel(problem), z0, w0,
                                                                  t, form);
}

}  // namespace daewave::ivp
