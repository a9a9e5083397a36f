#include "core/kernels/with_kernel.hpp"
#include "core/regularize/regularize_kernel.hpp"
#include "core/regularize/regularize_multibody.hpp"

namespace daewave::detail {
namespace {

template <class Kernel>
std::unique_ptr<RegularizedOde> in_form(const DaeProblem& problem, const RegularizedForm& form) {
  using Point = MultibodyPoint<Kernel>;
  const Sizes& n = problem.sizes();
  if (form.variant == Variant::singular) {
    return regularize_kernel<RegularizedSingular3<Point>, Kernel>(problem, form, n.nq);
  }
  if (form.variant == Variant::invariant_reduced) {
    return regularize_kernel<RegularizedReduced<Point>, Kernel>(problem, form, 2 * n.nl());
  }
  return regularize_kernel<RegularizedIndex3<Point>, Kernel>(problem, form, n.nl());
}

}  // namespace

std::unique_ptr<RegularizedOde> regularize_multibody(const DaeProblem& problem,
                                                     const RegularizedForm& form) {
  return with_kernel(problem, [&](const auto& kernel) -> std::unique_ptr<RegularizedOde> {
    using Kernel = std::decay_t<decltype(kernel)>;
    if constexpr (Multibody<Kernel>) return in_form<Kernel>(problem, form);
    return nullptr;
  });
}

}  // namespace daewave::detail
