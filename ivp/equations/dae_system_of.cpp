#include "ivp/equations/dae_system_of.hpp"

#include <utility>

#include "core/kernels/with_kernel.hpp"
#include "core/problem/by_differences.hpp"
#include "ivp/equations/dae_system_of_struct.hpp"
#include "ivp/equations/with_own_kernel.hpp"

namespace daewave::ivp {
namespace {

/// With what the problem says of its derivatives.
template <class System, class Kernel>
class SystemOfProblem final : private detail::OwnKernel<Kernel>,
                              public System,
                              public KnowsDifferences {
 public:
  template <class... Arguments>
  SystemOfProblem(const DaeProblem& problem, Kernel own, Arguments&&... arguments)
      : detail::OwnKernel<Kernel>{std::move(own)},
        System(detail::OwnKernel<Kernel>::kernel, std::forward<Arguments>(arguments)...),
        problem_(problem) {}
  SystemOfProblem(const SystemOfProblem&) = delete;
  SystemOfProblem& operator=(const SystemOfProblem&) = delete;

  bool is_by_differences(Ask what) const override {
    return daewave::is_by_differences(problem_, what);
  }

 private:
  const DaeProblem& problem_;
};

}  // namespace

std::unique_ptr<DaeSystem> dae_system_of(const DaeProblem& problem, const VecX& z0, double t,
                                         MultiplierForm form, double rank_tolerance) {
  return with_kernel(problem, [&](const auto& kernel) -> std::unique_ptr<DaeSystem> {
    using Kernel = std::decay_t<decltype(kernel)>;
    using System = typename detail::DaeSystemTrait<Kernel>::type;
    return std::make_unique<SystemOfProblem<System, Kernel>>(problem, kernel, z0, t, form,
                                                             rank_tolerance);
  });
}

std::unique_ptr<DaeSystem> dae_system_of(const DaeProblem& problem, const VecX& z0, const VecX& w0,
                                         double t, MultiplierForm form) {
  using System = InvariantAsDae<InvariantKernel>;
  return std::make_unique<WithOwnKernel<System, InvariantKernel>>(InvariantKernel(problem), z0, w0,
                                                                  t, form);
}

}  // namespace daewave::ivp
