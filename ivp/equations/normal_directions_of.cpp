#include "ivp/equations/normal_directions_of.hpp"

#include "core/error.hpp"
#include "core/kernels/with_kernel.hpp"
#include "ivp/equations/normal_directions_of_kernel.hpp"
#include "ivp/equations/with_own_kernel.hpp"

namespace daewave::ivp {

std::unique_ptr<NormalDirections> normal_directions_of(const DaeProblem& problem,
                                                       double rank_tolerance) {
  if (problem.sizes().nk > 0) {
    throw InvalidOption(
        "method = symmetric-projection: knows constraints on positions only, the problem has "
        "some on velocities; take projection");
  }
  return with_kernel(problem, [&](const auto& kernel) -> std::unique_ptr<NormalDirections> {
    using Kernel = std::decay_t<decltype(kernel)>;
    using Directions = detail::NormalDirectionsOf<Kernel>;
    return std::make_unique<WithOwnKernel<Directions, Kernel>>(kernel, rank_tolerance);
  });
}

}  // namespace daewave::ivp
